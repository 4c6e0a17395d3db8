import JSON
import MediaTypes
import RoomProtocol

extension JournalEvent {
    /// Adds the event's name and its facts to a line.
    func write(into fields: inout JSONFields) {
        switch self {
        case .room(let event):
            event.write(into: &fields)
        case .control(let event):
            event.write(into: &fields)
        case .recordingStarted(let id):
            fields.set("event", "recording-started")
            fields.set("id", id.value)
        case .recordingEnded(let ending):
            fields.set("event", "recording-ended")
            for member in ending.json.object.members { fields[member.key] = member.value }
        case .recordingResumed(let last):
            fields.set("event", "recording-resumed")
            fields.set("from", last)
        case .gap(let track, let from, let to, let reason):
            fields.set("event", "gap")
            fields.set("track", track?.number)
            fields.set("from", from)
            fields.set("to", to)
            fields.set("reason", reason)
        case .framesDropped(let track, let count, let reason):
            fields.set("event", "frames-dropped")
            fields.set("track", track.number)
            fields.set("count", count)
            fields.set("reason", reason)
        case .compositeSteppedDown(let level, let text):
            fields.set("event", "composite-stepped-down")
            fields.set("level", level.rawValue)
            fields.set("text", text)
        case .compositeSteppedUp(let level, let text):
            fields.set("event", "composite-stepped-up")
            fields.set("level", level.rawValue)
            fields.set("text", text)
        case .diskSpace(let level, let free):
            fields.set("event", "disk-space")
            fields.set("level", level.rawValue)
            fields["free"] = .integer(free)
        case .clockStepped(let step):
            fields.set("event", "clock-stepped")
            fields["by"] = .integer(step.microseconds)
        case .failed(let text, let file):
            fields.set("event", "failed")
            fields.set("text", text)
            fields.set("file", file)
        case .unknown(let name, let members):
            fields.set("event", name)
            for member in members.object?.members ?? [] where fields[member.key] == nil {
                fields[member.key] = member.value
            }
        }
    }

    init(_ json: JSONValue) throws(RecordingFormatError) {
        let name = try json.text("event")
        switch name {
        case "recording-started": self = .recordingStarted(RecordingID(try json.text("id")))
        case "recording-ended": self = .recordingEnded(try RecordingEnding(json))
        case "recording-resumed": self = .recordingResumed(after: try json.time("from"))
        case "gap":
            self = .gap(
                json["track"] == nil ? nil : try json.track(), from: try json.time("from"), to: try json.time("to"),
                reason: json["reason"]?.string ?? "")
        case "frames-dropped":
            self = .framesDropped(try json.track(), count: try json.number("count"), reason: try json.text("reason"))
        case "composite-stepped-down":
            self = .compositeSteppedDown((try? json.choice("level")) ?? .off, try json.text("text"))
        case "composite-stepped-up": self = .compositeSteppedUp(try json.choice("level"), try json.text("text"))
        case "disk-space":
            guard let free = json["free"]?.integer else { throw .missing("free") }
            self = .diskSpace(try json.choice("level"), free: free)
        case "clock-stepped": self = .clockStepped(try json.time("by") - .zero)
        case "failed": self = .failed(try json.text("text"), file: json["file"]?.string)
        default:
            if let event = try RoomEvent(json, named: name) {
                self = .room(event)
            } else if let event = try ControlEvent(json, named: name) {
                self = .control(event)
            } else {
                self = .unknown(name, json)
            }
        }
    }
}
