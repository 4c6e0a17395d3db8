package import JSON
import MediaTypes

/// What a daemon is asked for through its socket, a line of JSON each.
package enum DaemonRequest: Hashable, Sendable {
    /// What runs, and how it is doing.
    case status
    /// Record what a schedule records, now.
    case run(schedule: String)
    /// Record a room or a recipe.
    /// - Parameter duration: in seconds; nil: until the recorder ends by itself, or somebody stops it.
    case start(arguments: [String], name: String, duration: Double?)
    /// Asked again, it hurries.
    case stop(run: String)
    /// Make a link to a recording.
    /// - Parameter seconds: how long it is good.
    case link(recording: String, seconds: Double)
    /// Make all links worthless.
    case revokeLinks

    package var json: JSONValue {
        switch self {
        case .status: ["do": "status"]
        case .run(let schedule): ["do": "run", "schedule": .string(schedule)]
        case .start(let arguments, let name, let duration):
            [
                "do": "start", "arguments": .array(arguments.map { .string($0) }), "name": .string(name),
                "duration": duration.map { .number($0) } ?? .null,
            ]
        case .stop(let run): ["do": "stop", "run": .string(run)]
        case .link(let recording, let seconds):
            ["do": "link", "recording": .string(recording), "for": .number(seconds)]
        case .revokeLinks: ["do": "revoke-links"]
        }
    }

    /// Nil when it is none.
    package init?(_ json: JSONValue) {
        switch json["do"]?.string {
        case "status": self = .status
        case "run":
            guard let schedule = json["schedule"]?.string else { return nil }
            self = .run(schedule: schedule)
        case "start":
            guard let arguments = json["arguments"]?.array?.compactMap(\.string), !arguments.isEmpty,
                let name = json["name"]?.string
            else { return nil }
            self = .start(arguments: arguments, name: name, duration: json["duration"]?.double)
        case "stop":
            guard let run = json["run"]?.string else { return nil }
            self = .stop(run: run)
        case "link":
            guard let recording = json["recording"]?.string, let seconds = json["for"]?.double else { return nil }
            self = .link(recording: recording, seconds: seconds)
        case "revoke-links": self = .revokeLinks
        default: return nil
        }
    }
}

/// What a daemon answers.
package enum DaemonAnswer: Hashable, Sendable {
    case done(JSONValue)
    case refused(String)

    package var json: JSONValue {
        switch self {
        case .done(let facts): ["done": facts]
        case .refused(let reason): ["refused": .string(reason)]
        }
    }

    package init?(_ json: JSONValue) {
        if let facts = json["done"] {
            self = .done(facts)
        } else if let reason = json["refused"]?.string {
            self = .refused(reason)
        } else {
            return nil
        }
    }
}
