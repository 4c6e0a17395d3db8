import MediaTypes
import Testing

/// First bytes of packets, and what they say (RFC 6716 sections 3.1 and 3.2).
@Test(
    arguments: [
        ([0x78], 20_000), ([0x79, 0], 40_000), ([0x7A, 0], 40_000), ([0x7B, 3], 60_000), ([0xFC], 20_000),
        ([0x80], 2500),
        ([0x18], 60_000), ([0x00], 10_000), ([0x60], 10_000), ([0x68], 20_000), ([0x83, 48], 120_000),
        ([0x83, 0xC0 | 48], 120_000),
        ([0x1B, 2], 120_000),
    ] as [([UInt8], Int)])
func opusPacketKnowsItsDuration(packet: [UInt8], microseconds: Int) {
    #expect(OpusPacket.duration(of: packet) == .microseconds(microseconds))
}

@Test(arguments: [[], [0x7B], [0x7B, 0], [0x1B, 3], [0x83, 49]] as [[UInt8]])
func brokenOpusPacketHasNoDuration(packet: [UInt8]) {
    #expect(OpusPacket.duration(of: packet) == nil)
}

@Test func opusPacketKnowsItsChannels() {
    #expect(OpusPacket.isStereo([0xFC]) == true)
    #expect(OpusPacket.isStereo([0x78]) == false)
    #expect(OpusPacket.isStereo([]) == nil)
}
