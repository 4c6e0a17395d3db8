import MediaTypes
import Testing

@testable import EventLoop

private actor Guest {
    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var timer: LoopTimer?
    private(set) var firings: [MonotonicTime] = []

    init(_ loop: LoopExecutor) { self.loop = loop }

    var isOnLoop: Bool { loop.isOnLoop }

    /// Fires `count` times, `period` apart on an absolute schedule.
    func fire(_ count: Int, every period: Duration) async -> [MonotonicTime] {
        let start = HostClock.now()
        return await withCheckedContinuation { done in
            nonisolated(unsafe) var due = start + period
            let me = self
            nonisolated(unsafe) var again: () -> Void = {}
            let timer = LoopTimer(on: loop) { again() }
            again = {
                me.assumeIsolated { guest in
                    guest.firings.append(HostClock.now())
                    if guest.firings.count == count { return done.resume(returning: guest.firings) }
                    due = due + period
                    guest.timer?.set(due)
                }
            }
            self.timer = timer
            timer.set(due)
        }
    }
}

struct LoopExecutorTests {
    @Test func anActorRunsOnTheLoopsThread() async {
        let loop = LoopExecutor(name: "test-loop")
        defer { loop.stop() }
        let guest = Guest(loop)
        #expect(await guest.isOnLoop)
        #expect(!loop.isOnLoop)
    }

    @Test func manyJobsFromManyTasksAllRun() async {
        let loop = LoopExecutor(name: "test-loop")
        defer { loop.stop() }
        let guest = Guest(loop)
        let onLoop = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 { group.addTask { await guest.isOnLoop } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(onLoop == 500)
    }

    @Test func aTimerFiresNoEarlierThanItsDeadlineAndKeepsItsSchedule() async throws {
        let loop = LoopExecutor(name: "test-loop")
        defer { loop.stop() }
        let start = HostClock.now()
        let firings = await Guest(loop).fire(5, every: .milliseconds(10))
        for (index, firing) in firings.enumerated() {
            #expect(firing - start >= .milliseconds(10 * (index + 1)))
        }
    }
}
