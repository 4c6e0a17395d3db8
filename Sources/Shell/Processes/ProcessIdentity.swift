import Glibc

/// Which process is meant. Numbers are given out again, so that the moment of its start belongs to it.
package struct ProcessIdentity: Hashable, Sendable {
    package let number: Int32
    /// When it was started, in clock ticks since the machine was (/proc/PID/stat, field 22).
    package let start: UInt64

    package init(number: Int32, start: UInt64) {
        self.number = number
        self.start = start
    }

    /// The process that has this number now; nil when there is none, or only what is left of it.
    package init?(of number: Int32) {
        guard let fields = ProcessTable.fields(of: number), let start = UInt64(fields[19]), fields[0] != "Z" else {
            return nil
        }
        self.init(number: number, start: start)
    }

    /// This process.
    package static var own: ProcessIdentity { ProcessIdentity(of: getpid()) ?? .init(number: getpid(), start: 0) }

    /// Whether it still runs.
    package var isRunning: Bool { ProcessIdentity(of: number) == self }

    /// Processor time that it has taken so far, its threads' included.
    package var processorTime: Duration? {
        guard let fields = ProcessTable.fields(of: number), UInt64(fields[19]) == start,
            let user = Int64(fields[11]), let system = Int64(fields[12])
        else { return nil }
        return .microseconds((user + system) * 1_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
    }

    /// Bytes of memory that it has in use.
    package var residentMemory: Int64? {
        guard let fields = ProcessTable.fields(of: number), UInt64(fields[19]) == start, let pages = Int64(fields[21])
        else { return nil }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// What the kernel says of processes.
enum ProcessTable {
    /// The fields of /proc/PID/stat from the third (the state) on: the second, the name, may hold spaces and brackets.
    static func fields(of number: Int32) -> [Substring]? {
        guard number > 0, let file = fopen("/proc/\(number)/stat", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 4096)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        return fields.count > 21 ? fields : nil
    }
}
