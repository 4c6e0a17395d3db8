/// The memory that this process may use.
package struct HostMemory: Hashable, Sendable {
    /// Bytes the machine has, or the control group's limit where that is less.
    package var total: Int64
    /// Bytes that can be taken now without swapping.
    package var available: Int64

    package init(total: Int64, available: Int64) {
        self.total = total
        self.available = available
    }

    /// Nil where /proc cannot be read.
    package static func read() -> HostMemory? {
        guard let text = HostFile.text("/proc/meminfo"), var memory = HostMemory(table: text) else { return nil }
        // "max" is no number, and so no limit.
        if let limit = ControlGroup.smallest("memory.max", { Double($0.filter { !$0.isWhitespace }) }) {
            memory.total = min(memory.total, Int64(limit))
            memory.available = min(memory.available, memory.total)
        }
        return memory
    }

    /// From /proc/meminfo: lines such as `MemTotal:  24640216 kB`.
    init?(table: String) {
        var values: [Substring: Int64] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(whereSeparator: { $0 == " " || $0 == ":" })
            if parts.count >= 2, let value = Int64(parts[1]), value < 1 << 40 { values[parts[0]] = value * 1024 }
        }
        guard let total = values["MemTotal"], let available = values["MemAvailable"] else { return nil }
        self.init(total: total, available: available)
    }
}
