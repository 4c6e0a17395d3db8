package import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol

extension RecordingView {
    /// What the page is given. Times are microseconds on the recording's timeline; `file` is a path below the page.
    package var json: JSONValue {
        [
            "id": .string(manifest.id.value),
            "room": .string(manifest.room.description.isEmpty ? manifest.room.address : manifest.room.description),
            "origin": .string(manifest.origin.iso8601),
            "isRunning": .bool(isRunning),
            "state": .string(isRunning || manifest.state != .recording ? manifest.state.rawValue : "interrupted"),
            "duration": .integer(duration.microseconds),
            "end": manifest.end.map { .string($0.message) } ?? .null,
            "verdict": verdict.map { verdict in
                [
                    "grade": .string(verdict.grade.rawValue),
                    "reasons": .array(verdict.reasons.map { .string($0.text) }),
                    "remarks": .array(verdict.remarks.map { .string($0) }),
                ]
            } ?? .null,
            "people": .array(people.map(Self.json)),
            "tracks": .array(manifest.tracks.prefix(2000).compactMap(json)),
            "chat": .array(chat.map(Self.json)),
            "marks": .array(marks.map { ["at": .integer($0.at.microseconds), "text": .string($0.text)] }),
            "gaps": .array(
                gaps.map { gap in
                    [
                        "track": gap.track.map { JSONValue($0.number) } ?? .null, "span": Self.json(gap.span),
                        "reason": .string(gap.reason),
                    ]
                }),
            "renderings": .array(
                renderings.map {
                    [
                        "name": .string($0.file), "file": .string(source(of: [$0.file])),
                        "bytes": .integer($0.bytes),
                    ]
                }),
            "downloads": .array(downloads),
            "poster": hasPoster ? .string(RecordingFiles.link([FileNaming.poster])) : .null,
            "thumbnails": overviews.contains(FileNaming.thumbnailCues)
                ? .string(RecordingFiles.link([FileNaming.thumbnailCues])) : .null,
            "waveform": overviews.contains(FileNaming.waveform)
                ? .string(RecordingFiles.link([FileNaming.waveform])) : .null,
        ]
    }

    private var downloads: [JSONValue] {
        manifest.files.prefix(2000).compactMap { file in
            let path = file.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard RecordingFiles.type(of: path) != nil else { return nil }
            return [
                "path": .string(file.path), "file": .string(RecordingFiles.link(path)), "bytes": .integer(file.bytes),
                "kind": .string(file.kind.rawValue),
            ]
        }
    }

    private static func json(_ span: Span) -> JSONValue {
        [.integer(span.from.microseconds), span.to.map { .integer($0.microseconds) } ?? .null]
    }

    private static func json(_ somebody: Person) -> JSONValue {
        [
            "id": .string(somebody.id.value), "name": .string(somebody.label),
            "stays": .array(somebody.stays.map(json)), "speaking": .array(somebody.speaking.map(json)),
            "speech": [
                "time": .integer(somebody.speech.time.microseconds), "share": .number(somebody.speech.rounded),
                "turns": JSONValue(somebody.speech.turns),
            ],
        ]
    }

    /// Nil for a track without a file, or with one that is not served.
    private func json(_ track: RecordedTrack) -> JSONValue? {
        guard let path = track.file?.split(separator: "/", omittingEmptySubsequences: false).map(String.init),
            RecordingFiles.type(of: path) != nil
        else { return nil }
        let from = max(0, (track.firstFrame ?? track.started).microseconds)
        return [
            "track": JSONValue(track.id.number), "participant": .string(track.participant.value),
            "kind": .string(track.kind.rawValue), "source": .string(track.source.rawValue),
            "from": .integer(from),
            "to": track.ended.map { .integer(max(from, $0.microseconds)) } ?? .null,
            "file": .string(source(of: path)),
        ]
    }

    /// A file's address for a player.
    private func source(of path: [String]) -> String {
        let limit = openFiles[path.joined(separator: "/")].map { "?to=\($0)" } ?? ""
        return RecordingFiles.link(path) + limit
    }

    private static func json(_ line: ChatLine) -> JSONValue {
        [
            "at": .integer(line.at.microseconds), "kind": .string(line.message.kind.rawValue),
            "name": .string(line.message.name ?? line.message.sender ?? ""), "text": .string(line.message.text),
            "history": .bool(line.message.isHistory),
        ]
    }
}
