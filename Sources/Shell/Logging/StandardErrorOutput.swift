import Glibc
import MediaTypes

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

/// The wall clock, for an entry's time.
func currentWallTime() -> WallTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return WallTime(microseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
}
