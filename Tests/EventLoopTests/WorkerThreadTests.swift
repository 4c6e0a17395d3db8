import Testing

@testable import EventLoop

struct WorkerThreadTests {
    @Test func everyItemIsWorkedOnInOrderBeforeItFinishes() {
        let seen = Locked<[Int]>([])
        let worker = WorkerThread<Int>(name: "test-worker", capacity: 1_000_000) {
            { batch in seen.withLock { $0 += batch } }
        }
        for item in 0..<10_000 { #expect(worker.push(item, weight: 1)) }
        worker.finish()
        #expect(seen.withLock { $0 } == Array(0..<10_000))
    }

    @Test func aFullQueueRefusesWhatHasWeightAndTakesWhatHasNone() {
        let gate = Locked<Void>(())
        let seen = Locked<[Int]>([])
        // While the gate is shut the thread is stuck in its first batch at the latest, and the queue fills.
        let worker = gate.withLock { _ in
            let worker = WorkerThread<Int>(name: "test-worker", capacity: 10) {
                { batch in
                    gate.withLock { _ in }
                    seen.withLock { $0 += batch }
                }
            }
            let taken = (0..<3).map { worker.push($0, weight: 10) }
            #expect(taken.contains(false))
            #expect(worker.push(99))
            return worker
        }
        worker.finish()
        #expect(seen.withLock { $0.last } == 99)
    }

    @Test func nothingIsTakenAfterTheEnd() {
        let worker = WorkerThread<Int>(name: "test-worker", capacity: 10) { { _ in } }
        worker.finish()
        #expect(!worker.push(1))
    }
}
