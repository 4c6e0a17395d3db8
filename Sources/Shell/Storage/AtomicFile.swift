import Glibc

/// A small private file that is only ever replaced as a whole: a reader sees the old bytes or the new ones, whenever
/// the process or the machine stops.
package enum AtomicFile {
    /// How the names of files end that are being written beside others. One that is left was never completed.
    package static let suffix = ".new"

    /// Writes the bytes beside the path, onto the disk, and renames. Mode 0600.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        let new = path + suffix
        do {
            let descriptor = try FileDescriptor(
                opening: new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, for: .replace)
            let number = descriptor.number
            try descriptor.write(bytes, at: 0, for: .replace, path)
            try retrying(.replace, path) { fsync(number) }
            try retrying(.replace, path) { rename(new, path) }
        } catch {
            unlink(new)
            throw StorageError(.replace, path, errno: error.errno)
        }
        try Folder.synchronize(Folder.parent(of: path))
    }
}
