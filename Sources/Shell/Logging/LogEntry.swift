package import MediaTypes

/// One line of the log, before it is written down.
package struct LogEntry: Sendable {
    package var time: WallTime
    package var level: LogLevel
    /// Which part of the program speaks.
    package var label: String
    package var message: String
    package var metadata: LogMetadata

    package init(time: WallTime, level: LogLevel, label: String, message: String, metadata: LogMetadata = [:]) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.metadata = metadata
    }
}

/// Where log entries go. Called from any thread.
package protocol LogOutput: Sendable {
    func write(_ entry: LogEntry)
}
