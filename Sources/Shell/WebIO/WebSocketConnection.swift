import CSoup
package import EventLoop
import MediaTypes

/// A WebSocket (RFC 6455), as a client, for text messages. Used on its loop's thread only; events come on that thread.
///
/// After `start()` comes either `failed`, or `opened`, messages, and `closed`. Nothing comes after `failed` or `closed`, nor
/// after `cancel()`.
package final class WebSocketConnection {
    package struct Configuration: Sendable {
        /// `ws://host:port/path` or `wss://…`
        package var address: String
        /// The subprotocol to ask for and to insist on.
        package var subprotocol: String?
        /// A file of certificates (PEM) to be trusted instead of the system's.
        package var certificateAuthorityFile: String?
        package var acceptsAnyCertificate = false
        /// For name, TCP, TLS and the handshake together.
        package var connectTimeout = Duration.seconds(10)
        /// A ping after this much silence of ours, so that proxies keep the connection. Whole seconds.
        package var pingInterval = Duration.seconds(15)
        /// In octets; a larger message closes the connection (status 1009).
        package var maximumMessageSize = 16 << 20
        package init(address: String) { self.address = address }
    }

    package enum Event: Hashable, Sendable {
        case opened
        case message(String)
        case failed(WebSocketFailure)
        /// - code: of the close frame (RFC 6455 section 7.4), 1006 when there was none.
        case closed(code: Int, reason: String)
    }

    private enum State {
        /// Next: connecting, over.
        case new
        /// Next: open, over.
        case connecting(Connecting)
        /// Next: over.
        case open(Stream)
        case over
    }

    /// What there is until the handshake is done.
    private struct Connecting {
        let session: UnsafeMutablePointer<SoupSession>
        let message: OpaquePointer
        let cancellable: UnsafeMutablePointer<GCancellable>
        let timer: LoopTimer
    }

    /// The open connection, and the session that owns its socket.
    private struct Stream {
        let session: UnsafeMutablePointer<SoupSession>
        let connection: OpaquePointer
        var lastError: String?
    }

    /// What the C side holds: it may outlive the connection, and then does nothing.
    private final class Reference {
        weak var connection: WebSocketConnection?
        init(_ connection: WebSocketConnection) { self.connection = connection }
    }

    private let configuration: Configuration
    private let loop: LoopExecutor
    private let event: (Event) -> Void
    private var state = State.new

    package init(_ configuration: Configuration, loop: LoopExecutor, event: @escaping (Event) -> Void) {
        self.configuration = configuration
        self.loop = loop
        self.event = event
    }

    deinit { cancel() }

    /// Begins to connect.
    package func start() {
        precondition(loop.isOnLoop, "a WebSocket lives on its loop")
        guard case .new = state else { return }
        guard let message = request(configuration.address) else {
            return fail(.malformedAddress(configuration.address))
        }
        guard let session = soup_session_new(), let cancellable = g_cancellable_new() else {
            preconditionFailure("GLib makes objects or aborts")
        }
        // Media do not go through an HTTP proxy either.
        soup_session_set_proxy_resolver(session, nil)
        let timer = LoopTimer(on: loop) { [unowned self] in
            fail(.timedOut(after: configuration.connectTimeout))
        }
        state = .connecting(Connecting(session: session, message: message, cancellable: cancellable, timer: timer))
        if let failure = trust(in: session, message) { return fail(failure) }
        timer.set(HostClock.now() + configuration.connectTimeout)
        handshake(session, message, cancellable)
    }

    /// Sends a text message, which must not have U+0000 in it: libsoup takes that for broken text.
    /// - Returns: whether the connection is open.
    @discardableResult
    package func send(_ text: String) -> Bool {
        guard case .open(let stream) = state, isOpen(stream.connection) else { return false }
        var text = text
        let bytes = text.withUTF8 { g_bytes_new($0.baseAddress, gsize($0.count)) }
        soup_websocket_connection_send_message(stream.connection, SOUP_WEBSOCKET_DATA_TEXT, bytes)
        g_bytes_unref(bytes)
        return true
    }

    /// Says goodbye; `closed` comes when the server has answered, or after a few seconds. What was sent before is still
    /// delivered.
    package func close(code: UInt16 = 1000, reason: String = "") {
        switch state {
        case .open(let stream):
            if isOpen(stream.connection) { soup_websocket_connection_close(stream.connection, code, reason) }
        case .new, .connecting: cancel()
        case .over: break
        }
    }

    /// Drops the connection at once. No event comes any more.
    package func cancel() {
        switch state {
        case .new, .over: break
        case .connecting(let connecting):
            connecting.timer.set(nil)
            g_cancellable_cancel(connecting.cancellable)
            g_object_unref(connecting.cancellable)
            g_object_unref(UnsafeMutableRawPointer(connecting.message))
            g_object_unref(connecting.session)
        case .open(let stream):
            for handler in signalHandlers {
                g_signal_handler_disconnect(UnsafeMutableRawPointer(stream.connection), handler)
            }
            soup_session_abort(stream.session)
            g_object_unref(UnsafeMutableRawPointer(stream.connection))
            g_object_unref(stream.session)
        }
        signalHandlers = []
        state = .over
    }

    private var signalHandlers: [gulong] = []

    private func isOpen(_ connection: OpaquePointer) -> Bool {
        soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN
    }

    private func fail(_ failure: WebSocketFailure) {
        cancel()
        event(.failed(failure))
    }
}

