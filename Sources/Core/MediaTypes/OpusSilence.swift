/// Packets of Opus that sound like nothing: they stand in a track's file where nothing came, so that a player or an editor that
/// takes packet after packet, whatever their times, still finds everything in its place.
///
/// They can be told from all that senders send: two bytes of silence a frame, and four bytes of padding (RFC 6716 section 3.2.5).
package enum OpusSilence {
    package static let frameDuration = Duration.milliseconds(20)
    /// No packet is longer than 120 ms.
    package static let mostFrames = 6

    /// Full-band CELT, frames of 20 ms, mono, any number of them.
    private static let toc: UInt8 = 0xFB
    private static let padding: UInt8 = 4

    /// - Parameter frames: 1 to 6, of 20 ms each.
    package static func packet(frames: Int) -> [UInt8] {
        let count = min(max(1, frames), mostFrames)
        var packet = [toc, 0x40 | UInt8(count), padding]
        for _ in 0..<count { packet += [0xFF, 0xFE] }
        return packet + Array(repeating: 0, count: Int(padding))
    }

    /// Whether a packet is one of these.
    package static func isFiller(_ packet: [UInt8]) -> Bool {
        isFiller(start: packet.prefix(2), count: Int64(packet.count))
            && packet == self.packet(frames: frames(packet[...]))
    }

    /// The same by the first two bytes of a packet and how many it has, which is as good as certain.
    package static func isFiller(start: ArraySlice<UInt8>, count: Int64) -> Bool {
        guard start.count == 2, start.first == toc, (start.last ?? 0) & 0xC0 == 0x40 else { return false }
        return 1...mostFrames ~= frames(start) && count == Int64(3 + 2 * frames(start)) + Int64(padding)
    }

    private static func frames(_ packet: ArraySlice<UInt8>) -> Int { Int(packet[packet.startIndex + 1] & 0x3F) }
}
