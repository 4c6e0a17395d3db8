import Glibc

/// A folder whose files may be served, and nothing beside it: paths are opened step by step below the folder as it was
/// opened, and no link is followed.
package final class ServedFolder: Sendable {
    private let descriptor: Int32

    /// Nil when there is no such folder, or it cannot be opened. Links on the way to the folder itself are followed.
    package init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Opens a file by its path's segments; nil when there is no such file, or it is none to be served.
    package func file(_ segments: [String]) -> ServedFile? {
        guard let name = segments.last, segments.allSatisfy(Self.isName) else { return nil }
        var folder = descriptor
        defer { if folder != descriptor { close(folder) } }
        for segment in segments.dropLast() {
            let next = openat(folder, segment, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { return nil }
            if folder != descriptor { close(folder) }
            folder = next
        }
        // A pipe would block whoever opens it.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return file >= 0 ? ServedFile(consuming: file) : nil
    }

    private static func isName(_ segment: String) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".." && !segment.utf8.contains { $0 == 0x2F || $0 == 0 }
    }
}
