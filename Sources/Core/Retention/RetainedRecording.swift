package import MediaTypes

/// A recording, as far as it matters for how long it is kept.
package struct RetainedRecording: Hashable, Sendable {
    /// Which one it is.
    package var name: String
    package var room: String
    /// Nil when that is not known; it is then kept, whatever the rules say.
    package var ended: WallTime?
    package var bytes: Int64
    /// Whether it is being made.
    package var isRunning: Bool
    /// Whether somebody has said that it is to be kept.
    package var isHeld: Bool

    package init(
        name: String, room: String, ended: WallTime?, bytes: Int64, isRunning: Bool = false, isHeld: Bool = false
    ) {
        self.name = name
        self.room = room
        self.ended = ended
        self.bytes = bytes
        self.isRunning = isRunning
        self.isHeld = isHeld
    }
}
