/// What a web server answers.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A file, or the part of it that was asked for.
        case file(any ServedContent)
        /// Server-sent events, as long as the stream lasts.
        case events(EventStream)
    }

    package var status: Int
    /// Beside those that the server sets itself; one of the same name replaces the server's own.
    package var headers: Headers
    package var body: Body

    package init(_ status: Int, headers: Headers = Headers(), body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Bytes of a type.
    package static func bytes(_ bytes: [UInt8], type: String, status: Int = 200) -> Response {
        Response(status, headers: ["Content-Type": type], body: .bytes(bytes))
    }

    /// A sentence for people.
    package static func text(_ text: String, status: Int) -> Response {
        bytes(Array((text + "\n").utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Not to be stored: a browser's store lets one part of a file wait until another one is complete, and nobody's call is
    /// to lie there either.
    package static func file(_ file: any ServedContent, type: String) -> Response {
        Response(200, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: .file(file))
    }

    package static func events(_ stream: EventStream) -> Response {
        Response(
            200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"], body: .events(stream))
    }

    /// Why the server itself refuses a request, as programs and people can read it.
    static func refusal(_ status: Int) -> Response {
        bytes(Array("{\"error\":\"\(sentence(status))\"}\n".utf8), type: "application/json", status: status)
    }

    /// Has no character that JSON would write otherwise.
    private static func sentence(_ status: Int) -> String {
        switch status {
        case 400: "the request is malformed"
        case 413: "the body is too long"
        case 414: "the address is too long"
        case 421: "this server does not answer under that name; see --public-url"
        case 431: "the header fields are too long"
        case 501: "there is no such method here"
        case 503: "there are too many connections just now"
        default: reason(status)
        }
    }

    package static let notFound = text("There is nothing here.", status: 404)
    package static let methodNotAllowed = text("This cannot be done here.", status: 405)

    /// Its reason phrase (RFC 9110 section 15).
    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 303: "See Other"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: status < 400 ? "OK" : "Error"
        }
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}
