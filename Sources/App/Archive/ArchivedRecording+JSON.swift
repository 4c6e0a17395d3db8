package import JSON
import MediaTypes
import RecordingFormat

extension ArchivedRecording {
    /// Its page, on the daemon's site.
    package var page: String { "/r/\(id.percentEncoded)/" }

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
        object["page"] = .string(page)
        return .object(object)
    }
}

extension FoundLine {
    /// The moment on the recording's page.
    package var page: String {
        let milliseconds = max(0, at.microseconds / 1000)
        return "\(recording.page)#t=\(milliseconds / 1000).\((milliseconds % 1000).padded(3))"
    }

    /// For programs.
    package var json: JSONValue {
        var object = JSONObject()
        object["recording"] = .string(recording.id)
        object["folder"] = .string(recording.folder)
        object["at"] = .integer(at.microseconds)
        object["kind"] = .string(kind.rawValue)
        object["person"] = person.map(JSONValue.string)
        object["excerpt"] = .string(excerpt)
        object["page"] = .string(page)
        return .object(object)
    }
}
