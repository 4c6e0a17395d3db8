import Archive
import Calendar
import JSON
import MediaTypes
import RecordingFormat
import WebServer

/// A request, and what its path says: what a route takes, read and checked.
struct SiteCall: Sendable {
    let request: Request
    let route: Route
    let parameters: [String: String]
    /// Whether whoever asks may do anything here, and does not only have a link to one recording.
    let isOperator: Bool

    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    // MARK: - The query

    /// - Throws: for what no route of this kind knows, which would be ignored otherwise.
    func checkQuery() throws(SiteError) {
        for item in request.query where !route.query.contains(where: { $0.name == item.name }) {
            let known = route.query.map(\.name).joined(separator: ", ")
            throw .bad(
                known.isEmpty
                    ? "'\(item.name)' is no parameter here: there are none"
                    : "'\(item.name)' is no parameter here: there are \(known)")
        }
    }

    /// The value of a parameter; nil when it is not there, or empty.
    func text(_ name: String) -> String? { request.query(name).flatMap { $0.isEmpty ? nil : $0 } }

    func number(_ name: String, in range: ClosedRange<Int>) throws(SiteError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .bad("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(SiteError) -> Choice? where Choice.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .bad("\(name) must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    func flag(_ name: String) throws(SiteError) -> Bool? {
        switch text(name) {
        case nil: return nil
        case "true"?: return true
        case "false"?: return false
        default: throw .bad("\(name) must be true or false")
        }
    }

    /// A day, or a moment in UTC. A day begins at its midnight.
    func moment(_ name: String) throws(SiteError) -> WallTime? {
        guard let text = text(name) else { return nil }
        guard let time = WallTime(iso8601: text) ?? WallTime(iso8601: text + "T00:00:00Z") else {
            throw .bad("\(name) must be a day such as 2026-11-30, or a moment in UTC such as 2026-11-30T14:00:00Z")
        }
        return time
    }

    func limit(_ usual: Int = 50) throws(SiteError) -> Int { try number("limit", in: 1...1000) ?? usual }

    func cursor() throws(SiteError) -> PageCursor? {
        guard let text = text("after") else { return nil }
        guard let cursor = PageCursor(text) else { throw .bad("after must be what 'next' said") }
        return cursor
    }

    // MARK: - The body

    /// The members of the body, which are among those that the route takes. No body is one without members.
    func body() throws(SiteError) -> JSONValue {
        // What a form or a script of another site can send without being asked first has another type.
        let type = (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
        guard type == "application/json" else { throw SiteError(415, "the Content-Type must be application/json") }
        guard !request.body.isEmpty else { return .object([:]) }
        let json: JSONValue
        do { json = try JSONValue(parsing: request.body) } catch { throw .bad("the body is not JSON: \(error)") }
        guard let object = json.object else { throw .bad("the body must be a JSON object, and is \(json.kind)") }
        let known = route.body?["properties"]?.object?.keys ?? []
        for key in object.keys where !known.contains(key) {
            let hint = Spelling.suggestion(for: key, among: known).map { " (did you mean '\($0)'?)" } ?? ""
            throw .bad(
                known.isEmpty
                    ? "'\(key)' is not known here: nothing is to be said"
                    : "'\(key)' is not known here: there are \(known.joined(separator: ", "))\(hint)")
        }
        return json
    }
}

extension JSONValue {
    /// A text that is not empty; nil when it is not there.
    func text(_ key: String) throws(SiteError) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let text = value.string, !text.isEmpty else { throw .bad("\(key) must be a text, and not an empty one") }
        return text
    }

    /// A span of time: seconds, or a text such as `1h30m`.
    func span(_ key: String, in range: ClosedRange<Duration>, _ words: String) throws(SiteError) -> Duration? {
        guard let value = self[key], !value.isNull else { return nil }
        let span =
            value.string.map { Duration(spelled: $0) }
            ?? value.double.flatMap { abs($0) < 1e10 ? .seconds($0) : nil }
        guard let span, range.contains(span) else {
            throw .bad("\(key) must be seconds, or a text such as 1h30m, \(words)")
        }
        return span
    }
}
