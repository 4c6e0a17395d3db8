import EventLoop
import Glibc
package import Logging
import MediaTypes
package import Recording

/// One line at the bottom of the terminal that is written again and again, and the log above it. Leaves the terminal as
/// it was: no mode is changed, and `finish()` takes the line away.
package final class ProgressLine: LogOutput {
    private let format: LogFormat
    private let columns: @Sendable () -> Int
    private let write: @Sendable (String) -> Void
    private let line = Locked("")

    package init(format: LogFormat, columns: @escaping @Sendable () -> Int, write: @escaping @Sendable (String) -> Void)
    {
        self.format = format
        self.columns = columns
        self.write = write
    }

    /// On standard error; nil where that is no terminal.
    package static func onTerminal(format: LogFormat) -> ProgressLine? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        return ProgressLine(format: format, columns: terminalColumns) { text in
            var text = text
            text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    package func show(_ progress: RecordingProgress) { show(progress.line(columns: usableColumns)) }

    /// Shows a line of ASCII.
    package func show(_ text: String) {
        line.withLock { line in
            line = String(text.prefix(usableColumns))
            write("\r\u{1b}[K\(line)")
        }
    }

    /// One column less than there are: a full line would wrap, and then not be rewritten.
    private var usableColumns: Int { max(0, columns() - 1) }

    package func write(_ entry: LogEntry) {
        line.withLock { line in
            write(line.isEmpty ? format.line(entry) : "\r\u{1b}[K\(format.line(entry))\(line)")
        }
    }

    /// Takes the line away.
    package func finish() {
        line.withLock { line in
            guard !line.isEmpty else { return }
            line = ""
            write("\r\u{1b}[K")
        }
    }

    private static let terminalColumns: @Sendable () -> Int = {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

extension RecordingProgress {
    /// As many of the figures as fit, the most telling first: `0:01:02  3 people  5 tracks  in 2.1 Mbit/s …`
    package func line(columns: Int) -> String {
        var figures = [
            clock, "\(people) \(people == 1 ? "person" : "people")", "\(tracks) \(tracks == 1 ? "track" : "tracks")",
            "in \(bitRate(incomingBitRate))", "loss \(tenths(loss * 100)) %", "disk \(bitRate(outgoingBitRate))",
        ]
        if let freeDisk { figures.append("\(byteCount(freeDisk)) free") }
        var line = ""
        for figure in figures {
            let longer = line.isEmpty ? figure : "\(line)  \(figure)"
            guard longer.count <= columns else { break }
            line = longer
        }
        return line
    }

    private var clock: String {
        let seconds = max(0, elapsed.components.seconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

private func bitRate(_ bitsPerSecond: Int) -> String {
    bitsPerSecond < 1_000_000
        ? "\(bitsPerSecond / 1000) kbit/s" : "\(tenths(Double(bitsPerSecond) / 1_000_000)) Mbit/s"
}

/// `830 MB`, `1.5 GB`
func byteCount(_ bytes: Int64) -> String {
    bytes < 1_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(tenths(Double(bytes) / 1e9)) GB"
}

private func tenths(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "?" }
    let tenths = Int64((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
}
