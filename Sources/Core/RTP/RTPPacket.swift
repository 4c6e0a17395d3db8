/// One RTP packet (RFC 3550 section 5): the datagram as it came, and where in it everything is. Nothing is copied.
package struct RTPPacket: Sendable {
    /// The whole datagram, decrypted.
    package let bytes: [UInt8]
    package let ssrc: SSRC
    package let timestamp: UInt32
    package let sequenceNumber: SequenceNumber
    package let payloadType: PayloadType
    package let marker: Bool
    /// Where the payload is in `bytes`, without padding. May be empty: some senders probe with padding alone.
    package let payload: Range<Int>
    /// Where the header extension's elements are in `bytes`; empty without an extension.
    let extensionElements: Range<Int>
    let extensionProfile: UInt16

    /// Why a datagram is no RTP packet.
    package enum ParseError: Error, Equatable {
        case tooShort(Int)
        case unsupportedVersion(UInt8)
        case contributingSourcesExceedPacket
        case headerExtensionExceedsPacket
        case invalidPadding(UInt8)
    }

    package init(parsing bytes: [UInt8]) throws(ParseError) {
        guard bytes.count >= 12, let sequenceNumber = bytes.uint16(at: 2), let timestamp = bytes.uint32(at: 4),
            let ssrc = bytes.uint32(at: 8)
        else { throw .tooShort(bytes.count) }
        guard bytes[0] >> 6 == 2 else { throw .unsupportedVersion(bytes[0] >> 6) }

        var offset = 12 + 4 * Int(bytes[0] & 0x0f)
        guard offset <= bytes.count else { throw .contributingSourcesExceedPacket }

        var elements = offset..<offset
        var profile: UInt16 = 0
        if bytes[0] & 0x10 != 0 {
            guard let defined = bytes.uint16(at: offset), let words = bytes.uint16(at: offset + 2),
                offset + 4 + 4 * Int(words) <= bytes.count
            else { throw .headerExtensionExceedsPacket }
            profile = defined
            elements = (offset + 4)..<(offset + 4 + 4 * Int(words))
            offset = elements.upperBound
        }

        var end = bytes.count
        if bytes[0] & 0x20 != 0 {
            let padding = bytes[end - 1]
            guard padding > 0, Int(padding) <= end - offset else { throw .invalidPadding(padding) }
            end -= Int(padding)
        }

        self.bytes = bytes
        self.ssrc = SSRC(ssrc)
        self.timestamp = timestamp
        self.sequenceNumber = SequenceNumber(sequenceNumber)
        self.payloadType = PayloadType(bytes[1])
        self.marker = bytes[1] & 0x80 != 0
        self.payload = offset..<end
        self.extensionElements = elements
        self.extensionProfile = profile
    }

    /// The packet that a retransmission carries (RFC 4588 section 4): its payload begins with the original sequence
    /// number, the rest of the payload, timestamp and marker are the original's. Nil when there is no payload to
    /// restore, as in a probe.
    package init?(restoring retransmission: RTPPacket, ssrc: SSRC, payloadType: PayloadType) {
        let payload = retransmission.payload
        guard payload.count >= 2, let original = retransmission.bytes.uint16(at: payload.lowerBound) else { return nil }
        self.bytes = retransmission.bytes
        self.ssrc = ssrc
        self.timestamp = retransmission.timestamp
        self.sequenceNumber = SequenceNumber(original)
        self.payloadType = payloadType
        self.marker = retransmission.marker
        self.payload = (payload.lowerBound + 2)..<payload.upperBound
        self.extensionElements = retransmission.extensionElements
        self.extensionProfile = retransmission.extensionProfile
    }

    /// Who a mixer mixed into this packet, as the header lists them.
    package var contributingSources: [SSRC] {
        (0..<Int(bytes[0] & 0x0f)).compactMap { bytes.uint32(at: 12 + 4 * $0).map(SSRC.init) }
    }
}
