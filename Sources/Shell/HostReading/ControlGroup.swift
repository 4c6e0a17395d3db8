import Storage

/// The control groups (cgroup v2) that this process is in.
enum ControlGroup {
    /// The smallest of a limit's values in the process's group and in those above it; nil when none is set.
    static func smallest(_ file: String, _ value: (String) -> Double?) -> Double? {
        var path = ownPath() ?? "/"
        var smallest: Double?
        while true {
            if let found = HostFile.text("/sys/fs/cgroup" + path + "/" + file).flatMap(value) {
                smallest = min(smallest ?? found, found)
            }
            if path == "/" || path.isEmpty { return smallest }
            path = Folder.parent(of: path)
        }
    }

    /// The line `0::/path` of /proc/self/cgroup.
    private static func ownPath() -> String? {
        HostFile.text("/proc/self/cgroup")?.split(separator: "\n").first { $0.hasPrefix("0::/") }
            .map { String($0.dropFirst(3)) }
    }
}

/// The small files in which the kernel tells about itself.
enum HostFile {
    static func text(_ path: String) -> String? {
        guard let bytes = try? SmallFile.read(path, limit: 8 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
