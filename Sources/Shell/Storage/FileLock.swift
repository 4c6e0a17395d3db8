import Glibc

/// A lock that one process at a time holds, and that the system lifts when the process ends, however it ends
/// (flock). Held as long as this object is.
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Locks a file, which is made if it is missing. Fails with `.locked` when another holds it.
    package convenience init(file path: String) throws(StorageError) {
        try self.init(FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, for: .lock), path)
    }

    /// Locks a folder itself, without a file for it.
    package convenience init(folder path: String) throws(StorageError) {
        try self.init(FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, for: .lock), path)
    }

    private init(_ descriptor: consuming FileDescriptor, _ path: String) throws(StorageError) {
        self.descriptor = descriptor
        let number = self.descriptor.number
        try retrying(.lock, path) { flock(number, LOCK_EX | LOCK_NB) }
    }
}
