import CGLib
import CSoup
package import EventLoop
import Glibc
import MediaTypes

/// A web server (HTTP/1.1) on a loop, for what is small in number and large in size: pages for a few people, and long
/// files. What is asked for is answered by one function; what goes beyond the limits never gets there.
package actor WebServer {
    package nonisolated let loop: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let configuration: Configuration
    private let respond: @Sendable (Request) async -> Response
    private let hosts: HostRule
    private var server: UnsafeMutablePointer<SoupServer>?
    private var certificate: UnsafeMutablePointer<GTlsCertificate>?
    private var listener: Listener?
    private var connections: [Int: ServerConnection] = [:]
    /// The connection of a message, by its peer's address, which is an object of its own.
    private var peers: [UnsafeRawPointer: Int] = [:]
    private var exchanges: [Int: Exchange] = [:]
    private var lastID = 0

    /// - Parameter respond: answers a request; not on the loop's thread.
    package init(
        _ configuration: Configuration = Configuration(), loop: LoopExecutor,
        respond: @escaping @Sendable (Request) async -> Response
    ) {
        self.configuration = configuration
        self.loop = loop
        self.respond = respond
        hosts = HostRule(address: configuration.address, configured: configuration.hosts)
    }

    /// Begins to listen.
    /// - Returns: the port.
    package func start() throws(WebServerError) -> UInt16 {
        precondition(server == nil, "a server is started once")
        certificate = try loadedCertificate()
        listener = try Listener(address: configuration.address, port: configuration.port, on: loop) { [unowned self] in
            nonisolated(unsafe) let socket = $0
            assumeIsolated { $0.accept(socket) }
        }
        server = Self.makeServer()
        watchRequests()
        return listener?.port ?? 0
    }

    /// Takes no more, and ends all connections.
    package func stop() {
        listener = nil
        for exchange in exchanges.values { exchange.over() }
        for connection in connections.values { connection.hangUp() }
        if let server {
            soup_server_disconnect(server)
            g_object_unref(server)
        }
        server = nil
        exchanges = [:]
        connections = [:]
        peers = [:]
        if let certificate { g_object_unref(certificate) }
        certificate = nil
    }

    private static func makeServer() -> UnsafeMutablePointer<SoupServer>? {
        // Paths are taken as they were written: libsoup's own decoding cannot be told from what was encoded twice.
        var value = GValue()
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, 1)
        defer { g_value_unset(&value) }
        let name = strdup("raw-paths")
        defer { free(name) }
        var names: [UnsafePointer<CChar>?] = [UnsafePointer(name)]
        let object = g_object_new_with_properties(soup_server_get_type(), 1, &names, &value)
        return object.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: SoupServer.self) }
    }

    private func loadedCertificate() throws(WebServerError) -> UnsafeMutablePointer<GTlsCertificate>? {
        guard let file = configuration.certificateFile else { return nil }
        var error: UnsafeMutablePointer<GError>?
        let key = configuration.keyFile ?? file
        if let certificate = g_tls_certificate_new_from_files(file, key, &error) { return certificate }
        defer { g_clear_error(&error) }
        throw .certificate(
            file: file, reason: error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no reason is known"
        )
    }
}

// MARK: - Connections

extension WebServer {
    private func accept(_ socket: UnsafeMutablePointer<GSocket>) {
        guard let server, connections.count < configuration.limits.connections else {
            let answer = ServerConnection.answer(503)
            if certificate == nil { g_socket_send_with_blocking(socket, answer, gsize(answer.count), 0, nil, nil) }
            g_socket_close(socket, nil)
            return g_object_unref(socket)
        }
        g_socket_set_blocking(socket, 0)
        guard let plain = g_socket_connection_factory_create_connection(socket),
            let peer = g_socket_get_remote_address(socket, nil), let own = g_socket_get_local_address(socket, nil)
        else { return g_object_unref(socket) }
        defer {
            g_object_unref(own)
            g_object_unref(peer)
        }
        var stream = UnsafeMutableRawPointer(plain).assumingMemoryBound(to: GIOStream.self)
        if let certificate {
            let secure = g_tls_server_connection_new(stream, certificate, nil)
            g_object_unref(plain)
            guard let secure else { return g_object_unref(socket) }
            stream = UnsafeMutableRawPointer(secure).assumingMemoryBound(to: GIOStream.self)
        }
        defer { g_object_unref(stream) }
        lastID += 1
        let connection = ServerConnection(
            id: lastID, consuming: socket, isSecure: certificate != nil, on: loop)
        connection.setDeadline(after: configuration.limits.headTime)
        connections[lastID] = connection
        peers[UnsafeRawPointer(peer)] = lastID
        watch(peer, of: lastID)
        if soup_server_accept_iostream(server, stream, own, peer, nil) == 0 { connection.hangUp() }
    }

