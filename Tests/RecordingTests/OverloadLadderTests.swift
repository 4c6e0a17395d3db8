import CallbotTesting
import MediaTypes
import RecordingFormat
import Testing

@testable import Recording

@Suite struct OverloadLadderTests {
    /// A composite whose making costs so many seconds for one of the call at each level; how it goes, as "SECOND LEVEL".
    private func steps(seconds: Int64, _ cost: (Int64, CompositeLevel) -> Double) -> [String] {
        var ladder = OverloadLadder()
        var behind = 0.0
        var steps: [String] = []
        for time in stride(from: Int64(0), to: seconds * 1000, by: 250) {
            behind = max(0, behind + 0.25 * (1 - 1 / cost(time / 1000, ladder.level)))
            if let level = ladder.update(lag: .seconds(behind), at: .ms(time)) {
                steps.append("\(time / 1000) \(level.rawValue)")
            }
        }
        return steps
    }

    @Test func aMachineThatKeepsUpIsLeftAlone() {
        #expect(steps(seconds: 3600) { _, _ in 0.99 } == [])
    }

    @Test func oneThatDoesNotGoesDownAsFarAsItMust() {
        let half = steps(seconds: 40) { _, level in level == .full ? 1.5 : 0.85 }
        #expect(half == ["13 half-rate"])
        let all = steps(seconds: 120) { _, level in level == .off ? 0.1 : 2 }
        #expect(all.prefix(3) == ["9 half-rate", "11 half-size", "13 off"])
    }

    /// A pause of everything, such as a disk that stalls: what has piled up is worked off without a step.
    @Test func oneThatCatchesUpIsLeftAlone() {
        var ladder = OverloadLadder()
        let steps = (0..<80).compactMap { step in
            ladder.update(lag: .milliseconds(10_000 - 125 * step), at: .ms(Int64(step) * 250))
        }
        #expect(steps == [])
    }

    @Test func itGoesUpAgainWhenThereIsRoom() {
        #expect(
            steps(seconds: 120) { second, level in second < 20 && level < .off ? 2 : 0.5 }
                == ["9 half-rate", "11 half-size", "13 off", "29 half-size", "39 half-rate", "49 full"])
    }

    /// Room for half of the pictures and no more: tried again after 10 s, 20 s, ... and then every 160 s.
    @Test func whatDoesNotHoldIsTriedLessAndLessOften() {
        let steps = steps(seconds: 3600) { _, level in level == .full ? 1.6 : 0.5 }
        #expect(steps.allSatisfy { $0.hasSuffix("half-rate") || $0.hasSuffix("full") })
        let ups = steps.filter { $0.hasSuffix("full") }.compactMap { Int($0.split(separator: " ")[0]) }
        let waits = zip(ups, ups.dropFirst()).map { $1 - $0 }
        #expect(waits.prefix(3).allSatisfy { $0 < 120 } && waits.dropFirst(5).allSatisfy { $0 > 160 }, "\(waits)")
        #expect(waits.count < 25)
    }
}
