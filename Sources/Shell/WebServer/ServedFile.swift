import Glibc
import MediaTypes

/// An open file to be served, as long as it was when it was opened: it may be growing.
package final class ServedFile: Sendable {
    private let descriptor: Int32
    /// In bytes.
    package let length: Int64
    /// A strong entity tag: another one as soon as anything was written.
    package let tag: String
    let lastModified: String

    /// Takes the descriptor over; nil when it is of no ordinary file.
    init?(consuming descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        length = Int64(status.st_size)
        let time = status.st_mtim
        let parts = [UInt64(status.st_ino), UInt64(status.st_size), UInt64(time.tv_sec), UInt64(time.tv_nsec)]
        tag = "\"" + parts.map { String($0, radix: 36) }.joined(separator: "-") + "\""
        lastModified = WallTime(microseconds: Int64(time.tv_sec) * 1_000_000).httpDate
    }

    deinit { close(descriptor) }

    /// Up to so many bytes at an offset; none where the file ends or cannot be read.
    func read(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result: Int
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            filled = max(0, result)
        }
    }
}
