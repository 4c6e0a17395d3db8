import CGLib
import CSoup
import EventLoop
import Glibc
import MediaTypes

/// One request and its answer, on its loop's thread: lets the head and the body in as far as the limits go, and sends what
/// is answered, piece by piece.
final class Exchange {
    /// What a request's head has come to.
    private enum Phase {
        /// Next: reading, refused.
        case head
        /// Next: answering, refused.
        case reading
        /// Next: writing.
        case answering
        case writing
        case refused
    }

    let id: Int
    let message: OpaquePointer
    private let connection: ServerConnection
    private let limits: WebServer.Limits
    private let hosts: HostRule
    private let request: (Request) -> Void
    private var phase = Phase.head
    private var received = 0
    private var source = BodySource.none
    /// Whether libsoup has a piece of the body that it has not sent yet.
    private var isInFlight = false
    private let loop: LoopExecutor
    private let wake: @Sendable () -> Void
    private var heart: LoopTimer?

    private enum BodySource {
        case none
        case file(any ServedContent, Range<Int64>)
        case events(EventStream)
    }

    /// How much of a file is in memory at a time.
    private static let chunk = 64 * 1024

    /// - Parameters:
    ///   - request: called once a request is there that may be answered.
    ///   - wake: called on any thread when `pump` is to be called.
    init(
        id: Int, message: OpaquePointer, connection: ServerConnection, limits: WebServer.Limits, hosts: HostRule,
        loop: LoopExecutor, request: @escaping (Request) -> Void, wake: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.message = message
        self.connection = connection
        self.limits = limits
        self.hosts = hosts
        self.request = request
        self.wake = wake
        self.loop = loop
        for (name, value) in SecurityHeaders.all { soup_message_headers_replace(headers, name, value) }
        // One request a connection: libsoup 3.2 never lets go of one that is closed between two.
        soup_message_headers_replace(headers, "Connection", "close")
    }

    // MARK: - The request

    /// The head is there.
    func gotHead() {
        guard case .head = phase else { return }
        phase = .reading
        connection.setDeadline(after: limits.bodyTime)
        if let status = refusal { refuse(status) }
    }

    /// A part of the body is there.
    func gotChunk(_ count: Int) {
        received += count
        guard case .reading = phase, received > limits.body else {
            if received > limits.body + Self.chunk { connection.hangUp() }
            return
        }
        turnAway()
    }

    /// All of it is there.
    func gotBody() {
        guard case .reading = phase else { return }
        guard let parsed = parsedRequest() else { return refuse(400) }
        phase = .answering
        connection.setDeadline(after: nil)
        soup_server_message_pause(message)
        request(parsed)
    }

    /// Why the head is refused; nil when it is not.
    private var refusal: Int? {
        guard let uri = soup_server_message_get_uri(message), let path = g_uri_get_path(uri) else { return 400 }
        let target = strlen(path) + (g_uri_get_query(uri).map { strlen($0) } ?? 0)
        guard target <= limits.target else { return 414 }
        let fields = requestHeaders
        let size = fields.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.head else { return 431 }
        // Two of them could be understood in two ways.
        let named = fields.fields.filter { $0.name.lowercased() == "host" }
        guard named.count == 1, let host = named.first?.value else { return 400 }
        guard hosts.admits(host), hosts.admits(g_uri_get_host(uri).map { Self.bracketed(String(cString: $0)) } ?? "")
        else { return 421 }
        guard method != nil else { return 501 }
        if let length = fields["Content-Length"] {
            guard let length = Int(length), length >= 0 else { return 400 }
            guard length <= limits.body else { return 413 }
        }
        return RequestTarget.segments(of: String(cString: path)) == nil ? 400 : nil
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    private var method: Request.Method? {
        soup_server_message_get_method(message).flatMap { Request.Method(rawValue: String(cString: $0)) }
    }

    private var requestHeaders: Headers {
        var headers = Headers()
        var iterator = SoupMessageHeadersIter()
        soup_message_headers_iter_init(&iterator, soup_server_message_get_request_headers(message))
        var name: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
            guard let name, let value else { continue }
            headers.add(String(cString: name), String(cString: value))
        }
        return headers
    }

