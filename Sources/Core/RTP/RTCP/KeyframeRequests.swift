/// "A picture could not be decoded, send one that can": a request for a keyframe (RFC 4585 section 6.3.1).
package struct PictureLossIndication: Sendable, Equatable {
    package var sender: SSRC
    package var source: SSRC

    package init(sender: SSRC, source: SSRC) {
        self.sender = sender
        self.source = source
    }

    static let format: UInt8 = 1

    init?(parsing bytes: [UInt8], _ body: Range<Int>) {
        guard body.count >= 8, let sender = bytes.uint32(at: body.lowerBound),
            let source = bytes.uint32(at: body.lowerBound + 4)
        else { return nil }
        self.init(sender: SSRC(sender), source: SSRC(source))
    }

    func append(to bytes: inout [UInt8]) {
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.payloadFeedback, format: Self.format)
        bytes.append(bigEndian: sender.value)
        bytes.append(bigEndian: source.value)
        bytes.endMember(start)
    }
}

/// A command to send a keyframe (RFC 5104 section 4.3.1).
package struct FullIntraRequest: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var source: SSRC
        /// Counts commands: the same number again is the same command again.
        package var commandNumber: UInt8

        package init(source: SSRC, commandNumber: UInt8) {
            self.source = source
            self.commandNumber = commandNumber
        }
    }

    package var sender: SSRC
    package var entries: [Entry]

    package init(sender: SSRC, entries: [Entry]) {
        self.sender = sender
        self.entries = entries
    }

    static let format: UInt8 = 4

    init?(parsing bytes: [UInt8], _ body: Range<Int>) {
        guard body.count >= 16, let sender = bytes.uint32(at: body.lowerBound) else { return nil }
        self.init(sender: SSRC(sender), entries: [])
        for offset in stride(from: body.lowerBound + 8, through: body.upperBound - 8, by: 8) {
            guard let source = bytes.uint32(at: offset) else { return nil }
            entries.append(Entry(source: SSRC(source), commandNumber: bytes[offset + 4]))
        }
    }

    func append(to bytes: inout [UInt8]) {
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.payloadFeedback, format: Self.format)
        bytes.append(bigEndian: sender.value)
        bytes.append(bigEndian: UInt32(0))
        for entry in entries {
            bytes.append(bigEndian: entry.source.value)
            bytes.append(bigEndian: UInt32(entry.commandNumber) << 24)
        }
        bytes.endMember(start)
    }
}
