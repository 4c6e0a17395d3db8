import CSoup
package import EventLoop
import MediaTypes

/// One POST request of HTTP (RFC 9110) to `http` or `https`, and what became of it. Used on its loop's thread only; gone, it
/// is broken off.
package final class HTTPPost {
    package struct Request: Sendable {
        package var address: String
        package var headers: [(name: String, value: String)]
        package var contentType: String
        package var body: [UInt8]
        /// For all of it.
        package var timeout = Duration.seconds(15)

        package init(
            address: String, headers: [(name: String, value: String)] = [], contentType: String = "application/json",
            body: [UInt8]
        ) {
            self.address = address
            self.headers = headers
            self.contentType = contentType
            self.body = body
        }
    }

    package enum Outcome: Hashable, Sendable {
        case status(Int)
        case failed(String)
    }

    /// What the C side holds: it may outlive the request, and then does nothing.
    private final class Reference {
        weak var post: HTTPPost?
        init(_ post: HTTPPost) { self.post = post }
    }

    private let ended: (Outcome) -> Void
    private let isMalformed: Bool
    private let timeout: Duration
    private var session: UnsafeMutablePointer<SoupSession>?
    private var message: OpaquePointer?
    private var cancellable: UnsafeMutablePointer<GCancellable>?
    private var timer: LoopTimer?

    /// Whether requests can go to an address.
    package static func isAddress(_ address: String) -> Bool {
        guard let uri = g_uri_parse(address, GUriFlags(rawValue: 0), nil) else { return false }
        defer { g_uri_unref(uri) }
        let scheme = g_uri_get_scheme(uri).map { String(cString: $0) }
        guard scheme == "http" || scheme == "https", let host = g_uri_get_host(uri) else { return false }
        return host.pointee != 0
    }

    /// Sends it.
    /// - Parameter ended: called once on the loop's thread, and not before this has returned.
    package init(_ request: Request, loop: LoopExecutor, ended: @escaping (Outcome) -> Void) {
        self.ended = ended
        timeout = request.timeout
        isMalformed = !Self.isAddress(request.address)
        timer = LoopTimer(on: loop) { [weak self] in self?.timerFired() }
        guard !isMalformed, let message = soup_message_new("POST", request.address) else {
            timer?.set(HostClock.now())
            return
        }
        guard let session = soup_session_new(), let cancellable = g_cancellable_new() else {
            preconditionFailure("GLib makes objects or aborts")
        }
        (self.session, self.message, self.cancellable) = (session, message, cancellable)
        // Another place would get what is signed for this one.
        soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
        let headers = soup_message_get_request_headers(message)
        for (name, value) in request.headers { soup_message_headers_replace(headers, name, value) }
        let bytes = request.body.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        soup_message_set_request_body_from_bytes(message, request.contentType, bytes)
        g_bytes_unref(bytes)
        timer?.set(HostClock.now() + request.timeout)
        // The answer's body is nobody's business: the head is enough.
        soup_session_send_async(
            session, message, G_PRIORITY_DEFAULT, cancellable,
            { source, result, raw in
                guard let source, let result, let raw else { return }
                let reference = Unmanaged<Reference>.fromOpaque(raw).takeRetainedValue()
                var error: UnsafeMutablePointer<GError>?
                let stream = source.withMemoryRebound(to: SoupSession.self, capacity: 1) {
                    soup_session_send_finish($0, result, &error)
                }
                if let stream { g_object_unref(stream) }
                defer { g_clear_error(&error) }
                guard let post = reference.post, let message = post.message else { return }
                let status = Int(soup_message_get_status(message).rawValue)
                let reason = error?.pointee.message.map { String(cString: $0) }
                post.end(reason.map { .failed($0) } ?? .status(status))
            }, Unmanaged.passRetained(Reference(self)).toOpaque())
    }

    deinit { drop() }

    private func timerFired() {
        end(
            .failed(
                isMalformed ? "it is no address" : "there was no answer within \(Int(timeout.seconds.rounded(.up))) s"))
    }

    private func end(_ outcome: Outcome) {
        guard timer != nil else { return }
        drop()
        ended(outcome)
    }

    private func drop() {
        timer = nil
        guard let session, let message, let cancellable else { return }
        (self.session, self.message, self.cancellable) = (nil, nil, nil)
        g_cancellable_cancel(cancellable)
        soup_session_abort(session)
        g_object_unref(cancellable)
        g_object_unref(UnsafeMutableRawPointer(message))
        g_object_unref(session)
    }
}

/// A keyed hash (RFC 2104) with SHA-256, in hexadecimal.
package func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> String {
    let text = key.withUnsafeBufferPointer { key in
        bytes.withUnsafeBufferPointer { bytes in
            g_compute_hmac_for_data(
                G_CHECKSUM_SHA256, key.baseAddress, gsize(key.count), bytes.baseAddress, gsize(bytes.count))
        }
    }
    guard let text else { return "" }
    defer { g_free(text) }
    return String(cString: text)
}
