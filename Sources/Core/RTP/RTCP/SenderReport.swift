/// What a source has sent, and which moment its RTP time means (RFC 3550 section 6.4.1).
package struct SenderReport: Sendable, Equatable {
    package var ssrc: SSRC
    /// The moment of the report on the sender's clock; zero when it has none.
    package var ntpTime: NTPTime
    /// The same moment in the units and with the offset of the source's RTP timestamps.
    package var rtpTimestamp: UInt32
    package var packetCount: UInt32
    package var octetCount: UInt32
    /// At most 31.
    package var reportBlocks: [ReportBlock]

    package init(
        ssrc: SSRC, ntpTime: NTPTime, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32,
        reportBlocks: [ReportBlock] = []
    ) {
        self.ssrc = ssrc
        self.ntpTime = ntpTime
        self.rtpTimestamp = rtpTimestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
        self.reportBlocks = reportBlocks
    }

    init?(parsing bytes: [UInt8], _ body: Range<Int>, count: Int) {
        let start = body.lowerBound
        guard body.count >= 24, let ssrc = bytes.uint32(at: start), let seconds = bytes.uint32(at: start + 4),
            let fraction = bytes.uint32(at: start + 8), let timestamp = bytes.uint32(at: start + 12),
            let packets = bytes.uint32(at: start + 16), let octets = bytes.uint32(at: start + 20),
            let blocks = ReportBlock.blocks(parsing: bytes, (start + 24)..<body.upperBound, count: count)
        else { return nil }
        self.init(
            ssrc: SSRC(ssrc), ntpTime: NTPTime(UInt64(seconds) << 32 | UInt64(fraction)), rtpTimestamp: timestamp,
            packetCount: packets, octetCount: octets, reportBlocks: blocks)
    }

    func append(to bytes: inout [UInt8]) {
        let blocks = reportBlocks.prefix(31)
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.senderReport, format: UInt8(blocks.count))
        bytes.append(bigEndian: ssrc.value)
        bytes.append(bigEndian: UInt32(ntpTime.value >> 32))
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: ntpTime.value))
        bytes.append(bigEndian: rtpTimestamp)
        bytes.append(bigEndian: packetCount)
        bytes.append(bigEndian: octetCount)
        for block in blocks { block.append(to: &bytes) }
        bytes.endMember(start)
    }
}

/// How well sources are received, from one who sends nothing (RFC 3550 section 6.4.2).
package struct ReceiverReport: Sendable, Equatable {
    package var ssrc: SSRC
    /// At most 31.
    package var reportBlocks: [ReportBlock]

    package init(ssrc: SSRC, reportBlocks: [ReportBlock]) {
        self.ssrc = ssrc
        self.reportBlocks = reportBlocks
    }

    init?(parsing bytes: [UInt8], _ body: Range<Int>, count: Int) {
        guard body.count >= 4, let ssrc = bytes.uint32(at: body.lowerBound),
            let blocks = ReportBlock.blocks(parsing: bytes, body.dropFirst(4), count: count)
        else { return nil }
        self.init(ssrc: SSRC(ssrc), reportBlocks: blocks)
    }

    func append(to bytes: inout [UInt8]) {
        let blocks = reportBlocks.prefix(31)
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.receiverReport, format: UInt8(blocks.count))
        bytes.append(bigEndian: ssrc.value)
        for block in blocks { block.append(to: &bytes) }
        bytes.endMember(start)
    }
}
