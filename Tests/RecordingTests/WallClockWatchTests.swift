import MediaTypes
import Testing

@testable import Recording

@Suite struct WallClockWatchTests {
    /// The steps that are seen by reading the wall clock at these seconds of the steady one, in seconds.
    private func steps(_ times: [Double], lasting reading: Double = 0, wall: (Double) -> Double) -> [Double] {
        var watch = WallClockWatch()
        return times.compactMap { time in
            let start = MonotonicTime(nanoseconds: Int64(time * 1e9))
            let wall = WallTime(microseconds: 1_796_011_648_000_000 + Int64(wall(time) * 1e6))
            return watch.update(wall, between: start, and: start + .seconds(reading))?.seconds
        }
    }

    private let ticks = (0..<4000).map { Double($0) / 4 }

    @Test(arguments: [3600.0, -3600, 0.6, -0.6]) func aStepIsToldOnce(step: Double) {
        let found = steps(ticks) { $0 + ($0 >= 100 ? step : 0) }
        #expect(found.count == 1 && abs(found[0] - step) < 0.001)
    }

    /// NTP steers by at most 500 millionths.
    @Test(arguments: [0.0005, -0.0005]) func steeringIsNoStep(rate: Double) {
        #expect(steps(ticks) { $0 * (1 + rate) } == [])
        // Not either when the process stood still for an hour.
        #expect(steps([0, 0.25, 3600, 3600.25]) { $0 * (1 + rate) } == [])
    }

    @Test func aSmallStepIsNone() { #expect(steps(ticks) { $0 + ($0 >= 100 ? 0.4 : 0) } == []) }

    /// Between the readings of the two clocks the process may be stopped.
    @Test func aReadingThatTookLongSaysNothing() {
        #expect(steps([0, 1], lasting: 0.3) { $0 + ($0 >= 1 ? 5 : 0) } == [])
    }
}
