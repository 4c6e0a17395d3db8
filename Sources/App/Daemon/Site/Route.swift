import JSON
import WebServer

/// One thing that can be asked for over HTTP: what it is called, who may, what it takes and gives, and what does it.
/// The table of all of them is what requests are answered by and what the OpenAPI document says.
struct Route: Sendable {
    enum Segment: Hashable, Sendable {
        case literal(String)
        /// Any one segment, which has a name.
        case parameter(String)
        /// All that follows.
        case rest(String)
    }

    enum Access: Hashable, Sendable {
        case anybody
        /// Who has the daemon's token, or got a cookie for it.
        case token
        /// Also who has a link to the one recording that it is about.
        case link
    }

    /// What stands in the query.
    struct Parameter: Hashable, Sendable {
        var name: String
        var schema: JSONValue
        var summary: String
    }

    /// What may be answered when all is well.
    struct Answer: Hashable, Sendable {
        var status: Int
        /// Nil for no body.
        var type: String?
        /// Of a body of JSON; nil for any other.
        var schema: JSONValue?
        var summary: String
    }

    typealias Act = @Sendable (DaemonSite, SiteCall) async throws -> Response

    let method: Request.Method
    /// As it is written in the document: `/api/runs/{run}`.
    let path: String
    let segments: [Segment]
    let access: Access
    let summary: String
    let query: [Parameter]
    /// The schema of the body; nil when there is none.
    let body: JSONValue?
    let answer: Answer
    /// Statuses of errors that are its own.
    let errors: [Int]
    let act: Act

    init(
        _ method: Request.Method, _ path: String, for access: Access = .token, _ summary: String,
        query: [Parameter] = [], body: JSONValue? = nil, answer: Answer, errors: [Int] = [], act: @escaping Act
    ) {
        self.method = method
        self.path = path.replacing("...", with: "")
        self.access = access
        self.summary = summary
        self.query = query
        self.body = body
        self.answer = answer
        self.errors = errors
        self.act = act
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("{") else { return .literal(String(part)) }
            let name = String(part.dropFirst().dropLast())
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(name)
        }
    }

    /// The names of what its path leaves open.
    var parameters: [String] {
        segments.compactMap {
            switch $0 {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }

    /// What the path's open segments are for a request; nil when the path is another one.
    func match(_ path: [String]) -> [String: String]? {
        var found: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if case .rest(let name) = segment {
                guard path.count > index else { return nil }
                found[name] = path[index...].joined(separator: "/")
                return found
            }
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text): guard path[index] == text else { return nil }
            case .parameter(let name):
                guard !path[index].isEmpty else { return nil }
                found[name] = path[index]
            case .rest: break
            }
        }
        return path.count == segments.count ? found : nil
    }
}

extension Route.Answer {
    static func json(_ schema: JSONValue, _ summary: String, status: Int = 200) -> Self {
        Self(status: status, type: "application/json", schema: schema, summary: summary)
    }
    static func other(_ type: String, _ summary: String) -> Self {
        Self(status: 200, type: type, schema: nil, summary: summary)
    }
    static func nothing(_ summary: String) -> Self { Self(status: 204, type: nil, schema: nil, summary: summary) }
}
