import EventLoop
import Glibc
import MediaTypes
import Testing

@testable import WebIO

@Suite(.timeLimit(.minutes(1)))
struct WebSocketConnectionTests {
    private func configuration(
        _ port: UInt16, path: String = "/echo", isSecure: Bool = false
    ) -> WebSocketConnection.Configuration {
        var configuration = WebSocketConnection.Configuration(
            address: "\(isSecure ? "wss" : "ws")://127.0.0.1:\(port)\(path)")
        configuration.subprotocol = "janus-protocol"
        return configuration
    }

    /// What comes first when connecting so.
    private func firstEvent(_ configuration: WebSocketConnection.Configuration) async -> WebSocketConnection.Event {
        let probe = WebSocketProbe()
        await probe.start(configuration)
        let event = await probe.next()
        await probe.drop()
        probe.loop.stop()
        return event
    }

    @Test func textsGoThereAndBackAndTheGoodbyeIsAnswered() async throws {
        let server = WebSocketServer()
        try await server.start()
        let probe = WebSocketProbe()
        await probe.start(configuration(server.port))
        #expect(await probe.next() == .opened)
        for text in ["hello", "Zoë says 👋", String(repeating: "long ", count: 100_000)] {
            try #require(await probe.send(text))
            try #require(await probe.next() == .message(text))
        }
        await probe.close(code: 1000, reason: "done")
        #expect(!(await probe.send("too late")))
        guard case .closed(1000, _) = await probe.next() else { Issue.record("no goodbye"); return }
        #expect(!(await probe.send("much too late")))
        probe.loop.stop()
        await server.stop()
    }

    @Test func theServersGoodbyeComesWithItsCodeAndReason() async throws {
        let server = WebSocketServer()
        try await server.start()
        let probe = WebSocketProbe()
        await probe.start(configuration(server.port))
        #expect(await probe.next() == .opened)
        _ = await probe.send("close 4001 go away")
        #expect(await probe.next() == .closed(code: 4001, reason: "go away"))
        probe.loop.stop()
        await server.stop()
    }

    @Test func aMessageThatIsTooLargeClosesTheConnection() async throws {
        let server = WebSocketServer()
        try await server.start()
        let probe = WebSocketProbe()
        var configuration = configuration(server.port)
        configuration.maximumMessageSize = 10_000
        await probe.start(configuration)
        #expect(await probe.next() == .opened)
        _ = await probe.send("large 10000")
        guard case .message(let text) = await probe.next() else {
            Issue.record("10,000 octets are not too large"); return
        }
        #expect(text.utf8.count == 10_000)
        _ = await probe.send("large 10001")
        guard case .closed = await probe.next() else { Issue.record("10,001 octets are too large"); return }
        probe.loop.stop()
        await server.stop()
    }

    @Test func aServerThatVanishesWithoutGoodbyeIsKnownByItsCode() async throws {
        let server = WebSocketServer()
        try await server.start()
        let probe = WebSocketProbe()
        await probe.start(configuration(server.port))
        #expect(await probe.next() == .opened)
        _ = await probe.send("vanish")
        guard case .closed(let code, _) = await probe.next() else { Issue.record("not closed"); return }
        #expect(code == 1006)
        probe.loop.stop()
        await server.stop()
    }

    @Test func aDroppedConnectionSaysNothingMore() async throws {
        let server = WebSocketServer()
        try await server.start()
        let probe = WebSocketProbe()
        await probe.start(configuration(server.port))
        #expect(await probe.next() == .opened)
        _ = await probe.send("hello")
        await probe.drop()
        // A second connection's round trip gives the first one's echo all the time it needs.
        await probe.start(configuration(server.port))
        #expect(await probe.next() == .opened)
        _ = await probe.send("second")
        #expect(await probe.next() == .message("second"))
        #expect(await probe.unseen == 0)
        await probe.drop()
        probe.loop.stop()
        await server.stop()
    }