// MARK: - The handshake

extension WebSocketConnection {
    private func trust(in session: UnsafeMutablePointer<SoupSession>, _ message: OpaquePointer) -> WebSocketFailure? {
        if let file = configuration.certificateAuthorityFile {
            var error: UnsafeMutablePointer<GError>?
            guard let database = g_tls_file_database_new(file, &error) else {
                defer { g_clear_error(&error) }
                return .certificateFile(error.map { String(cString: $0.pointee.message) } ?? file)
            }
            soup_session_set_tls_database(session, database)
            g_object_unref(database)
        }
        if configuration.acceptsAnyCertificate {
            let accept: @convention(c) (OpaquePointer?, OpaquePointer?, UInt32, gpointer?) -> gboolean = { _, _, _, _ in
                1
            }
            g_signal_connect_data(
                UnsafeMutableRawPointer(message), "accept-certificate", unsafeBitCast(accept, to: GCallback.self), nil,
                nil, GConnectFlags(rawValue: 0))
        }
        return nil
    }

    /// The request for a WebSocket's address; nil when it is none.
    private func request(_ address: String) -> OpaquePointer? {
        guard let uri = g_uri_parse(address, GUriFlags(rawValue: 0), nil) else { return nil }
        defer { g_uri_unref(uri) }
        let scheme = g_uri_get_scheme(uri).map { String(cString: $0) }
        // libsoup's own check is an assertion.
        guard scheme == "ws" || scheme == "wss", let host = g_uri_get_host(uri), host.pointee != 0 else { return nil }
        return soup_message_new_from_uri("GET", uri)
    }

    private func handshake(
        _ session: UnsafeMutablePointer<SoupSession>, _ message: OpaquePointer,
        _ cancellable: UnsafeMutablePointer<GCancellable>
    ) {
        let name = configuration.subprotocol.map { strdup($0) } ?? nil
        defer { free(name) }
        var list = [name, nil]
        soup_session_websocket_connect_async(
            session, message, nil, &list, G_PRIORITY_DEFAULT, cancellable,
            { source, result, raw in
                guard let source, let result, let raw else { return }
                let reference = Unmanaged<Reference>.fromOpaque(raw).takeRetainedValue()
                var error: UnsafeMutablePointer<GError>?
                let connection = source.withMemoryRebound(to: SoupSession.self, capacity: 1) {
                    soup_session_websocket_connect_finish($0, result, &error)
                }
                guard let owner = reference.connection else {
                    g_clear_error(&error)
                    if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
                    return
                }
                owner.handshakeEnded(connection, error)
            }, Unmanaged.passRetained(Reference(self)).toOpaque())
    }

