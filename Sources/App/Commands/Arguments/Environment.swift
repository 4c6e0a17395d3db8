import Glibc

/// What a command can see of the world around it while it reads its arguments.
package struct Environment: Sendable {
    /// Why a file cannot be read: the system's words.
    package struct Unreadable: Error, Hashable, Sendable {
        package var reason: String
        package init(reason: String) { self.reason = reason }
    }

    /// The folder that relative paths count from; nil for the working directory.
    package var folder: String?
    package var variable: @Sendable (_ name: String) -> String?
    package var contents: @Sendable (_ path: String) throws(Unreadable) -> [UInt8]

    package init(
        variable: @escaping @Sendable (String) -> String?,
        contents: @escaping @Sendable (String) throws(Unreadable) -> [UInt8]
    ) {
        self.variable = variable
        self.contents = contents
    }

    /// The same world as seen from a file in it: relative paths count from its folder.
    package func seen(from file: String) -> Environment {
        var environment = self
        environment.folder = file.lastIndex(of: "/").map { String(file[..<$0]) + "/" }
        return environment
    }

    /// `$CALLBOT_ARCHIVE`, else callbot's folder in the user's data directory (XDG Base Directory Specification).
    package var archive: String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let data = value("XDG_DATA_HOME") ?? (value("HOME") ?? ".") + "/.local/share"
        return value("CALLBOT_ARCHIVE") ?? data + "/callbot/archive"
    }

    /// A path as it has to be opened.
    package func resolve(_ path: String) -> String {
        guard let folder, !path.hasPrefix("/") else { return path }
        return folder + path
    }

    /// The process's own.
    package static let process = Environment(
        variable: { name in getenv(name).map { String(cString: $0) } },
        contents: { (path) throws(Unreadable) in try read(path) })

    /// Recipes and secrets are small; a picture may be this large.
    private static let largestFile = 32 << 20

    private static func read(_ path: String) throws(Unreadable) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            guard count >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
            guard count > 0 else { return bytes }
            bytes += block[..<count]
            guard bytes.count <= largestFile else { throw Unreadable(reason: "it is larger than 32 MB") }
        }
    }
}