    @Test func overTLSACertificateIsTrustedOnlyWhenToldSo() async throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = WebSocketServer()
        try await server.start(certificate: certificate.identity)
        var configuration = configuration(server.port, isSecure: true)
        #expect(
            await firstEvent(configuration)
                == .failed(.tls("the server's certificate is signed by nobody who is trusted")))
        configuration.certificateAuthorityFile = certificate.certificate
        #expect(await firstEvent(configuration) == .opened)
        configuration.certificateAuthorityFile = nil
        configuration.acceptsAnyCertificate = true
        #expect(await firstEvent(configuration) == .opened)
        configuration.certificateAuthorityFile = "/nowhere/at-all.pem"
        guard case .failed(.certificateFile) = await firstEvent(configuration) else {
            Issue.record("a missing file of certificates is an error"); return
        }
        await server.stop()
    }

    @Test func aTrustedCertificateForAnotherNameIsRefused() async throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = WebSocketServer()
        try await server.start(certificate: certificate.identity)
        var configuration = WebSocketConnection.Configuration(address: "wss://localhost:\(server.port)/echo")
        configuration.certificateAuthorityFile = certificate.certificate
        #expect(
            await firstEvent(configuration) == .failed(.tls("the server's certificate is for another name")))
        await server.stop()
    }

    @Test func whatSpeaksNoTLSIsATLSFailure() async throws {
        let listener = try TestListener()
        defer { listener.close() }
        listener.answerOnce("HTTP/1.1 400 Bad Request\r\n\r\n")
        let event = await firstEvent(configuration(listener.port, isSecure: true))
        guard case .failed(.tls) = event else {
            Issue.record("\(event)")
            return
        }
    }

    @Test(arguments: ["", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"])
    func whatIsNoWebSocketIsTold(answer: String) async throws {
        let listener = try TestListener()
        defer { listener.close() }
        listener.answerOnce(answer)
        switch await firstEvent(configuration(listener.port)) {
        case .failed(.notWebSocket), .failed(.status(200, _)): break
        case let event: Issue.record("\(event)")
        }
    }

    @Test func anHTTPServerIsKnownByItsStatus() async throws {
        let server = WebSocketServer()
        try await server.start()
        #expect(await firstEvent(configuration(server.port, path: "/nothing")) == .failed(.status(404, "Not Found")))
        await server.stop()
    }

    @Test func anotherSubprotocolIsNotAccepted() async throws {
        let server = WebSocketServer()
        try await server.start()
        guard case .failed(let failure) = await firstEvent(configuration(server.port, path: "/other")) else {
            Issue.record("opened under another subprotocol"); return
        }
        switch failure {
        case .wrongSubprotocol, .status, .notWebSocket: break
        default: Issue.record("\(failure)")
        }
        await server.stop()
    }

    @Test func aClosedPortIsUnreachable() async throws {
        let listener = try TestListener()
        let port = listener.port
        listener.close()
        #expect(
            await firstEvent(configuration(port))
                == .failed(.unreachable("could not connect to 127.0.0.1: Connection refused")))
    }

    @Test func aNameWithoutAddressIsUnresolved() async {
        let event = await firstEvent(WebSocketConnection.Configuration(address: "ws://no-such-host.invalid:8188/"))
        guard case .failed(.unresolved) = event else { Issue.record("\(event)"); return }
    }

    @Test func silenceEndsWithTheConnectTimeout() async throws {
        let listener = try TestListener()
        defer { listener.close() }
        var configuration = configuration(listener.port)
        configuration.connectTimeout = .milliseconds(200)
        #expect(await firstEvent(configuration) == .failed(.timedOut(after: .milliseconds(200))))
    }

    @Test(arguments: ["", "nonsense", "ws:///", "http//x"])
    func whatIsNoAddressIsRefused(address: String) async {
        let event = await firstEvent(WebSocketConnection.Configuration(address: address))
        #expect(event == .failed(.malformedAddress(address)))
    }
}

/// A TCP port that takes connections and says nothing, or one thing once.
private struct TestListener {
    struct NotMade: Error {}
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let failed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) != 0 || listen(descriptor, 5) != 0 || getsockname(descriptor, $0, &size) != 0
            }
        }
        guard !failed else { throw NotMade() }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Sends `text` to the first who connects, when they have said something, and hangs up.
    func answerOnce(_ text: String) {
        let descriptor = descriptor
        Task.detached {
            let connection = accept(descriptor, nil, nil)
            var something = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &something, something.count)
            _ = send(connection, Array(text.utf8), text.utf8.count, Int32(MSG_NOSIGNAL))
            Glibc.close(connection)
        }
    }

    func close() { Glibc.close(descriptor) }
}
