/// When each packet of a transport arrived, by transport-wide sequence number
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1). Senders estimate the bandwidth from it.
package struct TransportFeedback: Sendable, Equatable {
    /// The unit of the arrival times: 250 microseconds.
    package static let tick = Duration.microseconds(250)
    /// Ticks in one unit of the reference time (64 ms).
    package static let ticksPerReference: Int64 = 256

    package var sender: SSRC
    package var source: SSRC
    /// The number of the first packet that `arrivals` speaks of.
    package var base: SequenceNumber
    /// Counts these packets, so that the sender sees when one was lost.
    package var feedbackCount: UInt8
    /// Start of the arrival times, in units of 64 ms; 24 bits, signed.
    package var referenceTime: Int32
    /// For `base` and each number behind it: ticks since the packet received before it (for the first since
    /// `referenceTime`), or nil when it did not arrive. At most 65535 entries.
    package var arrivals: [Int16?]

    package init(
        sender: SSRC, source: SSRC, base: SequenceNumber, feedbackCount: UInt8, referenceTime: Int32, arrivals: [Int16?]
    ) {
        self.sender = sender
        self.source = source
        self.base = base
        self.feedbackCount = feedbackCount
        self.referenceTime = referenceTime
        self.arrivals = arrivals
    }

    static let format: UInt8 = 15

    /// Packet status symbols.
    private enum Status {
        static let notReceived: UInt8 = 0
        static let smallDelta: UInt8 = 1
        static let largeDelta: UInt8 = 2

        static func of(_ arrival: Int16?) -> UInt8 {
            guard let arrival else { return notReceived }
            return 0...255 ~= arrival ? smallDelta : largeDelta
        }
    }

    init?(parsing bytes: [UInt8], _ body: Range<Int>) {
        let start = body.lowerBound
        guard body.count >= 16, let sender = bytes.uint32(at: start), let source = bytes.uint32(at: start + 4),
            let base = bytes.uint16(at: start + 8), let count = bytes.uint16(at: start + 10),
            let reference = bytes.uint24(at: start + 12)
        else { return nil }
        self.init(
            sender: SSRC(sender), source: SSRC(source), base: SequenceNumber(base), feedbackCount: bytes[start + 15],
            referenceTime: Int32(bitPattern: reference << 8) >> 8, arrivals: [])
        var offset = start + 16
        guard let statuses = Self.statuses(bytes, &offset, body.upperBound, count: Int(count)) else { return nil }
        arrivals.reserveCapacity(statuses.count)
        for status in statuses {
            switch status {
            case Status.smallDelta:
                guard offset < body.upperBound else { return nil }
                arrivals.append(Int16(bytes[offset]))
                offset += 1
            case Status.largeDelta:
                guard offset + 2 <= body.upperBound, let delta = bytes.uint16(at: offset) else { return nil }
                arrivals.append(Int16(bitPattern: delta))
                offset += 2
            default:
                arrivals.append(nil)
            }
        }
    }

    private static func statuses(_ bytes: [UInt8], _ offset: inout Int, _ end: Int, count: Int) -> [UInt8]? {
        var statuses: [UInt8] = []
        while statuses.count < count {
            guard offset + 2 <= end, let chunk = bytes.uint16(at: offset) else { return nil }
            offset += 2
            let missing = count - statuses.count
            if chunk & 0x8000 == 0 {
                let length = min(Int(chunk & 0x1fff), missing)
                guard length > 0 else { return nil }  // a run of nothing would never end
                statuses += repeatElement(UInt8(chunk >> 13 & 3), count: length)
            } else if chunk & 0x4000 == 0 {
                for bit in 0..<min(14, missing) { statuses.append(UInt8(chunk >> (13 - bit) & 1)) }
            } else {
                for pair in 0..<min(7, missing) { statuses.append(UInt8(chunk >> (12 - 2 * pair) & 3)) }
            }
        }
        return statuses
    }

    func append(to bytes: inout [UInt8]) {
        let arrivals = arrivals.prefix(65535)
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.transportFeedback, format: Self.format)
        bytes.append(bigEndian: sender.value)
        bytes.append(bigEndian: source.value)
        bytes.append(bigEndian: base.value)
        bytes.append(bigEndian: UInt16(arrivals.count))
        bytes.append(bigEndian: UInt32(bitPattern: referenceTime) << 8 | UInt32(feedbackCount))
        appendChunks(arrivals.map(Status.of), to: &bytes)
        for case .some(let delta) in arrivals {
            if 0...255 ~= delta {
                bytes.append(UInt8(delta))
            } else {
                bytes.append(bigEndian: UInt16(bitPattern: delta))
            }
        }
        bytes.endMember(start)
    }

    /// Long runs become run-length chunks, all else vectors of seven two-bit symbols.
    private func appendChunks(_ statuses: [UInt8], to bytes: inout [UInt8]) {
        var index = 0
        while index < statuses.count {
            let status = statuses[index]
            var end = index + 1
            while end < statuses.count, statuses[end] == status, end - index < 0x1fff { end += 1 }
            if end - index >= 7 || end == statuses.count {
                bytes.append(bigEndian: UInt16(status) << 13 | UInt16(end - index))
                index = end
            } else {
                var chunk: UInt16 = 0xC000
                for pair in 0..<min(7, statuses.count - index) {
                    chunk |= UInt16(statuses[index + pair]) << (12 - 2 * UInt16(pair))
                }
                bytes.append(bigEndian: chunk)
                index = min(index + 7, statuses.count)
            }
        }
    }
}
