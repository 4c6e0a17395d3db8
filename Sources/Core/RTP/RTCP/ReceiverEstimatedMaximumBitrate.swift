/// How fast the receiver believes it may be sent to (draft-alvestrand-rmcat-remb-03).
package struct ReceiverEstimatedMaximumBitrate: Sendable, Equatable {
    package var sender: SSRC
    /// Bits a second, for all `sources` together. On the wire the upper 18 bits of it.
    package var bitrate: UInt64
    /// At most 255.
    package var sources: [SSRC]

    package init(sender: SSRC, bitrate: UInt64, sources: [SSRC]) {
        self.sender = sender
        self.bitrate = bitrate
        self.sources = sources
    }

    static let format: UInt8 = 15
    private static let identifier: UInt32 = 0x5245_4D42  // "REMB"

    /// Whether application layer feedback (RFC 4585 section 6.4) is this one.
    static func isIdentified(_ bytes: [UInt8], _ body: Range<Int>) -> Bool {
        body.count >= 12 && bytes.uint32(at: body.lowerBound + 8) == identifier
    }

    init?(parsing bytes: [UInt8], _ body: Range<Int>) {
        let start = body.lowerBound
        guard body.count >= 16, let sender = bytes.uint32(at: start), let mantissa = bytes.uint24(at: start + 13)
        else { return nil }
        let count = Int(bytes[start + 12])
        guard body.count >= 16 + 4 * count else { return nil }
        let shift = UInt64(mantissa >> 18)
        let value = UInt64(mantissa & 0x3_ffff)
        self.init(
            sender: SSRC(sender), bitrate: shift <= value.leadingZeroBitCount ? value << shift : .max,
            sources: (0..<count).compactMap { bytes.uint32(at: start + 16 + 4 * $0).map(SSRC.init) })
    }

    func append(to bytes: inout [UInt8]) {
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.payloadFeedback, format: Self.format)
        let sources = sources.prefix(255)
        let shift = max(0, 46 - bitrate.leadingZeroBitCount)
        bytes.append(bigEndian: sender.value)
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: Self.identifier)
        bytes.append(bigEndian: UInt32(sources.count) << 24 | UInt32(shift) << 18 | UInt32(bitrate >> UInt64(shift)))
        for source in sources { bytes.append(bigEndian: source.value) }
        bytes.endMember(start)
    }
}
