import Glibc
import MediaTypes

/// Something of a known length that is served piece by piece.
package protocol ServedContent: Sendable {
    /// In bytes.
    var length: Int64 { get }
    /// A strong entity tag (RFC 9110 section 8.8.3), in quotes: another one as soon as any byte is another one.
    var tag: String { get }
    /// When it was changed last, as in header fields.
    var lastModified: String { get }
    /// Up to so many bytes at an offset; none where it ends or cannot be read.
    func read(at offset: Int64, count: Int) -> [UInt8]
}

/// An open file to be served, as long as it was when it was opened: it may be growing.
package final class ServedFile: ServedContent {
    private let descriptor: Int32
    package let length: Int64
    package let tag: String
    package let lastModified: String

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

    package func read(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result: Int
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            filled = max(0, result)
        }
    }
}
