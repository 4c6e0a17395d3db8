package import MediaTypes
package import RecordingFormat

/// A recording of an archive, as the index knows it: all that a list shows.
package struct ArchivedRecording: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// It is being made.
        case recording
        case finished
        /// It was cut short.
        case interrupted
        /// It cannot be read; `problem` says why.
        case damaged
    }

    /// Its folder within the archive.
    package var folder: String
    package var id: String
    /// The room's address without anything secret, and its own words for itself; empty when they are not known.
    package var room: RecordingManifest.Room
    /// Nil when nothing says when.
    package var start: WallTime?
    /// Nil until it is finished.
    package var duration: Duration?
    package var state: State
    /// Nil when there is no report that can be read.
    package var grade: Verdict.Grade?
    /// Why the grade is not good.
    package var reasons: [String] = []
    /// What cannot be read of it, and why.
    package var problem: String?
    /// Of all files in its folder.
    package var bytes: Int64
    /// How many people were there.
    package var people: Int
    /// Whether somebody has said that it is to be kept.
    package var isHeld: Bool
    /// The schedule or recipe that had it made; nil for somebody at a command line.
    package var source: String?

    package init(
        folder: String, id: String, room: RecordingManifest.Room = .init(address: ""), start: WallTime?,
        state: State, bytes: Int64, people: Int = 0, isHeld: Bool = false
    ) {
        self.folder = folder
        self.id = id
        self.room = room
        self.start = start
        self.state = state
        self.bytes = bytes
        self.people = people
        self.isHeld = isHeld
    }

    /// What people call the room: its own words for itself, else the last part of its address.
    package var roomName: String {
        if !room.description.isEmpty { return room.description }
        return room.address.split(separator: "/").last.map(String.init) ?? ""
    }
}
