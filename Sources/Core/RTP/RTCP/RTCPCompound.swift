/// A compound RTCP packet: everything that came in one datagram (RFC 3550 section 6.1).
package struct RTCPCompound: Sendable {
    package var packets: [RTCPPacket]
    /// What ended the reading early. What came before it is in `packets` and may be believed.
    package var error: RTCPPacket.ParseError?

    package init(_ packets: [RTCPPacket]) {
        self.packets = packets
        self.error = nil
    }

    /// Reads as many members as are well-formed. That the first is a report is not demanded: reduced-size packets are
    /// common (RFC 5506).
    package init(parsing bytes: [UInt8]) {
        packets = []
        error = bytes.count < 4 ? .tooShort(bytes.count) : nil
        var offset = 0
        while error == nil, offset < bytes.count {
            do throws(RTCPPacket.ParseError) {
                packets.append(try Self.member(of: bytes, at: &offset))
            } catch {
                self.error = error
            }
        }
    }

    /// The datagram, in the clear.
    package func serialized() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        for packet in packets { packet.append(to: &bytes) }
        return bytes
    }

    private static func member(of bytes: [UInt8], at offset: inout Int) throws(RTCPPacket.ParseError) -> RTCPPacket {
        guard bytes.count - offset >= 4, let words = bytes.uint16(at: offset + 2) else {
            throw .tooShort(bytes.count - offset)
        }
        let head = bytes[offset]
        let start = offset
        guard head >> 6 == 2 else { throw .unsupportedVersion(head >> 6) }
        let end = start + 4 + 4 * Int(words)
        guard end <= bytes.count else { throw .lengthExceedsPacket }
        offset = end
        var bodyEnd = end
        if head & 0x20 != 0 {
            let padding = bytes[end - 1]
            guard padding > 0, Int(padding) <= end - start - 4 else { throw .invalidPadding(padding) }
            bodyEnd -= Int(padding)
        }
        return try RTCPPacket(
            packetType: bytes[start + 1], format: head & 0x1f, bytes: bytes, body: (start + 4)..<bodyEnd)
    }
}

extension [UInt8] {
    /// Begins a member of a compound; `endMember` with the returned offset writes its length.
    mutating func beginMember(packetType: UInt8, format: UInt8) -> Int {
        append(0x80 | format & 0x1f)
        append(packetType)
        append(bigEndian: UInt16(0))
        return count - 4
    }

    /// Pads the member that began at `start` to whole words with zeros and writes its length.
    mutating func endMember(_ start: Int) {
        while (count - start) % 4 != 0 { append(0) }
        let words = UInt16(clamping: (count - start) / 4 - 1)
        self[start + 2] = UInt8(words >> 8)
        self[start + 3] = UInt8(truncatingIfNeeded: words)
    }
}
