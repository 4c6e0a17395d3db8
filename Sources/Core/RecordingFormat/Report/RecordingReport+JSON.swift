package import JSON
import MediaTypes
import RoomProtocol

extension RecordingReport {
    /// The file's text.
    package var json: JSONValue {
        var fields = head
        fields["participants"] = .array(participants.map(\.json))
        fields["tracks"] = .array(tracks.map(\.json))
        for member in tail.object.members { fields[member.key] = member.value }
        return fields.value
    }

    /// The file's text piece by piece. Tracks are not those of the report, but as they are appended.
    package func text<Kept>(tracks: (inout JSONText<Kept>) -> Void) -> [JSONText<Kept>.Piece] {
        var text = JSONText<Kept>()
        text.add(head.object)
        text.addList("participants") { for somebody in participants { $0.append(somebody.json) } }
        text.addList("tracks", tracks)
        text.add(tail.object)
        return text.finish()
    }

    /// What comes before the lists.
    private var head: JSONFields {
        var fields = JSONFields()
        fields.set("version", Self.version)
        fields.set("id", id.value)
        fields.set("state", state.rawValue)
        fields.set("duration", duration)
        fields["end"] = ending?.json.value
        fields["verdict"] = verdict.json
        return fields
    }

    /// What comes behind them.
    private var tail: JSONFields {
        var fields = JSONFields()
        fields["composite"] = composite?.json
        fields["events"] = .array(
            events.map {
                ["at": .integer($0.at.microseconds), "kind": .string($0.kind.rawValue), "text": .string($0.text)]
            })
        return fields
    }

    /// Reads the file; keys that are not known are passed over.
    package init(parsing bytes: [UInt8]) throws(RecordingFormatError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: bytes) } catch { throw .notJSON(error) }
        try self.init(json)
    }

    package init(_ json: JSONValue) throws(RecordingFormatError) {
        let version = json["version"]?.int
        guard version == Self.version else { throw .unsupportedVersion(version) }
        self.init(
            id: RecordingID(try json.text("id")), state: try json.choice("state"), duration: try json.span("duration"),
            ending: json["end"].flatMap { try? RecordingEnding($0) })
        guard let verdict = json["verdict"] else { throw .missing("verdict") }
        self.verdict = try Verdict(verdict)
        for somebody in json["participants"]?.array ?? [] { participants.append(try ParticipantReport(somebody)) }
        for track in json["tracks"]?.array ?? [] { tracks.append(try TrackReport(track)) }
        if let composite = json["composite"] { self.composite = try CompositeReport(composite) }
        for event in json["events"]?.array ?? [] {
            events.append(Event(at: try event.time("at"), kind: try event.choice("kind"), text: try event.text("text")))
        }
    }
}

extension Verdict {
    fileprivate var json: JSONValue {
        let reasons = reasons.map { reason in
            var fields = JSONFields()
            fields.set("code", reason.code.rawValue)
            fields.set("track", reason.track?.number)
            fields.set("participant", reason.participant?.value)
            fields.set("text", reason.text)
            return fields.value
        }
        return [
            "grade": .string(grade.rawValue), "reasons": .array(reasons),
            "remarks": .array(remarks.map(JSONValue.string)),
        ]
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(grade: try json.choice("grade"), remarks: (json["remarks"]?.array ?? []).compactMap(\.string))
        for reason in json["reasons"]?.array ?? [] {
            // A reason that is newer than this program still says what it says to people.
            reasons.append(
                Reason(
                    reason["code"]?.string.flatMap(Code.init(rawValue:)) ?? .fault, try reason.text("text"),
                    track: reason["track"]?.int.map(TrackID.init),
                    participant: reason["participant"]?.string.map(ParticipantID.init)))
        }
    }
}

extension ParticipantReport {
    fileprivate var json: JSONValue {
        var fields = JSONFields()
        fields.set("id", id.value)
        fields.set("name", name)
        fields.set("present", present)
        fields["offset"] = offset.map {
            [
                "p95": .integer($0.p95.microseconds), "worst": .integer($0.worst.microseconds),
                "measured": .integer($0.measured.microseconds), "basis": .string($0.basis.rawValue),
            ]
        }
        fields["unrecorded"] = .array(
            unrecorded.map { offer in
                var fields = JSONFields()
                fields.set("kind", offer.kind.rawValue)
                fields.set("codec", offer.codec?.rawValue)
                fields.set("time", offer.time)
                return fields.value
            })
        return fields.value
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(
            id: try json.participant("id"), name: json["name"]?.string ?? "", present: try json.span("present"))
        if let offset = json["offset"] {
            self.offset = Offset(
                p95: try offset.span("p95"), worst: try offset.span("worst"), measured: try offset.span("measured"),
                basis: try offset.choice("basis"))
        }
        for offer in json["unrecorded"]?.array ?? [] {
            unrecorded.append(
                Unrecorded(
                    kind: try offer.choice("kind"), codec: offer["codec"]?.string.flatMap(Codec.init),
                    time: try offer.span("time")))
        }
    }
}

extension CompositeReport {
    fileprivate var json: JSONValue {
        [
            "state": .string(state.rawValue), "undecodableFrames": JSONValue(undecodableFrames),
            "concealedPackets": JSONValue(concealedPackets),
            "degradations": .array(
                degradations.map { ["at": .integer($0.at.microseconds), "text": .string($0.text)] }),
        ]
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(
            state: try json.choice("state"), undecodableFrames: json["undecodableFrames"]?.int ?? 0,
            concealedPackets: json["concealedPackets"]?.int ?? 0)
        for degradation in json["degradations"]?.array ?? [] {
            degradations.append(Degradation(at: try degradation.time("at"), text: try degradation.text("text")))
        }
    }
}

extension JSONFields {
    mutating func set(_ key: String, _ span: Duration?) { self[key] = span.map { .integer($0.microseconds) } }
}

extension JSONValue {
    func span(_ key: String) throws(RecordingFormatError) -> Duration {
        guard let span = optionalSpan(key) else { throw .missing(key) }
        return span
    }

    func optionalSpan(_ key: String) -> Duration? { self[key]?.integer.map { .microseconds($0) } }
}
