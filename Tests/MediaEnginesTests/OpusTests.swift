import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct OpusTests {
    /// 20 ms packets of a tone that swings to and fro between the ears at equal strength.
    private func packets(
        hertz: Double, count: Int, settings: OpusEncoder.Settings = .init()
    ) throws -> (packets: [[UInt8]], preSkip: Int) {
        let encoder = try OpusEncoder(settings)
        var tone = Tone(hertz: hertz)
        let packets = try (0..<count).map { _ in try encoder.encode(tone.next(frames: OpusEncoder.framesPerPacket)) }
        return (packets, encoder.preSkip)
    }

    @Test(arguments: [1, 2], [220.0, 440.0, 1000.0, 4000.0])
    func aToneKeepsItsPitchAndLevel(_ channels: Int, _ hertz: Double) throws {
        let (packets, preSkip) = try packets(hertz: hertz, count: 50)
        let decoder = try OpusDecoder(channels: channels)
        var sound: [Float] = []
        var buffer: [Float] = []
        for packet in packets {
            let frames = try decoder.decode(packet, into: &buffer)
            #expect(frames == 960)
            for frame in 0..<frames { sound.append(buffer[frame * channels]) }
        }
        let steady = Array(sound[(preSkip + 4800)...].prefix(38_400))
        // A tone crosses zero upwards once a period.
        let crossings = zip(steady, steady.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(crossings) / 0.8 - hertz) < 0.005 * hertz + 2)
        let power = steady.reduce(0) { $0 + Double($1) * Double($1) } / Double(steady.count)
        #expect(abs(power - 0.125) < 0.02)  // a sine of amplitude 0.5
    }

    @Test func preSkipIsWhatThePlayerHasToSkip() throws {
        // A click comes out as much later as the encoder says.
        let encoder = try OpusEncoder()
        let decoder = try OpusDecoder(channels: 2)
        #expect(encoder.preSkip == 312)
        var buffer: [Float] = []
        var sound: [Float] = []
        for index in 0..<10 {
            var samples = [Float](repeating: 0, count: 1920)
            if index == 5 { for frame in 0..<16 { samples[frame * 2] = 0.9; samples[frame * 2 + 1] = 0.9 } }
            let frames = try decoder.decode(encoder.encode(samples), into: &buffer)
            for frame in 0..<frames { sound.append(abs(buffer[frame * 2])) }
        }
        let loudest = try #require(sound.indices.max { sound[$0] < sound[$1] })
        #expect(abs(loudest - encoder.preSkip - (5 * 960 + 8)) < 48)
    }

    @Test func aLostPacketComesBackFromTheNext() throws {
        // Speech mode carries the copy; so a low bit rate and a low voice, whose packets all differ.
        let settings = OpusEncoder.Settings(bitRate: 24_000, expectedLossPercent: 25)
        let (packets, _) = try packets(hertz: 313, count: 40, settings: settings)
        func level(recovering: Bool) throws -> Double {
            let decoder = try OpusDecoder(channels: 2)
            var buffer: [Float] = []
            var error = 0.0
            let whole = try OpusDecoder(channels: 2)
            var truth: [Float] = []
            for (index, packet) in packets.enumerated() {
                let frames = try whole.decode(packet, into: &truth)
                let isLost = index >= 20 && index % 4 == 1
                if isLost {
                    let got =
                        try recovering
                        ? decoder.decodeFEC(packets[index + 1], frames: 960, into: &buffer)
                        : decoder.conceal(frames: 960, into: &buffer)
                    #expect(got == 960)
                } else {
                    _ = try decoder.decode(packet, into: &buffer)
                }
                for sample in 0..<frames * 2 where isLost {
                    let difference = Double(buffer[sample]) - Double(truth[sample])
                    error += difference * difference
                }
            }
            return error
        }
        let recovered = try level(recovering: true)
        let concealed = try level(recovering: false)
        #expect(recovered < concealed / 2)
        #expect(recovered > 0)
    }

    @Test(arguments: [-5, 0, 1, 119, 120, 121, 960, 2880, 5760, 1_000_000])
    func concealmentIsAsLongAsAskedInWholeSteps(_ frames: Int) throws {
        let decoder = try OpusDecoder(channels: 2)
        var buffer: [Float] = []
        let got = try decoder.conceal(frames: frames, into: &buffer)
        #expect(got % 120 == 0 && got >= 120 && got <= 5760)
        #expect(got >= min(frames, 5760) && got < max(frames, 1) + 120)
        #expect(buffer.count >= got * 2)
    }

    @Test func nonsenseThrowsOrSoundsButNeverCrashes() throws {
        let decoder = try OpusDecoder(channels: 2)
        let (packets, _) = try packets(hertz: 500, count: 20)
        var numbers = SeededNumbers(state: 7)
        var buffer: [Float] = []
        var thrown = 0
        for round in 0..<4000 {
            var packet =
                round % 2 == 0
                ? packets[round % packets.count]
                : (0..<Int.random(in: 0...300, using: &numbers)).map { _ in .random(in: 0...255, using: &numbers) }
            if round % 2 == 0 {
                packet[Int.random(in: 0..<packet.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
                packet[0] = .random(in: 0...255, using: &numbers)
            }
            do {
                let frames = try decoder.decode(packet, into: &buffer)
                #expect(frames > 0 && frames <= OpusDecoder.longestPacket)
                #expect(buffer[..<(frames * 2)].allSatisfy { $0.isFinite })
                _ = try decoder.decodeFEC(packet, frames: .random(in: 0...6000, using: &numbers), into: &buffer)
            } catch { thrown += 1 }
            if round % 500 == 0 { decoder.reset() }
        }
        #expect(thrown > 100)
        #expect(throws: CodecError.self) { try decoder.decode([], into: &buffer) }
        #expect(try decoder.decode(packets[0], into: &buffer) == 960)
    }

    @Test func packetsUpTo120MillisecondsAreTaken() throws {
        // Code 3 packet (RFC 6716 section 3.2.5), CELT 20 ms, six frames of one byte each.
        let decoder = try OpusDecoder(channels: 1)
        var buffer: [Float] = []
        #expect(try decoder.decode([31 << 3 | 3, 6, 1, 2, 3, 4, 5, 6], into: &buffer) == 5760)
        #expect(throws: CodecError.self) { try decoder.decode([31 << 3 | 3, 7, 1, 2, 3, 4, 5, 6, 7], into: &buffer) }
    }

    @Test func notANumberDoesNotPoisonTheEncoder() throws {
        let encoder = try OpusEncoder()
        let decoder = try OpusDecoder(channels: 2)
        var buffer: [Float] = []
        _ = try decoder.decode(encoder.encode([Float](repeating: .nan, count: 1920)), into: &buffer)
        var tone = Tone(hertz: 440)
        for _ in 0..<20 { _ = try decoder.decode(encoder.encode(tone.next(frames: 960)), into: &buffer) }
        #expect(buffer[..<1920].allSatisfy { $0.isFinite })
        #expect(buffer[..<1920].contains { $0 > 0.3 })
    }
}

/// A sine of amplitude 0.5 in both channels, from a rotating pointer: no mathematics library needed.
struct Tone {
    private var x = 1.0
    private var y = 0.0
    private let cosine: Double
    private let sine: Double

    init(hertz: Double) {
        // Taylor series; the angle is below 0.6.
        let a = 2 * Double.pi * hertz / 48_000
        cosine = 1 - a * a / 2 + a * a * a * a / 24 - a * a * a * a * a * a / 720
        sine = a - a * a * a / 6 + a * a * a * a * a / 120 - a * a * a * a * a * a * a / 5040
    }

    mutating func next(frames: Int) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames * 2)
        for _ in 0..<frames {
            samples.append(Float(y / 2))
            samples.append(Float(y / 2))
            (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
        }
        return samples
    }
}

