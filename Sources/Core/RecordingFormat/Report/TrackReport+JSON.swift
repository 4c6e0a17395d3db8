package import JSON
import MediaTypes
import RoomProtocol

extension TrackReport {
    package var json: JSONValue {
        var fields = JSONFields()
        fields.set("track", track.number)
        fields.set("participant", participant.value)
        fields.set("kind", kind.rawValue)
        fields.set("source", source.rawValue)
        fields.set("codec", codec.rawValue)
        fields.set("from", from)
        fields.set("to", to)
        fields.set("expected", expected)
        fields.set("received", received)
        fields.set("lost", lost)
        fields.set("notSent", notSent)
        fields.set("muted", muted)
        fields.set("waited", waited)
        fields.set("frames", frames)
        fields["bytes"] = .integer(bytes)
        fields.set("dropped", dropped)
        fields.set("failure", failure)
        fields["reception"] = reception?.json
        fields["sound"] = sound?.json
        fields["pictures"] = pictures?.json
        fields["gaps"] = .array(
            gaps.map {
                [
                    "from": .integer($0.from.microseconds), "to": .integer($0.to.microseconds),
                    "reason": .string($0.reason.rawValue),
                ]
            })
        fields.set("gapCount", gapCount)
        if kind == .video {
            fields["layers"] = .array(layers.map(\.json))
            fields["sizes"] = .array(
                sizes.map {
                    [
                        "at": .integer($0.at.microseconds), "width": JSONValue($0.size.width),
                        "height": JSONValue($0.size.height),
                    ]
                })
        }
        fields["rates"] = rates.json
        return fields.value
    }

    package init(_ json: JSONValue) throws(RecordingFormatError) {
        let publication = TrackPublication(
            id: try json.track(), participant: try json.participant(), kind: try json.choice("kind"),
            source: json["source"]?.string.flatMap(TrackSource.init) ?? .unknown, codec: try json.choice("codec"),
            description: "", publishedAs: MediaSectionID(""), section: MediaSectionID(""))
        self.init(RecordedTrack(publication, started: try json.time("from")), to: try json.time("to"))
        expected = try json.span("expected")
        received = try json.span("received")
        lost = try json.span("lost")
        notSent = try json.span("notSent")
        muted = try json.span("muted")
        waited = json.optionalSpan("waited")
        frames = try json.number("frames")
        bytes = json["bytes"]?.integer ?? 0
        dropped = json["dropped"]?.int ?? 0
        failure = json["failure"]?.string
        reception = try json["reception"].map { value throws(RecordingFormatError) in try ReceptionFigures(value) }
        sound = try json["sound"].map { value throws(RecordingFormatError) in try Sound(value) }
        pictures = try json["pictures"].map { value throws(RecordingFormatError) in try Pictures(value) }
        for gap in json["gaps"]?.array ?? [] {
            gaps.append(Gap(from: try gap.time("from"), to: try gap.time("to"), reason: try gap.choice("reason")))
        }
        gapCount = json["gapCount"]?.int ?? gaps.count
        for change in json["layers"]?.array ?? [] {
            layers.append(
                LayerChange(
                    at: try change.time("at"), spatial: change["spatial"]?.int, temporal: change["temporal"]?.int,
                    requested: change["requested"]?.int))
        }
        for change in json["sizes"]?.array ?? [] {
            sizes.append(
                .init(
                    at: try change.time("at"),
                    size: PixelSize(width: try change.number("width"), height: try change.number("height"))))
        }
        if let table = json["rates"] { rates = try RateTable(table) }
    }
}

extension TrackReport.LayerChange {
    fileprivate var json: JSONValue {
        var fields = JSONFields()
        fields.set("at", at)
        fields.set("spatial", spatial)
        fields.set("temporal", temporal)
        fields.set("requested", requested)
        return fields.value
    }
}

extension TrackReport.Sound {
    fileprivate var json: JSONValue {
        var fields = JSONFields()
        fields.set("concealed", concealed)
        fields.set("missing", missing)
        fields.set("silent", silent)
        fields.set("audible", audible)
        fields.set("measuredBy", measuredBy.rawValue)
        return fields.value
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init()
        concealed = try json.span("concealed")
        missing = try json.span("missing")
        silent = try json.span("silent")
        audible = try json.span("audible")
        measuredBy = try json.choice("measuredBy")
    }
}

extension TrackReport.Pictures {
    fileprivate var json: JSONValue {
        var fields = JSONFields()
        fields["frozen"] = [
            "count": JSONValue(frozenCount), "time": .integer(frozen.microseconds),
            "longest": .integer(longestFrozen.microseconds),
        ]
        fields.set("black", black)
        fields.set("still", still)
        fields.set("seen", seen)
        fields.set("measuredBy", measuredBy.rawValue)
        return fields.value
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init()
        guard let frozen = json["frozen"] else { throw .missing("frozen") }
        frozenCount = try frozen.number("count")
        self.frozen = try frozen.span("time")
        longestFrozen = try frozen.span("longest")
        black = try json.span("black")
        still = try json.span("still")
        seen = try json.span("seen")
        measuredBy = try json.choice("measuredBy")
    }
}

extension ReceptionFigures {
    fileprivate var json: JSONValue {
        var fields = JSONFields()
        fields.set("packets", packets)
        fields.set("lost", lost)
        fields.set("recovered", recovered)
        fields.set("duplicate", duplicate)
        fields.set("late", late)
        fields.set("incompleteFrames", incompleteFrames)
        fields.set("retransmissionRequests", retransmissionRequests)
        fields.set("keyframeRequests", keyframeRequests)
        fields.set("roundTrip", roundTrip)
        fields.set("jitter", jitter)
        fields.set("clockError", clockError)
        fields.set("usesSenderReports", usesSenderReports)
        return fields.value
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init()
        packets = try json.number("packets")
        lost = try json.number("lost")
        recovered = json["recovered"]?.int ?? 0
        duplicate = json["duplicate"]?.int ?? 0
        late = json["late"]?.int ?? 0
        incompleteFrames = json["incompleteFrames"]?.int ?? 0
        retransmissionRequests = json["retransmissionRequests"]?.int ?? 0
        keyframeRequests = json["keyframeRequests"]?.int ?? 0
        roundTrip = json.optionalSpan("roundTrip")
        jitter = json.optionalSpan("jitter") ?? .zero
        clockError = json.optionalSpan("clockError")
        usesSenderReports = json["usesSenderReports"]?.bool ?? false
    }
}

extension RateTable {
    fileprivate var json: JSONValue {
        [
            "from": .integer(from.microseconds), "interval": .integer(interval.microseconds),
            "frames": .array(rows.map { JSONValue($0.frames) }), "bytes": .array(rows.map { .integer($0.bytes) }),
            "covered": .array(rows.map { .integer($0.covered.microseconds) }),
        ]
    }

    fileprivate init(_ json: JSONValue) throws(RecordingFormatError) {
        let columns = ["frames", "bytes", "covered"].map { key in (json[key]?.array ?? []).compactMap(\.integer) }
        let interval = try json.span("interval")
        guard interval > .zero else { throw .missing("interval") }
        let count = columns.map(\.count).min() ?? 0
        self.init(
            interval: interval, from: try json.time("from"),
            rows: (0..<count).map {
                Row(
                    frames: Int(clamping: columns[0][$0]), bytes: columns[1][$0],
                    covered: .microseconds(columns[2][$0]))
            })
    }
}
