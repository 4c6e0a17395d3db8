import Glibc

/// A small private file that is only ever replaced as a whole: a reader sees the old bytes or the new ones, whenever
/// the process or the machine stops.
package enum AtomicFile {
    /// How the names of files end that are being written beside others. One that is left was never completed.
    package static let suffix = ".new"

    /// Writes the bytes beside the path, onto the disk, and renames. Mode 0600.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        _ = try replace(path) { (content) throws(StorageError) in try content.append(bytes) }
    }

    /// The same with bytes that come one after the other.
    /// - Parameter write: puts them in; when it throws, the old file stays.
    /// - Returns: how many there were.
    package static func replace(
        _ path: String, writing write: (inout Content) throws(StorageError) -> Void
    ) throws(StorageError) -> Int64 {
        let new = path + suffix
        let length: Int64
        do {
            var content = Content(
                try FileDescriptor(opening: new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, for: .replace), path)
            try write(&content)
            length = try content.finish()
            try retrying(.replace, path) { rename(new, path) }
        } catch {
            unlink(new)
            throw StorageError(.replace, path, errno: error.errno)
        }
        try Folder.synchronize(Folder.parent(of: path))
        return length
    }

    /// The new bytes of a file.
    package struct Content: ~Copyable {
        /// As many bytes are written at a time.
        private static let most = 64 << 10

        private let descriptor: FileDescriptor
        private let path: String
        private var waiting: [UInt8] = []
        private var length: Int64 = 0

        init(_ descriptor: consuming FileDescriptor, _ path: String) {
            self.descriptor = descriptor
            self.path = path
        }

        package mutating func append(_ bytes: some Collection<UInt8>) throws(StorageError) {
            waiting += bytes
            if waiting.count >= Self.most { try write() }
        }

        /// Waits until all is on the disk. The length of all.
        fileprivate mutating func finish() throws(StorageError) -> Int64 {
            try write()
            let number = descriptor.number
            try retrying(.replace, path) { fsync(number) }
            return length
        }

        private mutating func write() throws(StorageError) {
            try descriptor.write(waiting, at: length, for: .replace, path)
            length += Int64(waiting.count)
            waiting.removeAll(keepingCapacity: true)
        }
    }
}
