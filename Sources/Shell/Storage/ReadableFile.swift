import Glibc

/// A file that is read piece by piece, of any size.
package final class ReadableFile {
    package let path: String
    /// Bytes in the file when it was opened.
    package let length: Int64
    private let descriptor: FileDescriptor
    private let modified: timespec

    package init(_ path: String) throws(StorageError) {
        self.path = path
        descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK, for: .open)
        var status = stat()
        let number = descriptor.number
        try retrying(.open, path) { fstat(number, &status) }
        // A pipe or a folder is nothing to be read here and there.
        guard status.st_mode & S_IFMT == S_IFREG else { throw StorageError(.open, path, errno: EINVAL) }
        length = Int64(status.st_size)
        modified = status.st_mtim
    }

    /// So many bytes at an offset; fewer only where the file ends.
    package func read(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        try descriptor.read(at: offset, count: count, path)
    }

    /// Whether nobody has written to it since it was opened.
    package var isUnchanged: Bool {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 && Int64(status.st_size) == length
            && status.st_mtim.tv_sec == modified.tv_sec && status.st_mtim.tv_nsec == modified.tv_nsec
    }
}
