import JSON
import MediaTypes
import Testing

@testable import Supervision

@Suite struct JobQueueTests {
    private let render = Job(.render, of: "/a")
    private let pictures = Job(.pictures, of: "/a")
    private let other = Job(.render, of: "/b")

    private func time(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000) }

    private func outputs(_ queue: inout JobQueue) -> [JobQueue.Output] {
        var outputs: [JobQueue.Output] = []
        while let output = queue.nextOutput() { outputs.append(output) }
        return outputs
    }

    private func queue(_ jobs: Job..., most: Int = 1, hasRoom: Bool = true) -> JobQueue {
        var queue = JobQueue(most: most)
        queue.handle(.room(hasRoom), at: time(0))
        for job in jobs { queue.handle(.add(job), at: time(0)) }
        return queue
    }

    @Test func oneAfterTheOtherAndEachOnce() {
        var queue = queue(render, pictures, other, render)
        #expect(outputs(&queue) == [.start(render)])
        queue.handle(.exited(render, .code(0)), at: time(1))
        #expect(outputs(&queue) == [.ended(render, .done), .start(pictures)])
        queue.handle(.exited(pictures, .code(0)), at: time(2))
        #expect(outputs(&queue) == [.ended(pictures, .done), .start(other)])
        queue.handle(.exited(other, .code(0)), at: time(3))
        #expect(outputs(&queue) == [.ended(other, .done)])
        #expect(queue.entries.isEmpty && queue.nextDeadline == nil)
    }

    /// Pictures are of the composite, which has to be there first.
    @Test func whatIsOfOneRecordingIsInOrder() {
        var queue = queue(render, pictures, other, most: 3)
        #expect(outputs(&queue) == [.start(render), .start(other)])
        queue.handle(.exited(render, .code(0)), at: time(1))
        #expect(outputs(&queue) == [.ended(render, .done), .start(pictures)])
    }

    @Test func recordingsComeFirst() {
        var queue = queue(render, other, hasRoom: false)
        #expect(outputs(&queue).isEmpty)
        queue.handle(.room(true), at: time(1))
        #expect(outputs(&queue) == [.start(render)])
        queue.handle(.room(false), at: time(2))
        #expect(outputs(&queue) == [.suspend(render)])
        queue.handle(.room(false), at: time(3))
        #expect(outputs(&queue).isEmpty)
        queue.handle(.room(true), at: time(4))
        #expect(outputs(&queue) == [.goOn(render)])
        queue.handle(.room(false), at: time(5))
        queue.handle(.exited(render, .code(0)), at: time(6))
        #expect(outputs(&queue) == [.suspend(render), .ended(render, .done)])
    }

    @Test func aCrashIsTriedOnceMore() {
        var queue = queue(render)
        queue.handle(.exited(render, .signal(11)), at: time(1))
        #expect(outputs(&queue) == [.start(render)])
        #expect(queue.nextDeadline == time(1) + JobQueue.crashPause)
        queue.wake(at: time(3))
        #expect(outputs(&queue).isEmpty)
        queue.wake(at: time(7))
        #expect(outputs(&queue) == [.start(render)])
        queue.handle(.exited(render, .unknown), at: time(8))
        #expect(outputs(&queue) == [.ended(render, .failed(nil))])
    }

    @Test func aRecordingThatSomebodyWorksOnIsLeftAloneForAWhile() {
        var queue = queue(render, other)
        queue.handle(.exited(render, .code(41)), at: time(1))
        #expect(outputs(&queue) == [.start(render), .start(other)])
        queue.handle(.exited(other, .code(66)), at: time(2))
        #expect(outputs(&queue) == [.ended(other, .needless)])
        queue.wake(at: time(1) + JobQueue.lockedPause)
        #expect(outputs(&queue) == [.start(render)])
    }

    @Test func whatTheProgramDoesNotKnowIsNotAskedAgain() {
        var queue = queue(pictures, Job(.pictures, of: "/b"))
        queue.handle(.exited(pictures, .code(64)), at: time(1))
        #expect(
            outputs(&queue) == [
                .start(pictures), .ended(pictures, .unknownHere), .ended(Job(.pictures, of: "/b"), .unknownHere),
            ])
        queue.handle(.add(Job(.pictures, of: "/c")), at: time(2))
        #expect(queue.entries.isEmpty && outputs(&queue).isEmpty)
    }

    @Test func nothingIsDoneWithARecordingThatIsGone() {
        var queue = queue(other, render, pictures)
        queue.handle(.gone(folder: "/a"), at: time(1))
        #expect(outputs(&queue) == [.start(other), .ended(render, .needless), .ended(pictures, .needless)])
        queue.handle(.gone(folder: "/b"), at: time(1))
        #expect(queue.entries.map(\.job) == [other])
        queue.handle(.exited(other, .code(42)), at: time(2))
        #expect(outputs(&queue) == [.ended(other, .failed(42))])
    }

    @Test func whatWasUnderWayIsFoundAgain() {
        var queue = JobQueue()
        queue.handle(.found(render, attempts: 1, isRunning: true), at: time(0))
        queue.handle(.found(other, attempts: 0, isRunning: false), at: time(0))
        queue.handle(.room(true), at: time(0))
        #expect(outputs(&queue).isEmpty)
        queue.handle(.exited(render, .code(0)), at: time(1))
        #expect(outputs(&queue) == [.ended(render, .done), .start(other)])
        queue.handle(.notStarted(other, reason: "no"), at: time(1))
        #expect(outputs(&queue) == [.ended(other, .notStarted("no"))])
    }

    @Test func aStatusIsReadAsItWasWritten() {
        var status = JobStatus(process: 12, processStart: 34)
        status.share = 0.5
        #expect(JobStatus(status.json) == status)
        status.exitCode = 0
        #expect(JobStatus(status.json) == status)
        #expect(JobStatus([:]) == nil && Job(["kind": "dance", "folder": "/a"]) == nil)
        #expect(Job(render.json) == render)
    }

    @Test func aMachineThatIsIdleHasRoomForAJob() {
        var admission = Admission(processors: 1)
        #expect(admission.hasRoomForJob(loads: []))
        #expect(!admission.hasRoomForJob(loads: [nil]))
        #expect(!admission.hasRoomForJob(loads: [0.5]))
        #expect(admission.hasRoomForJob(loads: [0.1]))
        for _ in 0..<100 { admission.measured(.live, processors: 3) }
        #expect(admission.hasRoomForJob(loads: []))
        admission.limit(processors: 8, most: 1)
        #expect(admission.hasRoomForJob(loads: [0.1]))
        #expect(
            admission.decide(loads: [0.1], wantsComposite: true)
                == .refused(reason: "1 recordings run already, and no more than 1 may"))
    }
}
