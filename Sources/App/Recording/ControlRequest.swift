package import JSON
package import RecordingFormat
import Rendering

/// What is said at a recording's control socket: a JSON object on a line, with the name of a command and what it needs.
package struct ControlRequest: Hashable, Sendable {
    package var event: ControlEvent

    package init(_ event: ControlEvent) { self.event = event }

    /// Why a request cannot be followed, in a sentence for whoever made it.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
        package init(_ reason: String) { self.reason = reason }
    }

    private static let commands = ["layout", "full", "pin", "mark"]

    package var json: JSONValue {
        switch event {
        case .layout(let layout): ["command": "layout", "layout": layout]
        case .full(let who): ["command": "full", "who": who.map { .string($0) } ?? .null]
        case .pinned(let who): ["command": "pin", "who": who.map { .string($0) } ?? .null]
        case .mark(let text): ["command": "mark", "text": .string(text)]
        }
    }

    /// Reads a line, without its line feed.
    package init(line: [UInt8]) throws(Refusal) {
        let json: JSONValue
        do { json = try JSONValue(parsing: line) } catch {
            throw Refusal("a command is a JSON object on a line: \(error)")
        }
        guard let command = json["command"]?.string else {
            throw Refusal("the command is missing: \(Self.commands.joined(separator: ", "))")
        }
        switch command {
        case "layout":
            guard let layout = json["layout"] else { throw Refusal("the layout is missing") }
            // Whoever asked is told now; later there is nobody to be told.
            guard LayoutChoice.Layout(layout) != nil else { throw Refusal("there is no such layout") }
            event = .layout(layout)
        case "full": event = .full(try Self.who(json))
        case "pin": event = .pinned(try Self.who(json))
        case "mark":
            guard let text = json["text"]?.string, !text.isEmpty else { throw Refusal("a mark needs a text") }
            event = .mark(text)
        default:
            let suggestion = Spelling.suggestion(for: command, among: Self.commands).map { " (did you mean '\($0)'?)" }
            throw Refusal("there is no command '\(command)'\(suggestion ?? "")")
        }
    }

    /// A name or an id; nobody when it is null.
    private static func who(_ json: JSONValue) throws(Refusal) -> String? {
        guard let who = json["who"] else { throw Refusal("who is missing: a name, an id, or null for nobody") }
        if who.isNull { return nil }
        guard let text = who.string, !text.isEmpty else {
            throw Refusal("who must be a name or an id, or null for nobody")
        }
        return text
    }
}

/// What a recording answers to a `ControlRequest`, on a line.
package enum ControlAnswer: Hashable, Sendable {
    case done
    /// Why not, in a sentence.
    case refused(String)

    package var json: JSONValue {
        switch self {
        case .done: ["ok": true]
        case .refused(let reason): ["ok": false, "error": .string(reason)]
        }
    }

    /// Reads a line, without its line feed; nil for what is no answer.
    package init?(line: [UInt8]) {
        let json = try? JSONValue(parsing: line)
        switch json?["ok"]?.bool {
        case true?: self = .done
        case false?: self = .refused(json?["error"]?.string ?? "it did not say why")
        case nil: return nil
        }
    }
}
