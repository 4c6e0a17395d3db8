import EventLoop

/// What a part of the program writes its log with, in the shape of swift-log's logger: a value that carries its label, its
/// level and the metadata that every entry shall have.
package struct Logger: Sendable {
    package let label: String
    /// Entries below this are not made at all.
    package var level: LogLevel
    package var metadata: LogMetadata
    private let output: any LogOutput

    package init(label: String, level: LogLevel = .info, metadata: LogMetadata = [:], output: any LogOutput) {
        self.label = label
        self.level = level
        self.metadata = metadata
        self.output = output
    }

    /// The same log under the name of another part of the program.
    package func labelled(_ label: String) -> Logger {
        Logger(label: label, level: level, metadata: metadata, output: output)
    }

    package subscript(metadataName name: String) -> LogValue? {
        get { metadata[name] }
        set { metadata[name] = newValue }
    }

    /// Message and metadata are evaluated only when the entry is written.
    package func log(
        _ level: LogLevel, _ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]
    ) {
        guard level >= self.level else { return }
        output.write(
            LogEntry(
                time: HostClock.wallTime(), level: level, label: label, message: message(),
                metadata: self.metadata.merging(metadata())))
    }

    package func trace(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.trace, message(), metadata())
    }
    package func debug(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.debug, message(), metadata())
    }
    package func info(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.info, message(), metadata())
    }
    package func notice(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.notice, message(), metadata())
    }
    package func warning(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.warning, message(), metadata())
    }
    package func error(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.error, message(), metadata())
    }
    package func critical(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        log(.critical, message(), metadata())
    }
}
