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
        guard payload.lowerBound >= 0, payload.upperBound <= bytes.count, let first = payload.first else {
            throw .empty
        }
        let contents = bytes[first]
        isStereo = contents & 0x04 != 0
        let frames: Int
        switch contents & 0x03 {
        case 0: frames = 1
        case 1, 2: frames = 2
        default:
            guard payload.count >= 2 else { throw .invalidFrameCount }
            frames = Int(bytes[first + 1] & 0x3f)
        }
        let microseconds = Self.frameMicroseconds(configuration: contents >> 3) * frames
        guard frames > 0, microseconds <= 120_000 else { throw .invalidFrameCount }
        duration = .microseconds(microseconds)
    }

    /// The length of one frame, by the configuration number 0...31 (RFC 6716 table 2).
    private static func frameMicroseconds(configuration: UInt8) -> Int {
        switch configuration {
        case 0...11: [10_000, 20_000, 40_000, 60_000][Int(configuration & 3)]  // SILK
        case 12...15: configuration & 1 == 0 ? 10_000 : 20_000  // hybrid
        default: 2500 << Int(configuration & 3)  // CELT
        }
    }
}
