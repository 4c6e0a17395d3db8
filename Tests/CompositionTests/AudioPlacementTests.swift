import Composition
import MediaTypes
import Testing

/// A steady sound of 20 ms blocks at these times (microseconds), placed and mixed.
private func placed(_ times: [Int64], level: Float = 0.5, length: Int = 960, until end: Int64) -> [Float] {
    var mixer = AudioMixer()
    var placement = AudioPlacement()
    for time in times {
        let samples = [Float](repeating: level, count: length)
        placement.place(
            AudioBlock(time: TimelineTime(microseconds: time), channels: 1, samples: samples), into: &mixer)
    }
    placement.finish(into: &mixer)
    var output: [Float] = []
    mixer.take(upTo: end, into: &output)
    return output.indices.filter { $0 % 2 == 0 }.map { output[$0] }
}

@Test(arguments: [
    [0, 20_000, 40_000, 60_000], [0, 20_300, 39_700, 61_000], [0, 38_000, 25_000, 79_000], [0, 1_000, 40_000, 60_000],
])
func timesALittleWrongNeitherCutNorGap(times: [Int64]) {
    let output = placed(times, until: 5000)
    let sounding = output.indices.filter { output[$0] != 0 }
    #expect(sounding.first == 0)
    #expect(abs(sounding.count - 3840) <= 19)
    #expect(sounding.last == sounding.count - 1)
    #expect(output[96..<sounding.count - 96].allSatisfy { abs($0 - 0.5) < 1e-5 })
}

@Test func realGapIsSilenceOfItsTrueLength() {
    let output = placed([10_000, 30_000, 250_000], until: 14_000)
    let sounding = Set(output.indices.filter { output[$0] != 0 })
    #expect(sounding == Set(480..<2400).union(12_000..<12_960))
}

@Test func edgesAreFadedForTwoMilliseconds() {
    let output = placed([0], until: 1000)
    for index in 1..<96 {
        #expect(output[index] > output[index - 1])
        #expect(output[960 - index] > output[961 - index])
    }
    #expect(output[96..<864].allSatisfy { $0 == 0.5 })
}

/// A sender's clock up to 0.1 % off, and times that are corrected by 0.8 % of the elapsed time besides.
@Test(arguments: [1.003, 0.997, 1.0005, 1.009, 0.991], [20, 60])
func driftIsTakenOutByStretching(rate: Double, milliseconds: Int) {
    // At 0.3 % in 20 s: 60 ms that a player would have to skip or repeat.
    let count = 20_000 / milliseconds
    let length = milliseconds * 48
    let times = (0..<count).map { Int64(Double($0) * Double(milliseconds) * 1000 * rate) }
    let output = placed(times, length: length, until: Int64(Double(count * length) * rate) + 4800)
    let sounding = output.indices.filter { output[$0] != 0 }
    #expect(sounding.last.map { $0 + 1 } == sounding.count)
    #expect(abs(Double(sounding.count) - Double(count * length) * rate) < 960)
    #expect(output[96..<sounding.count - 96].allSatisfy { abs($0 - 0.5) < 1e-4 })
}

@Test func jumpBackKeepsWhatWasHeardAndAddsTheRest() {
    // 100 ms at once, then a block that begins 60 ms before the end of that and lasts 100 ms.
    let output = placed([0, 40_000], length: 4800, until: 8000)
    let sounding = output.indices.filter { output[$0] != 0 }
    #expect(sounding == Array(0..<6720))
}

@Test func blockWithinWhatWasHeardIsDropped() {
    var mixer = AudioMixer()
    var placement = AudioPlacement()
    for _ in 0..<2 {
        placement.place(
            AudioBlock(time: .zero, channels: 2, samples: [Float](repeating: 0.1, count: 9600)), into: &mixer)
    }
    #expect(placement.droppedBlocks == 1)
}

@Test func settlingFadesOnlyWhatNothingCanFollow() {
    var mixer = AudioMixer()
    var placement = AudioPlacement()
    let block = AudioBlock(time: .zero, channels: 1, samples: [Float](repeating: 0.5, count: 960))
    placement.place(block, into: &mixer)
    placement.settle(before: TimelineTime(microseconds: 40_000), into: &mixer)
    placement.place(
        AudioBlock(time: TimelineTime(microseconds: 40_000), channels: 1, samples: block.samples), into: &mixer)
    var output: [Float] = []
    mixer.take(upTo: 1500, into: &output)
    #expect(output[1900] == 0.5)
}
