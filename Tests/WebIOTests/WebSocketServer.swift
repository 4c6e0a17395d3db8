import CGLib
import CSoup
import EventLoop
import Glibc

/// A real WebSocket server on a loop of its own, on 127.0.0.1: echoes what it is sent at `/echo` under the subprotocol
/// `janus-protocol`, and does a few other things when told so by a text.
final class WebSocketServer {
    struct NotStarted: Error {}

    private(set) var port: UInt16 = 0
    private let loop = LoopExecutor(name: "test-server")

    private actor Host {
        nonisolated let loop: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var server: UnsafeMutablePointer<SoupServer>?

        init(_ loop: LoopExecutor) { self.loop = loop }

        func listen(certificate: String?) throws -> UInt16 {
            let raw = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil)
            guard let raw else { throw NotStarted() }
            let server = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: SoupServer.self)
            self.server = server
            if let certificate {
                guard let loaded = g_tls_certificate_new_from_file(certificate, nil) else { throw NotStarted() }
                soup_server_set_tls_certificate(server, loaded)
                g_object_unref(loaded)
            }
            addEcho(server, "/echo", protocolName: "janus-protocol")
            addEcho(server, "/other", protocolName: "other-protocol")
            let options = SoupServerListenOptions(rawValue: certificate == nil ? 0 : SOUP_SERVER_LISTEN_HTTPS.rawValue)
            guard let address = g_inet_socket_address_new_from_string("127.0.0.1", 0),
                soup_server_listen(server, address, options, nil) != 0, let uris = soup_server_get_uris(server)
            else { throw NotStarted() }
            g_object_unref(address)
            defer { g_slist_free_full(uris, { g_uri_unref(OpaquePointer($0)) }) }
            return UInt16(g_uri_get_port(OpaquePointer(uris.pointee.data)))
        }

        private func addEcho(_ server: UnsafeMutablePointer<SoupServer>, _ path: String, protocolName: String) {
            let name = strdup(protocolName)
            defer { free(name) }
            var list = [name, nil]
            soup_server_add_websocket_handler(
                server, path, nil, &list,
                { _, _, _, connection, _ in
                    guard let connection else { return }
                    g_object_ref(UnsafeMutableRawPointer(connection))
                    soup_websocket_connection_set_max_incoming_payload_size(connection, 0)
                    let message: @convention(c) (OpaquePointer?, gint, OpaquePointer?, gpointer?) -> Void = answer
                    g_signal_connect_data(
                        UnsafeMutableRawPointer(connection), "message", unsafeBitCast(message, to: GCallback.self), nil,
                        nil, GConnectFlags(rawValue: 0))
                    let closed: @convention(c) (OpaquePointer?, gpointer?) -> Void = { connection, _ in
                        g_object_unref(connection.map { UnsafeMutableRawPointer($0) })
                    }
                    g_signal_connect_data(
                        UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(closed, to: GCallback.self), nil,
                        nil, GConnectFlags(rawValue: 0))
                }, nil, nil)
        }

        func stop() {
            guard let server else { return }
            soup_server_disconnect(server)
            g_object_unref(server)
            self.server = nil
        }
    }

    private let host: Host

    init() { host = Host(loop) }

    /// - Parameter certificate: a PEM file with key and certificate, for wss.
    func start(certificate: String? = nil) async throws { port = try await host.listen(certificate: certificate) }

    func stop() async {
        await host.stop()
        loop.stop()
    }
}

/// `close 4001 words`, `large 20000000`, `vanish`; anything else is sent back.
private func answer(_ connection: OpaquePointer?, _ type: gint, _ bytes: OpaquePointer?, _ unused: gpointer?) {
    guard let connection, let bytes else { return }
    var count: gsize = 0
    let start = g_bytes_get_data(bytes, &count)
    let text = String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    if words.first == "close", words.count == 3 {
        soup_websocket_connection_close(connection, gushort(words[1]) ?? 1000, words[2])
    } else if words.first == "large", words.count == 2, let size = Int(words[1]) {
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: size)
        let message = g_bytes_new(large, gsize(size))
        soup_websocket_connection_send_message(connection, SOUP_WEBSOCKET_DATA_TEXT, message)
        g_bytes_unref(message)
    } else if text == "vanish" {
        g_io_stream_close(soup_websocket_connection_get_io_stream(connection), nil, nil)
    } else {
        soup_websocket_connection_send_message(connection, SOUP_WEBSOCKET_DATA_TEXT, bytes)
    }
}