    /// Takes over both the connection and the error.
    private func handshakeEnded(_ connection: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
        guard case .connecting(let connecting) = state else {
            var error = error
            g_clear_error(&error)
            if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
            return
        }
        guard let connection else { return fail(WebSocketFailure(consuming: error, message: connecting.message)) }
        let got = soup_websocket_connection_get_protocol(connection).map { String(cString: $0) }
        if let wanted = configuration.subprotocol, got != wanted {
            g_object_unref(UnsafeMutableRawPointer(connection))
            return fail(.wrongSubprotocol(wanted: wanted, got: got))
        }
        connecting.timer.set(nil)
        g_object_unref(connecting.cancellable)
        g_object_unref(UnsafeMutableRawPointer(connecting.message))
        state = .open(Stream(session: connecting.session, connection: connection))
        soup_websocket_connection_set_max_incoming_payload_size(connection, guint64(configuration.maximumMessageSize))
        soup_websocket_connection_set_keepalive_interval(connection, guint(max(0, configuration.pingInterval.seconds)))
        listen(to: connection)
        event(.opened)
    }
}

// MARK: - What comes

extension WebSocketConnection {
    private func listen(to connection: OpaquePointer) {
        let message: @convention(c) (OpaquePointer?, gint, OpaquePointer?, gpointer?) -> Void = { _, type, bytes, raw in
            guard let bytes, let owner = WebSocketConnection.owner(raw) else { return }
            // Binary messages are not for us.
            guard type == gint(SOUP_WEBSOCKET_DATA_TEXT.rawValue) else { return }
            var count: gsize = 0
            let start = g_bytes_get_data(bytes, &count)
            owner.event(
                .message(String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)))
        }
        let failed: @convention(c) (OpaquePointer?, UnsafeMutablePointer<GError>?, gpointer?) -> Void = {
            _, error, raw in
            guard let error, let owner = WebSocketConnection.owner(raw), case .open(var stream) = owner.state else {
                return
            }
            stream.lastError = error.pointee.message.map { String(cString: $0) }
            owner.state = .open(stream)
        }
        let closed: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, raw in
            WebSocketConnection.owner(raw)?.closed()
        }
        connect(connection, "message", unsafeBitCast(message, to: GCallback.self))
        connect(connection, "error", unsafeBitCast(failed, to: GCallback.self))
        connect(connection, "closed", unsafeBitCast(closed, to: GCallback.self))
    }

    private func connect(_ connection: OpaquePointer, _ signal: String, _ callback: @escaping GCallback) {
        let handler = g_signal_connect_data(
            UnsafeMutableRawPointer(connection), signal, callback, Unmanaged.passRetained(Reference(self)).toOpaque(),
            { raw, _ in if let raw { Unmanaged<Reference>.fromOpaque(raw).release() } }, GConnectFlags(rawValue: 0))
        signalHandlers.append(handler)
    }

    private static func owner(_ raw: gpointer?) -> WebSocketConnection? {
        raw.flatMap { Unmanaged<Reference>.fromOpaque($0).takeUnretainedValue().connection }
    }

    private func closed() {
        guard case .open(let stream) = state else { return }
        let code = Int(soup_websocket_connection_get_close_code(stream.connection))
        let said = soup_websocket_connection_get_close_data(stream.connection).map { String(cString: $0) } ?? ""
        let reason = said.isEmpty ? stream.lastError ?? "the connection was closed" : said
        cancel()
        event(.closed(code: code == 0 ? 1006 : code, reason: reason))
    }
}
