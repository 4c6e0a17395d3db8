import JSON
import MediaTypes

/// The members of an object in the making, without those that say nothing.
struct JSONFields {
    private(set) var object = JSONObject()

    subscript(key: String) -> JSONValue? {
        get { object[key] }
        set { object[key] = newValue }
    }

    mutating func set(_ key: String, _ text: String?) { object[key] = text.map(JSONValue.string) }
    mutating func set(_ key: String, _ number: Int?) { object[key] = number.map { .integer(Int64($0)) } }
    mutating func set(_ key: String, _ time: TimelineTime?) { object[key] = time.map { .integer($0.microseconds) } }
    mutating func set(_ key: String, _ value: Bool) { object[key] = .bool(value) }

    var value: JSONValue { .object(object) }
}

extension JSONValue {
    func text(_ key: String) throws(RecordingFormatError) -> String {
        guard let text = self[key]?.string else { throw .missing(key) }
        return text
    }

    func number(_ key: String) throws(RecordingFormatError) -> Int {
        guard let number = self[key]?.int else { throw .missing(key) }
        return number
    }

    func flag(_ key: String) throws(RecordingFormatError) -> Bool {
        guard let flag = self[key]?.bool else { throw .missing(key) }
        return flag
    }

    func time(_ key: String) throws(RecordingFormatError) -> TimelineTime {
        guard let time = optionalTime(key) else { throw .missing(key) }
        return time
    }

    func optionalTime(_ key: String) -> TimelineTime? { self[key]?.integer.map { TimelineTime(microseconds: $0) } }

    func choice<Choice: RawRepresentable<String>>(_ key: String, _: Choice.Type = Choice.self)
        throws(RecordingFormatError) -> Choice
    {
        guard let choice = self[key]?.string.flatMap(Choice.init(rawValue:)) else { throw .missing(key) }
        return choice
    }

    func participant(_ key: String = "participant") throws(RecordingFormatError) -> ParticipantID {
        ParticipantID(try text(key))
    }

    func track() throws(RecordingFormatError) -> TrackID { TrackID(try number("track")) }

    func section(_ key: String) throws(RecordingFormatError) -> MediaSectionID { MediaSectionID(try text(key)) }
}
