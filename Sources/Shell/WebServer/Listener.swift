import CGLib
import CSoup
import EventLoop
import Glibc
import MediaTypes

/// A socket that takes connections, on its loop's thread. Lives as long as the object.
final class Listener {
    let port: UInt16
    private let socket: UnsafeMutablePointer<GSocket>
    private let loop: LoopExecutor
    private let accepted: (UnsafeMutablePointer<GSocket>) -> Void
    private var source: DescriptorSource?
    private var pause: LoopTimer?

    /// - Parameter accepted: is handed each new connection's socket, which it owns.
    init(
        address text: String, port: UInt16, on loop: LoopExecutor,
        accepted: @escaping (UnsafeMutablePointer<GSocket>) -> Void
    ) throws(WebServerError) {
        self.loop = loop
        self.accepted = accepted
        guard let address = g_inet_socket_address_new_from_string(text, guint(port)) else {
            throw .malformedAddress(text)
        }
        defer { g_object_unref(address) }
        var error: UnsafeMutablePointer<GError>?
        let family = g_socket_address_get_family(address)
        guard let socket = g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error) else {
            throw Self.failure(text, port, error)
        }
        self.socket = socket
        g_socket_set_blocking(socket, 0)
        g_socket_set_listen_backlog(socket, 64)
        guard g_socket_bind(socket, address, 1, &error) != 0, g_socket_listen(socket, &error) != 0,
            let own = g_socket_get_local_address(socket, &error)
        else {
            g_object_unref(socket)
            throw Self.failure(text, port, error)
        }
        defer { g_object_unref(own) }
        self.port = own.withMemoryRebound(to: GInetSocketAddress.self, capacity: 1) {
            g_inet_socket_address_get_port($0)
        }
        listen()
    }

    deinit {
        source = nil
        g_socket_close(socket, nil)
        g_object_unref(socket)
    }

    private func listen() {
        source = DescriptorSource(g_socket_get_fd(socket), on: loop) { [unowned self] in take() }
    }

    private func take() {
        var error: UnsafeMutablePointer<GError>?
        if let connection = g_socket_accept(socket, nil, &error) { return accepted(connection) }
        let wouldBlock = error?.pointee.code == gint(G_IO_ERROR_WOULD_BLOCK.rawValue)
        g_clear_error(&error)
        guard !wouldBlock else { return }
        // No descriptor is left, say: asking again at once would only take the processor as well.
        source = nil
        let pause = LoopTimer(on: loop) { [unowned self] in listen() }
        pause.set(HostClock.now() + .milliseconds(200))
        self.pause = pause
    }

    private static func failure(
        _ address: String, _ port: UInt16, _ error: UnsafeMutablePointer<GError>?
    ) -> WebServerError {
        var error = error
        defer { g_clear_error(&error) }
        // GLib says the address once more before the reason.
        let words = error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no reason is known"
        let reason = words.split(separator: ": ").last.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? words
        let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        return .cannotListen(place, reason: reason)
    }
}
