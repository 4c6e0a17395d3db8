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

    /// Waits for a lock on a file, which is made if it is missing, or on a folder.
    /// - Parameter isShared: whether others may share it.
    package init(waitingFor path: String, isShared: Bool = false) throws(StorageError) {
        let isFolder = Folder.isFolder(path)
        descriptor = try FileDescriptor(
            opening: path, isFolder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_NOFOLLOW, for: .lock)
        let number = descriptor.number
        try retrying(.lock, path) { flock(number, isShared ? LOCK_SH : LOCK_EX) }
    }

    /// Whether somebody holds the lock of a folder.
    package static func isHeld(ofFolder path: String) -> Bool {
        guard let descriptor = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, for: .lock) else {
            return false
        }
        // To look is to take it, for a moment.
        return flock(descriptor.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private init(_ descriptor: consuming FileDescriptor, _ path: String) throws(StorageError) {
        self.descriptor = descriptor
        let number = self.descriptor.number
        // Somebody may have it just to see whether it is held.
        var patience = 5
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR || errno == EWOULDBLOCK && patience > 0 else {
                throw StorageError(.lock, path, errno: errno)
            }
            patience -= 1
            usleep(2000)
        }
    }
}
