import Glibc

/// The log on standard error. A line is written by one call, so that lines of several threads do not mix.
package struct StandardErrorOutput: LogOutput {
    private let format: LogFormat

    package init(format: LogFormat) { self.format = format }

    /// Text for a terminal, plain lines for everything else.
    package static var automaticFormat: LogFormat { isatty(STDERR_FILENO) == 1 ? .text : .plain }

    package func write(_ entry: LogEntry) {
        var line = format.line(entry)
        line.withUTF8 { bytes in
            // Nowhere to complain to when this fails.
            _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
