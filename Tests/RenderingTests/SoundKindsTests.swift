import COpus
import CallbotTesting
import Glibc
import MediaTesting
import MediaTypes
import RoomProtocol
import Testing

@testable import Rendering

/// What a sender may send: Opus of any band, one or two channels, packets of any length (RFC 6716 section 2.1.3, 3.2).
struct SoundKind: CustomTestStringConvertible {
    var rate: Int32
    var channels: Int32
    /// In samples of 48 kHz.
    var length: Int
    var testDescription: String { "\(rate) Hz, \(channels) channels, \(Double(length) / 48) ms" }

    /// Packets of a tone at 0.3 of full scale, from the timeline's zero on.
    func tone(of hertz: Double, for milliseconds: Int) throws -> [EncodedFrame] {
        var code: Int32 = 0
        let encoder = try #require(opus_encoder_create(rate, channels, OPUS_APPLICATION_VOIP, &code))
        defer { opus_encoder_destroy(encoder) }
        let samples = length * Int(rate) / 48_000
        var packet = [UInt8](repeating: 0, count: 4000)
        return try (0..<milliseconds * 48 / length).map { index in
            let sound = (0..<samples * Int(channels)).map { position -> Float in
                let time = Double(index * samples + position / Int(channels)) / Double(rate)
                return Float(0.3 * sin(2 * Double.pi * hertz * time))
            }
            let count = opus_encode_float(encoder, sound, Int32(samples), &packet, Int32(packet.count))
            try #require(count > 0)
            return EncodedFrame(
                codec: .opus, time: TimelineTime(microseconds: Int64(index * length) * 1000 / 48),
                duration: .microseconds(Int64(length) * 1000 / 48), isKeyframe: true,
                payload: Array(packet[..<Int(count)]))
        }
    }
}

/// ARC-15 and ART-16: everybody is heard at the right pitch, as long and as loud as they were, whatever they send.
@Test(arguments: [
    SoundKind(rate: 8000, channels: 1, length: 960), SoundKind(rate: 8000, channels: 1, length: 2880),
    SoundKind(rate: 12_000, channels: 1, length: 1920), SoundKind(rate: 16_000, channels: 1, length: 960),
    SoundKind(rate: 16_000, channels: 2, length: 480), SoundKind(rate: 24_000, channels: 1, length: 2880),
    SoundKind(rate: 48_000, channels: 1, length: 120), SoundKind(rate: 48_000, channels: 2, length: 240),
    SoundKind(rate: 48_000, channels: 2, length: 960),
])
func everyKindOfSoundIsHeardAsItWas(kind: SoundKind) throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    for packet in try kind.tone(of: 400, for: 2000) { call.add(packet, of: 1) }
    let file = try call.render(until: 3000)
    #expect(abs(file.level(of: 400, 300..<1900) - 0.3) < 0.04)
    // Neither an octave off nor smeared over its neighbours.
    for other in [200.0, 380, 420, 800] { #expect(file.level(of: other, 300..<1900) < 0.03, "\(other) Hz") }
    #expect(file.level(of: 400, 2100..<2900) < 0.005)
    #expect(file.summary.lateSamples == 0 && file.summary.undecodableFrames == 0)
}
