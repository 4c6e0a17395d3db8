/// One thing that was looked at, and what to do about it.
package struct Finding: Hashable, Sendable {
    package enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        case ok
        /// Recordings can be made, but something will be less good than it could be.
        case warning
        /// Recordings will fail, or be worth little.
        case problem

        package static func < (one: Level, other: Level) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    package enum Subject: String, Hashable, Sendable, CaseIterable {
        case processors, memory, pictures, disk, writing, clock, fonts
        case fileSystem = "file system"
        case timeZones = "time zones"
        case openFiles = "open files"
        case certificates, network, libraries
    }

    package let subject: Subject
    package let level: Level
    /// What is so.
    package let text: String
    /// What to do; nil where nothing is to be done.
    package let advice: String?

    package init(_ subject: Subject, _ level: Level, _ text: String, advice: String? = nil) {
        self.subject = subject
        self.level = level
        self.text = text
        self.advice = advice
    }
}
