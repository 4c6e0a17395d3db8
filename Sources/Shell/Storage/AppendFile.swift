import Glibc

/// A private file that grows at its end and in which spaces kept earlier are filled in later. Owned by one thread.
///
/// An append is all there or not at all: when the disk is full in the middle of one, the file is cut back to what it
/// was, so that it stays whole.
package final class AppendFile {
    package let path: String
    /// Bytes in the file.
    package private(set) var length: Int64
    /// The file, for the thread that brings it onto the disk.
    package let synchronizable: SynchronizableFile

    /// Makes the file, with mode 0600. Fails if there is one already.
    package init(creating path: String) throws(StorageError) {
        self.path = path
        synchronizable = SynchronizableFile(
            try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, for: .create), path: path)
        length = 0
    }

    /// Opens a file that was made before, to go on at its end.
    package init(reopening path: String) throws(StorageError) {
        self.path = path
        synchronizable = SynchronizableFile(
            try FileDescriptor(opening: path, O_WRONLY | O_NOFOLLOW, for: .open), path: path)
        let number = synchronizable.descriptor.number
        length = Int64(try retrying(.open, path) { lseek(number, 0, SEEK_END) })
    }

    package func append(_ bytes: [UInt8]) throws(StorageError) {
        do {
            try synchronizable.descriptor.write(bytes, at: length, for: .append, path)
            length += Int64(bytes.count)
        } catch {
            ftruncate(synchronizable.descriptor.number, off_t(length))
            throw error
        }
    }

    /// Puts bytes over those at an offset, all of them within the file.
    package func patch(offset: Int64, _ bytes: [UInt8]) throws(StorageError) {
        precondition(offset >= 0 && offset + Int64(bytes.count) <= length, "a patch lies within the file")
        try synchronizable.descriptor.write(bytes, at: offset, for: .patch, path)
    }

    /// Cuts the file off.
    package func truncate(to length: Int64) throws(StorageError) {
        precondition(length >= 0 && length <= self.length, "a file is cut off within itself")
        let number = synchronizable.descriptor.number
        try retrying(.patch, path) { ftruncate(number, off_t(length)) }
        self.length = length
    }

    /// Waits until the file's bytes are on the disk (fdatasync), so that they outlive a power failure. What was
    /// appended outlives the process without this.
    package func synchronize() throws(StorageError) { try synchronizable.synchronize() }
}
