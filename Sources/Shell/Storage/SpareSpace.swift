import Glibc

/// Room on a disk that is kept for the end: taken now, given back when it is needed. It has no name, so the system gives it
/// back when the process ends, however it ends.
package final class SpareSpace {
    private var descriptor: FileDescriptor?
    /// How much it holds.
    package private(set) var bytes: Int64

    /// Takes some bytes of a folder's disk. Fails where there are not so many.
    package init(in folder: String, bytes: Int64) throws(StorageError) {
        let path = folder + "/.spare"
        let descriptor = try FileDescriptor(withoutName: path, O_WRONLY)
        let number = descriptor.number
        let failure = posix_fallocate(number, 0, off_t(bytes))
        guard failure == 0 else { throw StorageError(.append, path, errno: failure) }
        self.descriptor = consume descriptor
        self.bytes = bytes
    }

    /// Gives it back.
    package func giveBack() {
        descriptor = nil
        bytes = 0
    }
}
