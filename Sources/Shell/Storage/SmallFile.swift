import Glibc

/// A file that is read as a whole.
package enum SmallFile {
    /// All bytes of a file, which may be no longer than `limit`; a longer one is an error (EFBIG).
    package static func read(_ path: String, limit: Int = 64 << 20) throws(StorageError) -> [UInt8] {
        let descriptor = try FileDescriptor(opening: path, O_RDONLY, for: .read)
        let number = descriptor.number
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = try retrying(.read, path) { Glibc.read(number, &chunk, chunk.count) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw StorageError(.read, path, errno: EFBIG) }
            bytes += chunk[..<count]
        }
    }

    /// Bytes in a file.
    package static func length(of path: String) throws(StorageError) -> Int64 {
        var status = stat()
        try retrying(.read, path) { stat(path, &status) }
        return Int64(status.st_size)
    }

    /// Gives a file another name in its folder; what was there under that name is gone.
    package static func rename(_ path: String, to other: String) throws(StorageError) {
        try retrying(.replace, other) { Glibc.rename(path, other) }
    }

    /// Removes a file, if it is there.
    package static func remove(_ path: String) { unlink(path) }

    /// Removes a file, if it is there, and says when it cannot be removed.
    package static func removeIfThere(_ path: String) throws(StorageError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw StorageError(.remove, path, errno: errno)
    }
}
