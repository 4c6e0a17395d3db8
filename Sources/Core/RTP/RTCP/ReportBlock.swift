/// How well one source is received (RFC 3550 section 6.4.1).
package struct ReportBlock: Sendable, Equatable {
    package var ssrc: SSRC
    /// Share of the packets lost since the report before, in 256ths.
    package var fractionLost: UInt8
    /// Packets lost since the beginning; negative when there were more duplicates. 24 bits on the wire, clamped.
    package var cumulativeLost: Int32
    /// The highest sequence number received, with the count of wraps in the upper half.
    package var highestSequenceNumber: UInt32
    /// Interarrival jitter in timestamp units (appendix A.8).
    package var jitter: UInt32
    /// `NTPTime.middle` of the last sender report; 0 if there was none.
    package var lastSenderReport: UInt32
    /// Time from its arrival to this report, in 1/65536 s.
    package var delaySinceLastSenderReport: UInt32

    package init(
        ssrc: SSRC, fractionLost: UInt8, cumulativeLost: Int32, highestSequenceNumber: UInt32, jitter: UInt32,
        lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
    ) {
        self.ssrc = ssrc
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.highestSequenceNumber = highestSequenceNumber
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    static let size = 24

    init?(parsing bytes: [UInt8], at offset: Int) {
        guard let ssrc = bytes.uint32(at: offset), let lost = bytes.uint24(at: offset + 5),
            let highest = bytes.uint32(at: offset + 8), let jitter = bytes.uint32(at: offset + 12),
            let lastReport = bytes.uint32(at: offset + 16), let delay = bytes.uint32(at: offset + 20)
        else { return nil }
        self.init(
            ssrc: SSRC(ssrc), fractionLost: bytes[offset + 4], cumulativeLost: Int32(bitPattern: lost << 8) >> 8,
            highestSequenceNumber: highest, jitter: jitter, lastSenderReport: lastReport,
            delaySinceLastSenderReport: delay)
    }

    /// Reads `count` blocks from the start of `range`; nil if they do not fit.
    static func blocks(parsing bytes: [UInt8], _ range: Range<Int>, count: Int) -> [ReportBlock]? {
        guard range.count >= count * size else { return nil }
        return (0..<count).compactMap { ReportBlock(parsing: bytes, at: range.lowerBound + $0 * size) }
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: ssrc.value)
        let lost = UInt32(bitPattern: min(max(cumulativeLost, -0x80_0000), 0x7f_ffff)) & 0xff_ffff
        bytes.append(bigEndian: UInt32(fractionLost) << 24 | lost)
        bytes.append(bigEndian: highestSequenceNumber)
        bytes.append(bigEndian: jitter)
        bytes.append(bigEndian: lastSenderReport)
        bytes.append(bigEndian: delaySinceLastSenderReport)
    }
}
