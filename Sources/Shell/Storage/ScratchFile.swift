import Glibc

/// A private file without a name, for what need not be in memory. The system gives its space back when nobody holds it any
/// more, however the process ends.
package final class ScratchFile: Sendable {
    private let path: String
    private let descriptor: FileDescriptor

    /// - Parameter name: the name that it has for a moment; a file of that name is taken to be left over, and goes.
    package init(in folder: String, named name: String = ".scratch") throws(StorageError) {
        path = folder + "/" + name
        descriptor = try FileDescriptor(withoutName: path, O_RDWR)
    }

    package func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        try descriptor.write(bytes, at: offset, for: .append, path)
    }

    /// Waits until what was written is on the disk.
    package func synchronize() throws(StorageError) {
        let number = descriptor.number
        try retrying(.synchronize, path) { fsync(number) }
    }

    /// So many bytes that were written before.
    package func read(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        let bytes = try descriptor.read(at: offset, count: count, path)
        guard bytes.count == count else { throw StorageError(.read, path, errno: EIO) }
        return bytes
    }
}

extension FileDescriptor {
    /// Makes a file and takes its name away at once; one of that name that is left of a process that was stopped goes, too.
    init(withoutName path: String, _ flags: Int32) throws(StorageError) {
        unlink(path)
        try self.init(opening: path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, for: .create)
        unlink(path)
    }
}