@Suite struct OpusSilenceTests {
    @Test(arguments: 1...6) func itLastsAsLongAsItSaysAndIsSilent(_ frames: Int) throws {
        let encoder = try OpusEncoder()
        var tone = Tone(hertz: 440)
        let decoder = try OpusDecoder(channels: 2)
        var buffer: [Float] = []
        for _ in 0..<20 {
            _ = try decoder.decode(encoder.encode(tone.next(frames: OpusEncoder.framesPerPacket)), into: &buffer)
        }
        let packet = OpusSilence.packet(frames: frames)
        #expect(OpusPacket.duration(of: packet) == OpusSilence.frameDuration * frames)
        let count = try decoder.decode(packet, into: &buffer)
        #expect(count == frames * 960)
        // What the last packet leaves behind is over after 5 ms.
        #expect(buffer[480..<(count * 2)].allSatisfy { abs($0) < 1e-3 })
    }

    @Test func itCanBeToldFromWhatSendersSend() throws {
        for frames in 1...6 { #expect(OpusSilence.isFiller(OpusSilence.packet(frames: frames))) }
        let encoder = try OpusEncoder()
        let silence = try encoder.encode([Float](repeating: 0, count: 1920))
        for payload in [
            silence, [], [0xFB], [0xF8, 0xFF, 0xFE], [0xFB, 0x42, 4], [0xFB, 0x7F, 4, 0xFF, 0xFE, 0, 0, 0, 0],
        ] {
            #expect(!OpusSilence.isFiller(payload))
        }
    }
}
