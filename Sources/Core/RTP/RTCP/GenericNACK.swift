/// A request to send packets again (RFC 4585 section 6.2.1).
package struct GenericNACK: Sendable, Equatable {
    package var sender: SSRC
    package var source: SSRC
    /// What is missing, in the order in which it was sent.
    package var sequenceNumbers: [SequenceNumber]

    package init(sender: SSRC, source: SSRC, sequenceNumbers: [SequenceNumber]) {
        self.sender = sender
        self.source = source
        self.sequenceNumbers = sequenceNumbers
    }

    static let format: UInt8 = 1

    init?(parsing bytes: [UInt8], _ body: Range<Int>) {
        let start = body.lowerBound
        guard body.count >= 12, let sender = bytes.uint32(at: start), let source = bytes.uint32(at: start + 4)
        else { return nil }
        self.init(sender: SSRC(sender), source: SSRC(source), sequenceNumbers: [])
        for offset in stride(from: start + 8, through: body.upperBound - 4, by: 4) {
            guard let first = bytes.uint16(at: offset), let following = bytes.uint16(at: offset + 2) else { return nil }
            sequenceNumbers.append(SequenceNumber(first))
            for bit in UInt16(0)..<16 where following >> bit & 1 != 0 {
                sequenceNumbers.append(SequenceNumber(first &+ bit &+ 1))
            }
        }
    }

    /// Each entry names one packet (PID) and, by bits, which of the sixteen behind it (BLP).
    func append(to bytes: inout [UInt8]) {
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.transportFeedback, format: Self.format)
        bytes.append(bigEndian: sender.value)
        bytes.append(bigEndian: source.value)
        var index = 0
        while index < sequenceNumbers.count {
            let first = sequenceNumbers[index].value
            var following: UInt16 = 0
            index += 1
            while index < sequenceNumbers.count {
                let distance = sequenceNumbers[index].value &- first
                guard 1...16 ~= distance else { break }
                following |= 1 << (distance - 1)
                index += 1
            }
            bytes.append(bigEndian: first)
            bytes.append(bigEndian: following)
        }
        bytes.endMember(start)
    }
}
