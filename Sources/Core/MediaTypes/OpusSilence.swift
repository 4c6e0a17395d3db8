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
        guard packet.count > 3, packet[0] == toc, packet[1] & 0xC0 == 0x40, packet[2] == padding else { return false }
        return packet == self.packet(frames: Int(packet[1] & 0x3F))
    }
}
