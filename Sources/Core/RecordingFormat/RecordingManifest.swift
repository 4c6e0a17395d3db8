package import JSON
package import MediaTypes
package import RoomProtocol

/// `recording.json`: what a recording is. Replaced as a whole, so it is always readable. Has no place for secrets.
package struct RecordingManifest: Hashable, Sendable {
    /// The version of the whole folder's format, which this code writes and reads.
    package static let version = 1

    package enum State: String, Sendable {
        /// It is being made; or, when no process holds the folder's lock, its maker was stopped in the middle.
        case recording
        case finished
        /// It was cut short, and somebody has said so.
        case interrupted
    }

    package var id: RecordingID
    package var state: State
    /// What made it: "callbot 0.1".
    package var software: String
    package var room: Room
    /// Who the bot is in the room; nil until it has joined.
    package var bot: Participant?
    /// The wall time of the timeline's zero.
    package var origin: WallTime
    /// Nil until the recording is finished.
    package var duration: Duration?
    package var end: RecordingEnding?
    /// What was asked for, in the words of a recipe file, without secrets. Null when not kept.
    package var recipe: JSONValue
    /// When nobody recorded, in the midst of it.
    package var interruptions: [Interruption] = []
    package var participants: [RecordedParticipant] = []
    package var tracks: [RecordedTrack] = []
    package var files: [RecordingFile] = []

    /// Where the call was.
    package struct Room: Hashable, Sendable {
        /// The address without anything secret.
        package var address: String
        /// The room's own words for itself; empty for none.
        package var description: String
        package init(address: String, description: String = "") {
            self.address = address
            self.description = description
        }
    }

    /// From the last that one recorder wrote to when another one went on.
    package struct Interruption: Hashable, Sendable {
        package var from: TimelineTime
        package var to: TimelineTime
        package init(from: TimelineTime, to: TimelineTime) {
            self.from = from
            self.to = to
        }
    }

    package init(
        id: RecordingID, state: State = .recording, software: String, room: Room, bot: Participant? = nil,
        origin: WallTime,
        recipe: JSONValue = .null
    ) {
        self.id = id
        self.state = state
        self.software = software
        self.room = room
        self.bot = bot
        self.origin = origin
        self.recipe = recipe
    }
}

/// Somebody who was there, with the last name they had.
package struct RecordedParticipant: Hashable, Sendable {
    /// One stay in the room.
    package struct Stay: Hashable, Sendable {
        package var from: TimelineTime
        /// Nil while it lasts; those present at the end have the recording's end.
        package var to: TimelineTime?
        /// Why it ended; nil when it lasted to the end of the recording.
        package var departure: DepartureReason?
        package init(from: TimelineTime, to: TimelineTime? = nil, departure: DepartureReason? = nil) {
            self.from = from
            self.to = to
            self.departure = departure
        }
    }

    package var id: ParticipantID
    package var name: String
    package var stays: [Stay]
    package init(id: ParticipantID, name: String, stays: [Stay] = []) {
        self.id = id
        self.name = name
        self.stays = stays
    }
}

/// A file of the recording's folder.
package struct RecordingFile: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case journal, track, composite, chat, subtitles, poster, report, thumbnails, waveform, speaking, other
    }

    /// Within the recording's folder.
    package var path: String
    package var kind: Kind
    package var bytes: Int64
    package init(path: String, kind: Kind, bytes: Int64) {
        self.path = path
        self.kind = kind
        self.bytes = bytes
    }
}

extension RecordingFile {
    /// What `callbot pictures` makes.
    package static let pictures: [(path: String, kind: Kind)] = [
        (FileNaming.poster, .poster), (FileNaming.thumbnails, .thumbnails), (FileNaming.thumbnailCues, .thumbnails),
        (FileNaming.waveform, .waveform), (FileNaming.speaking, .speaking),
    ]
}
