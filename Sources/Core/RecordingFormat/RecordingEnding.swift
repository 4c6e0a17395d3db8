/// Why a recording ended.
package struct RecordingEnding: Hashable, Sendable {
    /// For programs: a word of a list that may grow, such as `stopped`, `duration-reached`, `room-empty`, `kicked`,
    /// `room-destroyed`, `server-vanished`.
    package var reason: String
    /// For people: a sentence; empty for none.
    package var message: String
    /// The recorder's exit code; nil when it is not known.
    package var exitCode: Int?
    package init(reason: String, message: String = "", exitCode: Int? = nil) {
        self.reason = reason
        self.message = message
        self.exitCode = exitCode
    }
}
