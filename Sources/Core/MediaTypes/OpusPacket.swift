/// What an Opus packet says of itself in its first two bytes (RFC 6716 section 3), without being decoded.
package enum OpusPacket {
    /// How long the packet sounds, from 2.5 to 120 ms. Nil when it has no bytes or breaks the format's rules.
    package static func duration(of packet: [UInt8]) -> Duration? { duration(of: packet[...]) }

    package static func duration(of packet: ArraySlice<UInt8>) -> Duration? {
        guard let first = packet.first else { return nil }
        let frames: Int
        switch first & 0x03 {
        case 0: frames = 1
        case 1, 2: frames = 2
        default:
            guard packet.count > 1 else { return nil }
            frames = Int(packet[packet.startIndex + 1] & 0x3F)
        }
        let microseconds = frames * frameMicroseconds(configuration: Int(first >> 3))
        return frames > 0 && microseconds <= 120_000 ? .microseconds(microseconds) : nil
    }

    /// Whether the packet holds two channels. Nil when it has no bytes.
    package static func isStereo(_ packet: [UInt8]) -> Bool? { isStereo(packet[...]) }

    package static func isStereo(_ packet: ArraySlice<UInt8>) -> Bool? {
        packet.first.map { $0 & 0x04 != 0 }
    }

    /// The length of one frame, by the table of section 3.1: SILK, then hybrid, then CELT.
    private static func frameMicroseconds(configuration: Int) -> Int {
        switch configuration {
        case ..<12: configuration & 3 == 3 ? 60_000 : 10_000 << (configuration & 3)
        case ..<16: 10_000 << (configuration & 1)
        default: 2500 << (configuration & 3)
        }
    }
}
