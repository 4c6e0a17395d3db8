import Testing

@testable import Supervision

@Suite struct SpaceWatchTests {
    @Test func eachCrossingIsToldOnce() {
        var watch = SpaceWatch(low: 1000, reserve: 100)
        let steps: [(free: Int64, level: SpaceWatch.Level?)] = [
            (5000, nil), (1000, nil), (999, .low), (1050, nil), (990, nil), (1099, nil), (1100, .ample), (999, .low),
            (99, .exhausted), (105, nil), (110, .low), (50, .exhausted), (9999, .ample),
        ]
        for step in steps {
            let level = watch.update(free: step.free)
            #expect(level == step.level, "\(step.free)")
            #expect(watch.free == step.free)
        }
    }

    @Test func aReserveAboveTheWatermarkIsLowAsWell() {
        var watch = SpaceWatch(low: 0, reserve: 100)
        let level = watch.update(free: 50)
        #expect(level == .exhausted)
        let next = watch.update(free: 105)
        #expect(next == nil)
        let last = watch.update(free: 200)
        #expect(last == .ample)
    }
}
