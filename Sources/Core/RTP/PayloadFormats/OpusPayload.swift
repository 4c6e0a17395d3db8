import MediaTypes

/// What an Opus packet says of itself (RFC 6716 section 3). In RTP one packet is one payload, whole (RFC 7587
/// section 4.2).
package struct OpusPayload: Sendable, Equatable {
    /// How long the packet sounds, 2.5...120 ms.
    package var duration: Duration
    package var isStereo: Bool

    package enum ParseError: Error, Equatable {
        case empty
        /// A packet of several frames that does not say how many, of none, or of more than 120 ms (requirement R5).
        case invalidFrameCount
    }

    /// Reads the table-of-contents byte, and the frame count behind it where there is one.
    package init(parsing bytes: [UInt8], _ payload: Range<Int>) throws(ParseError) {
        guard payload.lowerBound >= 0, payload.upperBound <= bytes.count,
            let isStereo = OpusPacket.isStereo(bytes[payload])
        else { throw .empty }
        guard let duration = OpusPacket.duration(of: bytes[payload]) else { throw .invalidFrameCount }
        self.isStereo = isStereo
        self.duration = duration
    }
}
