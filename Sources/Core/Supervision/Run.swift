package import MediaTypes

/// The name of a run: an event of a schedule, or one that was started by hand. Good as a file's name.
package struct RunID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let value: String
    package init(_ value: String) { self.value = value }
    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    package var description: String { value }
}

/// What is to be recorded, and until when.
package struct RunOrder: Hashable, Sendable {
    package var id: RunID
    /// When it ends at the latest; nil: when the recorder ends by itself, or somebody stops it.
    package var until: WallTime?

    package init(id: RunID, until: WallTime? = nil) {
        self.id = id
        self.until = until
    }
}

/// How a run ended.
package struct RunResult: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The recorder ended as it was to.
        case done
        case stopped
        /// It ended in a way that another attempt would not better.
        case failed
        /// Its time was over before it could begin, or begin again.
        case tooLate
        /// The recorder crashed again and again.
        case crashedTooOften
        /// The recorder could not be started.
        case notStarted(String)
    }

    package var reason: Reason
    /// How the last recorder ended; nil when there was none.
    package var exit: RecorderExit?
    /// The recording's folder; nil when nothing was recorded.
    package var folder: String?
    /// How many recorders there were.
    package var attempts: Int

    package init(_ reason: Reason, exit: RecorderExit? = nil, folder: String? = nil, attempts: Int) {
        self.reason = reason
        self.exit = exit
        self.folder = folder
        self.attempts = attempts
    }
}
