import CGLib
import CSoup
import EventLoop
import Glibc
import MediaTypes
import Testing

@testable import WebIO

@Suite(.timeLimit(.minutes(1)))
struct HTTPPostTests {
    /// Keeps what it is sent, and answers with the status that the path says.
    actor Server {
        nonisolated let loop = LoopExecutor(name: "test-server")
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var server: UnsafeMutablePointer<SoupServer>?
        private(set) var received: [String] = []

        func listen() -> UInt16 {
            guard let raw = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else { return 0 }
            let server = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: SoupServer.self)
            self.server = server
            soup_server_add_handler(
                server, nil,
                { _, message, path, _, raw in
                    guard let message, let path, let raw else { return }
                    let owner = Unmanaged<Server>.fromOpaque(raw).takeUnretainedValue()
                    let headers = soup_server_message_get_request_headers(message)
                    let signature = soup_message_headers_get_one(headers, "Callbot-Signature").map {
                        String(cString: $0)
                    }
                    let body = soup_server_message_get_request_body(message)
                    let text = body.map {
                        String(
                            decoding: UnsafeBufferPointer(start: $0.pointee.data, count: Int($0.pointee.length)).map {
                                UInt8($0)
                            }, as: UTF8.self)
                    }
                    let method = soup_server_message_get_method(message).map { String(cString: $0) } ?? ""
                    owner.assumeIsolated { $0.received.append("\(method) \(signature ?? "-") \(text ?? "")") }
                    let status = guint(String(cString: path).dropFirst()) ?? 500
                    if status == 302 {
                        soup_message_headers_replace(
                            soup_server_message_get_response_headers(message), "Location", "/200")
                    }
                    // One that never answers.
                    if status == 0 { return soup_server_message_pause(message) }
                    soup_server_message_set_status(message, status, nil)
                }, Unmanaged.passUnretained(self).toOpaque(), nil)
            guard let address = g_inet_socket_address_new_from_string("127.0.0.1", 0),
                soup_server_listen(server, address, SoupServerListenOptions(rawValue: 0), nil) != 0,
                let uris = soup_server_get_uris(server)
            else { return 0 }
            g_object_unref(address)
            defer { g_slist_free_full(uris, { g_uri_unref(OpaquePointer($0)) }) }
            return UInt16(g_uri_get_port(OpaquePointer(uris.pointee.data)))
        }

        func stop() {
            guard let server else { return }
            soup_server_disconnect(server)
            g_object_unref(server)
            self.server = nil
        }
    }

    actor Client {
        nonisolated let loop = LoopExecutor(name: "test-client")
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var post: HTTPPost?

        func send(_ request: HTTPPost.Request) async -> HTTPPost.Outcome {
            await withCheckedContinuation { done in
                post = HTTPPost(request, loop: loop) { done.resume(returning: $0) }
            }
        }

        func drop() { post = nil }
    }

    @Test func itIsSentOnceWithItsHeadersAndTheStatusComesBack() async {
        let server = Server()
        let port = await server.listen()
        let client = Client()
        for (path, status) in [("200", 200), ("204", 204), ("302", 302), ("410", 410), ("503", 503)] {
            let outcome = await client.send(
                .init(
                    address: "http://127.0.0.1:\(port)/\(path)", headers: [("Callbot-Signature", "s\(path)")],
                    body: Array("{\"a\":1}".utf8)))
            #expect(outcome == .status(status))
        }
        let received = await server.received
        // A redirection is not followed: another place would get what was meant for this one.
        #expect(received == ["200", "204", "302", "410", "503"].map { "POST s\($0) {\"a\":1}" })
        await client.drop()
        await server.stop()
    }

    @Test func whoDoesNotAnswerIsLeft() async {
        let server = Server()
        let port = await server.listen()
        let client = Client()
        var request = HTTPPost.Request(address: "http://127.0.0.1:\(port)/0", body: [])
        request.timeout = .milliseconds(300)
        #expect(await client.send(request) == .failed("there was no answer within 1 s"))
        await client.drop()
        await server.stop()
        guard case .failed = await client.send(request) else { Issue.record("nobody answered"); return }
    }

    @Test(arguments: ["", "x", "ftp://h/", "http://", "http:///x", "javascript:1"])
    func whatIsNoAddressIsSaidToBeNone(address: String) async {
        #expect(!HTTPPost.isAddress(address))
        let client = Client()
        #expect(await client.send(.init(address: address, body: [])) == .failed("it is no address"))
    }

    /// RFC 4231 section 4.3.
    @Test func signaturesAreThoseOfTheStandard() {
        #expect(
            hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}
