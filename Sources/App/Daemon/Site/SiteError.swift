import JSON
import WebServer

/// Why something that was asked for over HTTP is not done: a status, and a sentence for whoever asked.
struct SiteError: Error, Hashable {
    var status: Int
    var sentence: String
    var headers: Headers = [:]

    init(_ status: Int, _ sentence: String, headers: Headers = [:]) {
        self.status = status
        self.sentence = sentence
        self.headers = headers
    }

    /// The request itself is at fault.
    static func bad(_ sentence: String) -> SiteError { SiteError(400, sentence) }
    static func missing(_ sentence: String) -> SiteError { SiteError(404, sentence) }
    /// It cannot be done as things are now.
    static func conflict(_ sentence: String) -> SiteError { SiteError(409, sentence) }
    /// Somebody else is needed who is not there.
    static func unavailable(_ sentence: String) -> SiteError { SiteError(503, sentence) }

    var response: Response {
        var response = Response.json(["error": .string(sentence)], status: status)
        for field in headers.fields { response.headers[field.name] = field.value }
        return response
    }
}

extension Response {
    static func json(_ value: JSONValue, status: Int = 200) -> Response {
        var response = Response.bytes(value.compactUTF8, type: "application/json", status: status)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Done, and there is nothing to be said about it.
    static let done = Response(204, headers: ["Cache-Control": "no-store"])
}
