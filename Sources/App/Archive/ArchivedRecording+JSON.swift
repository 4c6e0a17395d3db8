package import JSON
import MediaTypes
import RecordingFormat

extension ArchivedRecording {
    /// For programs.
    package var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(id)
        object["folder"] = .string(folder)
        object["state"] = .string(state.rawValue)
        object["room"] = ["address": .string(room.address), "description": .string(room.description)]
        object["origin"] = start.map { .string($0.iso8601) }
        object["duration"] = duration.map { .integer($0.microseconds) }
        object["verdict"] = grade.map {
            ["grade": .string($0.rawValue), "reasons": .array(reasons.map(JSONValue.string))]
        }
        object["problem"] = problem.map(JSONValue.string)
        object["bytes"] = .integer(bytes)
        object["participants"] = .integer(Int64(people))
        object["held"] = .bool(isHeld)
        object["source"] = source.map(JSONValue.string)
        return .object(object)
    }
}

extension FoundLine {
    /// The moment on the recording's page, relative to where the daemon has its list.
    package var link: String { "r/\(recording.id.percentEncoded)/#t=\(Double(at.microseconds) / 1_000_000)" }

    /// For programs.
    package var json: JSONValue {
        var object = JSONObject()
        object["recording"] = .string(recording.id)
        object["folder"] = .string(recording.folder)
        object["at"] = .integer(at.microseconds)
        object["kind"] = .string(kind.rawValue)
        object["person"] = person.map(JSONValue.string)
        object["excerpt"] = .string(excerpt)
        object["link"] = .string(link)
        return .object(object)
    }
}
