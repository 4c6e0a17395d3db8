import Glibc

/// How many files and sockets this process may have open at once.
package enum OpenFileLimit {
    package static func read() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: UInt64(limit.rlim_cur))
    }
}
