package import JSON
package import MediaTypes
package import RoomProtocol

/// One line of `events.jsonl`: something that happened, and when.
package struct JournalEntry: Hashable, Sendable {
    package var at: TimelineTime
    /// The wall time, where it adds something: at the start, and when the wall clock was set.
    package var wall: WallTime?
    package var event: JournalEvent

    package init(at: TimelineTime, wall: WallTime? = nil, event: JournalEvent) {
        self.at = at
        self.wall = wall
        self.event = event
    }
}

/// What happened: in the room, or to the recording.
package enum JournalEvent: Hashable, Sendable {
    case room(RoomEvent)
    /// Somebody asked for it from outside.
    case control(ControlEvent)
    /// The timeline's zero.
    case recordingStarted(RecordingID)
    case recordingEnded(RecordingEnding)
    /// Another recorder goes on with the recording, of which there is nothing after this moment.
    case recordingResumed(after: TimelineTime)
    /// Nothing of this track could be had between two moments, and why; nil for nothing of the whole room.
    case gap(TrackID?, from: TimelineTime, to: TimelineTime, reason: String)
    /// Frames arrived and could not be kept.
    case framesDropped(TrackID, count: Int, reason: String)
    /// The composite is made with less from now on, because the machine or the disk is not up to it.
    case compositeSteppedDown(CompositeLevel, String)
    /// The composite is made with more again.
    case compositeSteppedUp(CompositeLevel, String)
    /// The disk's free space, in bytes, has come to another level.
    case diskSpace(DiskLevel, free: Int64)
    /// The host's wall clock was set, by so much.
    case clockStepped(Duration)
    /// Something failed, and the recording goes on. The file is within the recording's folder.
    case failed(String, file: String?)
    /// A line that a newer program wrote: its name and all its members.
    case unknown(String, JSONValue)
}

extension JournalEntry {
    /// The line with its line feed.
    package var line: [UInt8] {
        var fields = JSONFields()
        fields.set("at", at)
        fields.set("wall", wall?.iso8601)
        event.write(into: &fields)
        return fields.value.compactUTF8 + [0x0A]
    }

    package init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(
            at: try json.time("at"), wall: json["wall"]?.string.flatMap(WallTime.init(iso8601:)),
            event: try JournalEvent(json))
    }

    /// Reads a whole journal. Lines that are no entries are counted and left out: the last one may be torn.
    package static func entries(in bytes: [UInt8]) -> (entries: [JournalEntry], unreadable: Int) {
        JSONLines.read(bytes) { json throws(RecordingFormatError) in try JournalEntry(json) }
    }
}

/// Files of one JSON object a line.
enum JSONLines {
    static func read<Entry>(
        _ bytes: [UInt8], _ decode: (JSONValue) throws(RecordingFormatError) -> Entry
    ) -> (entries: [Entry], unreadable: Int) {
        var entries: [Entry] = []
        var unreadable = 0
        for line in bytes.split(separator: 0x0A) {
            if let json = try? JSONValue(parsing: Array(line)), let entry = try? decode(json) {
                entries.append(entry)
            } else {
                unreadable += 1
            }
        }
        return (entries, unreadable)
    }
}