    /// The peer's address goes with libsoup's connection, and tells of it.
    private func watch(_ peer: UnsafeMutablePointer<GSocketAddress>, of id: Int) {
        let farewell = Unmanaged.passRetained(Farewell(server: self, id: id))
        g_object_weak_ref(
            UnsafeMutableRawPointer(peer).assumingMemoryBound(to: GObject.self),
            { raw, object in
                guard let raw else { return }
                let farewell = Unmanaged<Farewell>.fromOpaque(raw).takeRetainedValue()
                nonisolated(unsafe) let address = object.map { UnsafeRawPointer($0) }
                farewell.server?.assumeIsolated { $0.forget(farewell.id, address) }
            }, farewell.toOpaque())
    }

    private func forget(_ id: Int, _ peer: UnsafeRawPointer?) {
        connections[id] = nil
        if let peer, peers[peer] == id { peers[peer] = nil }
    }

    private final class Farewell: Sendable {
        let id: Int
        private let reference: WeakServer
        var server: WebServer? { reference.server }
        init(server: WebServer, id: Int) {
            self.id = id
            reference = WeakServer(server)
        }
    }
}

/// What C holds of a server: it may outlive it.
private final class WeakServer: @unchecked Sendable {
    // Safe to share: written once, and weak references are atomic.
    private(set) weak var server: WebServer?
    init(_ server: WebServer) { self.server = server }
}

// MARK: - Requests

extension WebServer {
    private func watchRequests() {
        guard let server else { return }
        let started: @convention(c) (UnsafeMutablePointer<SoupServer>?, OpaquePointer?, gpointer?) -> Void = {
            _, message, raw in
            guard let message, let raw else { return }
            nonisolated(unsafe) let begun = message
            Unmanaged<WeakServer>.fromOpaque(raw).takeUnretainedValue().server?.assumeIsolated { $0.begin(begun) }
        }
        g_signal_connect_data(
            server, "request-started", unsafeBitCast(started, to: GCallback.self),
            Unmanaged.passRetained(WeakServer(self)).toOpaque(),
            { raw, _ in if let raw { Unmanaged<WeakServer>.fromOpaque(raw).release() } }, GConnectFlags(rawValue: 0))
        // What is refused early has a status then, and never comes here; what is not is paused and answered later.
        soup_server_add_handler(server, nil, { _, _, _, _, _ in }, nil, nil)
    }

    /// A connection waits for its request.
    private func begin(_ message: OpaquePointer) {
        guard let peer = soup_server_message_get_remote_address(message), let id = peers[UnsafeRawPointer(peer)],
            let connection = connections[id]
        else { return }
        lastID += 1
        let number = lastID
        let limits = configuration.limits
        let respond = respond
        let reference = WeakServer(self)
        let exchange = Exchange(
            id: number, message: message, connection: connection, limits: limits, hosts: hosts, loop: loop,
            request: { Self.take($0, number, respond, reference) },
            wake: { Self.wake(number, reference) })
        exchanges[number] = exchange
        exchange.watch { reference.server?.assumeIsolated { $0.exchanges[number] = nil } }
    }

    private nonisolated static func take(
        _ request: Request, _ id: Int, _ respond: @escaping @Sendable (Request) async -> Response,
        _ reference: WeakServer
    ) {
        Task.detached {
            let response = await respond(request)
            await reference.server?.answer(id, response)
        }
    }

    private nonisolated static func wake(_ id: Int, _ reference: WeakServer) {
        Task.detached { await reference.server?.pump(id) }
    }

    private func answer(_ id: Int, _ response: Response) { exchanges[id]?.answer(response) }

    private func pump(_ id: Int) { exchanges[id]?.pump() }
}