    private func parsedRequest() -> Request? {
        guard let uri = soup_server_message_get_uri(message), let path = g_uri_get_path(uri), let method,
            let segments = RequestTarget.segments(of: String(cString: path)),
            let query = RequestTarget.query(g_uri_get_query(uri).map { String(cString: $0) } ?? "")
        else { return nil }
        var body: [UInt8] = []
        if let bytes = soup_message_body_flatten(soup_server_message_get_request_body(message)) {
            var count: gsize = 0
            let start = g_bytes_get_data(bytes, &count)
            body = [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
            g_bytes_unref(bytes)
        }
        return Request(method, path: segments, query: query, headers: requestHeaders, body: body)
    }

    /// Answers with an error. What follows may be a body that nobody wants.
    private func refuse(_ status: Int) {
        guard status != 413 else { return turnAway() }
        phase = .refused
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
        put(.refusal(status))
    }

    /// A body that is too long is not waited for.
    private func turnAway() {
        phase = .refused
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
        connection.turnAway(413)
    }

    // MARK: - The answer

    func answer(_ response: Response) {
        guard case .answering = phase else { return }
        phase = .writing
        connection.setDeadline(after: limits.stallTime)
        put(response)
        soup_server_message_unpause(message)
    }

    private func put(_ response: Response) {
        let asked = requestHeaders
        // libsoup would cut parts out of bodies by itself.
        for name in ["Range", "If-Range"] {
            soup_message_headers_remove(soup_server_message_get_request_headers(message), name)
        }
        for field in response.headers.fields { soup_message_headers_replace(headers, field.name, field.value) }
        switch response.body {
        case .bytes(let bytes):
            setStatus(response.status)
            soup_message_headers_set_content_length(headers, goffset(bytes.count))
            if method != .head, !bytes.isEmpty { append(bytes) }
            soup_message_body_complete(body)
        case .file(let file): put(file, status: response.status, asked: asked)
        case .events(let stream):
            setStatus(response.status)
            guard method != .head else { return soup_message_body_complete(body) }
            soup_message_headers_set_encoding(headers, SOUP_ENCODING_CHUNKED)
            soup_message_body_set_accumulate(body, 0)
            source = .events(stream)
            stream.attach(wake)
            beat()
        }
    }

    private func put(_ file: any ServedContent, status: Int, asked: Headers) {
        soup_message_headers_replace(headers, "ETag", file.tag)
        soup_message_headers_replace(headers, "Last-Modified", file.lastModified)
        soup_message_headers_replace(headers, "Accept-Ranges", "bytes")
        let conditions = FileConditions(
            headers: asked, tag: file.tag, lastModified: file.lastModified, length: file.length)
        var range = 0..<file.length
        switch conditions.answer {
        case .whole: setStatus(status)
        case .part(let part):
            range = part
            setStatus(206)
            soup_message_headers_replace(
                headers, "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.length)")
        case .unsatisfiable:
            range = 0..<0
            setStatus(416)
            soup_message_headers_replace(headers, "Content-Range", "bytes */\(file.length)")
        case .notModified:
            setStatus(304)
            return soup_message_body_complete(body)
        case .failed:
            range = 0..<0
            setStatus(412)
        }
        soup_message_headers_set_content_length(headers, goffset(range.count))
        guard method != .head, !range.isEmpty else { return soup_message_body_complete(body) }
        soup_message_body_set_accumulate(body, 0)
        source = .file(file, range)
        pump()
    }

    /// A piece of the answer was taken.
    func wroteChunk() {
        isInFlight = false
        connection.setDeadline(after: limits.stallTime)
        pump()
    }

    /// Hands libsoup the next piece, when it has none and there is one.
    func pump() {
        guard case .writing = phase, !isInFlight else { return }
        switch source {
        case .none: break
        case .file(let file, let range):
            let bytes = file.read(at: range.lowerBound, count: Int(min(Int64(Self.chunk), Int64(range.count))))
            // It was cut off meanwhile: what was promised cannot be kept.
            guard !bytes.isEmpty else { return connection.hangUp() }
            let rest = range.lowerBound + Int64(bytes.count)..<range.upperBound
            source = rest.isEmpty ? .none : .file(file, rest)
            append(bytes)
            if rest.isEmpty { soup_message_body_complete(body) }
        case .events(let stream):
            let (bytes, isOver) = stream.take()
            if !bytes.isEmpty { append(bytes) }
            if isOver {
                source = .none
                soup_message_body_complete(body)
            }
            if !bytes.isEmpty || isOver { soup_server_message_unpause(message) }
        }
    }

    /// The answer has been sent, or never will be.
    func over() {
        heart = nil
        if case .events(let stream) = source { stream.abandon() }
        source = .none
        phase = .refused
    }

    /// Lets a stream's reader know that it is there still, and finds out whether the reader is.
    private func beat() {
        guard case .events(let stream) = source else { return }
        stream.beat()
        let heart = heart ?? LoopTimer(on: loop) { [unowned self] in beat() }
        heart.set(HostClock.now() + limits.beatInterval)
        self.heart = heart
    }

    private var headers: OpaquePointer? { soup_server_message_get_response_headers(message) }
    private var body: UnsafeMutablePointer<SoupMessageBody>? { soup_server_message_get_response_body(message) }

    private func setStatus(_ status: Int) {
        soup_server_message_set_status(message, guint(status), Response.reason(status))
    }

    private func append(_ bytes: [UInt8]) {
        isInFlight = true
        let copy = g_bytes_new(bytes, gsize(bytes.count))
        soup_message_body_append_bytes(body, copy)
        g_bytes_unref(copy)
    }
}
