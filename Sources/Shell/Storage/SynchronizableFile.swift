import CDisk
import Glibc

/// An open file as far as it is brought onto the disk. It can be given to another thread, and stays open as long as
/// somebody holds it.
package final class SynchronizableFile: Sendable {
    private let path: String
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor, path: String) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Has the system begin to write, without waiting for it: when this was done for several files, waiting for the first
    /// brings most of the others along.
    package func begin() { _ = cb_begin_writing(descriptor.number) }

    /// Waits until the file's bytes are on the disk (fdatasync), so that they outlive a power failure.
    package func synchronize() throws(StorageError) {
        let number = descriptor.number
        try retrying(.synchronize, path) { fdatasync(number) }
    }
}
