import Glibc

/// A new file for the place of one that is there: written beside it, and put in its place when it is complete and on the
/// disk. Until then the old one is untouched, whenever the process or the machine stops.
package final class FileReplacement {
    /// How the names of files end that are being written beside others. One that is left was never completed.
    package static let suffix = ".repairing"

    package let file: AppendFile
    private let path: String
    private var isOver = false

    /// - Parameter path: of the file to be replaced, which need not be there; a link is followed.
    package init(of path: String) throws(StorageError) {
        let target = Self.resolved(path)
        self.path = target
        // What is left of an attempt that was stopped.
        unlink(target + Self.suffix)
        file = try AppendFile(creating: target + Self.suffix)
        var status = stat()
        if stat(target, &status) == 0 {
            chmod(file.path, status.st_mode & 0o7777)
            // Only the superuser may give files away, and need not succeed.
            _ = chown(file.path, status.st_uid, status.st_gid)
        }
    }

    /// Brings the new file onto the disk and puts it in the old one's place.
    package func commit() throws(StorageError) {
        try file.synchronize()
        let new = file.path
        try retrying(.replace, path) { rename(new, path) }
        isOver = true
        try Folder.synchronize(Folder.parent(of: path))
    }

    deinit { if !isOver { unlink(file.path) } }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
