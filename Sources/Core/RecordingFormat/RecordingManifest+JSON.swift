package import JSON
import MediaTypes
import RoomProtocol

extension RecordingManifest {
    /// The file's text.
    package var json: JSONValue {
        var fields = head
        fields["participants"] = .array(participants.map(\.json))
        fields["tracks"] = .array(tracks.map(\.json))
        fields["files"] = .array(files.map(\.json))
        return fields.value
    }

    /// The file's text piece by piece. Tracks and files are not those of the manifest, but as they are appended.
    package func text<Kept>(
        tracks: (inout JSONText<Kept>) -> Void, files: (inout JSONText<Kept>) -> Void
    ) -> [JSONText<Kept>.Piece] {
        var text = JSONText<Kept>()
        text.add(head.object)
        text.addList("participants") { for somebody in participants { $0.append(somebody.json) } }
        text.addList("tracks", tracks)
        text.addList("files", files)
        return text.finish()
    }

    /// All but the lists.
    private var head: JSONFields {
        var fields = JSONFields()
        fields.set("version", Self.version)
        fields.set("id", id.value)
        fields.set("state", state.rawValue)
        fields.set("software", software)
        fields["room"] = ["address": .string(room.address), "description": .string(room.description)]
        fields["bot"] = bot.map { ["id": .string($0.id.value), "name": .string($0.name)] }
        fields.set("origin", origin.iso8601)
        fields["duration"] = duration.map { .integer($0.microseconds) }
        fields["end"] = end?.json.value
        fields["recipe"] = recipe.isNull ? nil : recipe
        if !interruptions.isEmpty {
            fields["interruptions"] = .array(
                interruptions.map { ["from": .integer($0.from.microseconds), "to": .integer($0.to.microseconds)] })
        }
        return fields
    }

    /// Reads the file; keys that are not known are passed over, people, tracks and files that make no sense are left out.
    package init(parsing bytes: [UInt8]) throws(RecordingFormatError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: bytes) } catch { throw .notJSON(error) }
        try self.init(json)
    }

    package init(_ json: JSONValue) throws(RecordingFormatError) {
        let version = json["version"]?.int
        guard version == Self.version else { throw .unsupportedVersion(version) }
        guard let origin = WallTime(iso8601: try json.text("origin")) else { throw .missing("origin") }
        self.init(
            id: RecordingID(try json.text("id")), state: try json.choice("state"),
            software: json["software"]?.string ?? "",
            room: Room(
                address: json["room"]?["address"]?.string ?? "", description: json["room"]?["description"]?.string ?? ""
            ),
            bot: json["bot"].flatMap { bot in
                bot["id"]?.string.map { Participant(id: ParticipantID($0), name: bot["name"]?.string ?? "") }
            },
            origin: origin, recipe: json["recipe"] ?? .null)
        duration = json["duration"]?.integer.map { .microseconds($0) }
        end = json["end"].flatMap { try? RecordingEnding($0) }
        interruptions = (json["interruptions"]?.array ?? []).compactMap { interruption in
            guard let from = interruption.optionalTime("from"), let to = interruption.optionalTime("to") else {
                return nil
            }
            return Interruption(from: from, to: to)
        }
        participants = (json["participants"]?.array ?? []).compactMap { try? RecordedParticipant($0) }
        tracks = (json["tracks"]?.array ?? []).compactMap { try? RecordedTrack($0) }
        files = (json["files"]?.array ?? []).compactMap { file in
            file["path"]?.string.map {
                RecordingFile(
                    path: $0, kind: file["kind"]?.string.flatMap(RecordingFile.Kind.init) ?? .other,
                    bytes: file["bytes"]?.integer ?? 0)
            }
        }
    }
}

extension RecordingEnding {
    var json: JSONFields {
        var fields = JSONFields()
        fields.set("reason", reason)
        fields.set("message", message)
        fields.set("exitCode", exitCode)
        return fields
    }

    init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(
            reason: try json.text("reason"), message: json["message"]?.string ?? "", exitCode: json["exitCode"]?.int)
    }
}

extension RecordedParticipant {
    var json: JSONValue {
        let stays = stays.map { stay in
            var fields = JSONFields()
            fields.set("from", stay.from)
            fields.set("to", stay.to)
            fields.set("departure", stay.departure?.rawValue)
            return fields.value
        }
        return ["id": .string(id.value), "name": .string(name), "stays": .array(stays)]
    }

    init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(id: try json.participant("id"), name: json["name"]?.string ?? "")
        for stay in json["stays"]?.array ?? [] {
            stays.append(
                Stay(
                    from: try stay.time("from"), to: stay.optionalTime("to"),
                    departure: stay["departure"]?.string.flatMap(DepartureReason.init)))
        }
    }
}

extension RecordingFile {
    package var json: JSONValue {
        ["path": .string(path), "kind": .string(kind.rawValue), "bytes": .integer(bytes)]
    }
}

extension RecordedTrack {
    package var json: JSONValue {
        var fields = JSONFields()
        publication.write(into: &fields)
        fields.set("started", started)
        fields.set("ended", ended)
        fields.set("file", file)
        fields.set("firstFrame", firstFrame)
        fields.set("lastFrame", lastFrame)
        fields.set("frames", frames)
        fields["bytes"] = .integer(bytes)
        fields["dropped"] = [
            "beforeOrigin": JSONValue(dropped.beforeOrigin), "beforeKeyframe": JSONValue(dropped.beforeKeyframe),
            "afterEnd": JSONValue(dropped.afterEnd),
        ]
        fields.set("channels", channels)
        if kind == .video {
            fields["sizes"] = .array(
                sizes.map {
                    [
                        "at": .integer($0.at.microseconds), "width": JSONValue($0.size.width),
                        "height": JSONValue($0.size.height),
                    ]
                })
        }
        fields.set("failure", failure)
        return fields.value
    }

    package init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(try TrackPublication(json), started: try json.time("started"))
        ended = json.optionalTime("ended")
        file = json["file"]?.string
        firstFrame = json.optionalTime("firstFrame")
        lastFrame = json.optionalTime("lastFrame")
        frames = json["frames"]?.int ?? 0
        bytes = json["bytes"]?.integer ?? 0
        dropped.beforeOrigin = json["dropped"]?["beforeOrigin"]?.int ?? 0
        dropped.beforeKeyframe = json["dropped"]?["beforeKeyframe"]?.int ?? 0
        dropped.afterEnd = json["dropped"]?["afterEnd"]?.int ?? 0
        channels = json["channels"]?.int
        for change in json["sizes"]?.array ?? [] {
            sizes.append(
                SizeChange(
                    at: try change.time("at"),
                    size: PixelSize(width: try change.number("width"), height: try change.number("height"))))
        }
        failure = json["failure"]?.string
    }

    private var publication: TrackPublication {
        TrackPublication(
            id: id, participant: participant, kind: kind, source: source, codec: codec, description: description,
            publishedAs: publishedAs, section: MediaSectionID(""))
    }
}
