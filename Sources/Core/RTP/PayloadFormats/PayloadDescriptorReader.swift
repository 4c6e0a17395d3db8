/// Why what stands before the codec's data in a packet cannot be read.
package enum PayloadDescriptorError: Error, Equatable {
    /// The payload ends within the descriptor or right behind it.
    case truncated
    /// More than the three references that there may be in VP9.
    case tooManyReferences
}

/// Reads a payload descriptor, which stands before the codec's data in each packet, byte by byte.
struct PayloadDescriptorReader {
    private let bytes: [UInt8]
    private let payload: Range<Int>
    private var offset: Int

    init(_ bytes: [UInt8], _ payload: Range<Int>) throws(PayloadDescriptorError) {
        guard payload.lowerBound >= 0, payload.upperBound <= bytes.count else { throw .truncated }
        self.bytes = bytes
        self.payload = payload
        offset = payload.lowerBound
    }

    mutating func byte() throws(PayloadDescriptorError) -> UInt8 {
        guard offset < payload.upperBound else { throw .truncated }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// The bytes read, when the descriptor is over: at least one byte of data follows it.
    func length() throws(PayloadDescriptorError) -> Int {
        guard offset < payload.upperBound else { throw .truncated }
        return offset - payload.lowerBound
    }
}
