import CProcess
import Glibc

/// For work that has time: everybody else's goes first, and so does what else is read and written on the disk.
package enum BackgroundPriority {
    /// Gives the calling thread that priority, and so what it starts.
    static func takeForThread() { take(0) }

    private static func take(_ thread: pid_t) {
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), 19)
        cb_make_idle_on_disk(thread)
    }

    /// Gives this process the lowest priority, niceness 19 and idle I/O, for good. Linux has both of threads: those that there are
    /// get it, and those that they start have it from them. Where that is not allowed it stays as it is.
    package static func take() {
        guard let tasks = opendir("/proc/self/task") else { return }
        defer { closedir(tasks) }
        while let entry = readdir(tasks) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let thread = pid_t(name) else { continue }
            take(thread)
        }
    }
}
