import Glibc

/// Where the parser takes its bytes from.
class ByteSource {
    /// The error number of the last read that failed.
    var failure: Int32 = 0

    /// Fills the buffer from an offset as far as there are bytes. Returns how many, 0 at the end, -1 on failure.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int64 { 0 }
}

final class FileSource: ByteSource {
    private let descriptor: Int32

    init(path: String) throws(WebMReadingError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    override func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(truncatingIfNeeded: offset))
            if count >= 0 { return Int64(count) }
            if errno == EINTR { continue }
            failure = errno
            return -1
        }
    }
}

final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    override func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        guard offset < UInt64(bytes.count) else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return Int64(part.count)
    }
}
