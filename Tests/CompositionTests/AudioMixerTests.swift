import Composition
import Testing

private func sine(_ count: Int, _ hertz: Double, _ level: Float) -> [Float] {
    (0..<count).flatMap { index -> [Float] in
        let sample = level * Float(wave(Double(index) * hertz / 48_000))
        return [sample, sample]
    }
}

/// A sine of one turn's period by its series, since the core's tests need no more and Foundation is far away.
private func wave(_ turns: Double) -> Double {
    let x = (turns - turns.rounded()) * 2 * .pi
    let y = x * x
    return x * (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110 * (1 - y / 156))))))
}

private func mix(_ sounds: [(position: Int64, samples: [Float])], cuts: [Int64]) -> [Float] {
    var mixer = AudioMixer()
    for sound in sounds { mixer.add(sound.samples, 0..<sound.samples.count / 2, at: sound.position) }
    var output: [Float] = []
    for cut in cuts { mixer.take(upTo: cut, into: &output) }
    return output
}

@Test func quietVoicesAreSummedUnchanged() {
    let output = mix([(0, [0.25, -0.25, 0.5, 0.5]), (1, [0.125, 0.125])], cuts: [4])
    #expect(output == [0.25, -0.25, 0.625, 0.625, 0, 0, 0, 0])
}

@Test func gapsAreSilentAndPlacesExact() {
    let output = mix([(100, [1 / 2, 1 / 2]), (1000, [1 / 4, 1 / 4])], cuts: [700, 2000])
    #expect(output.indices.filter { output[$0] != 0 } == [200, 201, 2000, 2001])
}

@Test func manyLoudVoicesNeverClip() throws {
    let voices = (0..<30).map { (position: Int64($0 * 50), samples: sine(48_000, 200 + Double($0) * 37, 0.9)) }
    let output = mix(voices, cuts: [60_000])
    let highest = try #require(output.map(abs).max())
    #expect(highest <= 0.98855)
    #expect(highest > 0.9)
}

@Test func limiterComesBackToFullGain() {
    var sounds = [
        (position: Int64(0), samples: sine(4800, 440, 1.5)), (position: Int64(4800), samples: sine(480_000, 440, 0.5)),
    ]
    let output = mix(sounds, cuts: [480_000])
    sounds.removeFirst()
    let alone = mix(sounds, cuts: [480_000])
    // Turned down right after the loud part, untouched seconds later.
    #expect(output[9_600 + 2_000..<9_600 + 4_000].map(abs).max() ?? 1 < 0.45)
    #expect(output[900_000...].elementsEqual(alone[900_000...]))
}

@Test func mixDoesNotDependOnHowItIsCut() {
    let voices = (0..<4).map { (position: Int64($0 * 3000), samples: sine(9000, 300 + Double($0) * 100, 0.7)) }
    let whole = mix(voices, cuts: [24_000])
    let pieces = mix(voices, cuts: [1, 2, 17, 481, 960, 5000, 5001, 9999, 20_000, 24_000])
    #expect(whole == pieces)
}

@Test func soundBeforeWhatWasTakenIsCountedAsLate() {
    var mixer = AudioMixer()
    var output: [Float] = []
    mixer.take(upTo: 1000, into: &output)
    mixer.add(sine(100, 440, 0.5), 0..<100, at: 950)
    #expect(mixer.lateSamples == 100)
    #expect(output.count == 2000)
    var early = AudioMixer()
    early.add(sine(100, 440, 0.5), 0..<100, at: -50)
    #expect(early.lateSamples == 0)
}
