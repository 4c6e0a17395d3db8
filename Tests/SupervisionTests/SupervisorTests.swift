import CallbotTesting
import MediaTypes
import Testing

@testable import Supervision

@Suite struct SupervisorTests {
    /// A supervisor and its clock; both clocks run alike.
    struct Story {
        var supervisor = Supervisor()
        var now = MonotonicTime(nanoseconds: 0)
        var wall: WallTime { WallTime(microseconds: now.nanoseconds / 1000) }

        mutating func hear(_ input: Supervisor.Input) -> [Supervisor.Output] {
            supervisor.handle(input, at: now, wall: wall)
            return outputs()
        }

        mutating func pass(_ span: Duration) -> [Supervisor.Output] {
            let end = now + span
            var found: [Supervisor.Output] = []
            while let deadline = supervisor.nextDeadline, deadline <= end {
                now = max(now, deadline)
                supervisor.wake(at: now, wall: wall)
                found += outputs()
            }
            now = end
            return found
        }

        mutating func outputs() -> [Supervisor.Output] {
            var found: [Supervisor.Output] = []
            while let output = supervisor.nextOutput() { found.append(output) }
            return found
        }
    }

    static let id = RunID("standup-20261201T0900")
    static let open = RunOrder(id: id)
    static func until(_ seconds: Int64) -> RunOrder {
        RunOrder(id: id, until: WallTime(microseconds: seconds * 1_000_000))
    }

    /// With a recorder that has begun a recording.
    func running(_ order: RunOrder) -> Story {
        var story = Story()
        #expect(story.hear(.start(order)) == [.spawn(order, resuming: nil)])
        #expect(story.hear(.spawned(order.id)) == [])
        #expect(story.hear(.began(order.id, folder: "f")) == [])
        return story
    }

    @Test func aCrashIsAnsweredAtOnceWithTheSameRecording() {
        var story = running(Self.open)
        #expect(story.hear(.exited(Self.id, .signal(11))) == [.spawn(Self.open, resuming: "f")])
        #expect(story.hear(.spawned(Self.id)) == [])
        #expect(
            story.hear(.exited(Self.id, .code(0)))
                == [.ended(Self.id, RunResult(.done, exit: .code(0), folder: "f", attempts: 2))])
        #expect(story.supervisor.ids.isEmpty && story.supervisor.nextDeadline == nil)
    }

    @Test func whoCrashesOverAndOverIsGivenUp() {
        var story = running(Self.open)
        var result: RunResult?
        var spawned = 1
        for _ in 0..<20 {
            for output in story.hear(.exited(Self.id, .signal(6))) + story.pass(.seconds(20)) {
                switch output {
                case .spawn:
                    spawned += 1
                    _ = story.hear(.spawned(Self.id))
                case .ended(_, let ended): result = ended
                default: break
                }
            }
        }
        #expect(spawned == Supervisor.mostCrashes)
        #expect(result == RunResult(.crashedTooOften, exit: .signal(6), folder: "f", attempts: spawned))
    }

    @Test func crashesFarApartAreNeverTooMany() {
        var story = running(Self.open)
        for _ in 0..<50 {
            #expect(story.pass(.seconds(400)) == [])
            #expect(story.hear(.exited(Self.id, .signal(9))) == [.spawn(Self.open, resuming: "f")])
            #expect(story.hear(.spawned(Self.id)) == [])
        }
    }

    /// The bot is early, and the room is not there yet.
    @Test(arguments: [21, 23, 24, 30, 31, 32, 33, 69, 75] as [Int32])
    func aRoomThatCannotBeHadIsTriedUntilTheEnd(code: Int32) {
        let order = Self.until(60)
        var story = Story()
        #expect(story.hear(.start(order)) == [.spawn(order, resuming: nil)])
        #expect(story.hear(.spawned(Self.id)) == [])
        let again = MonotonicTime(nanoseconds: 15_000_000_000)
        #expect(
            story.hear(.exited(Self.id, .code(code))) == [.waiting(Self.id, for: .code(code), until: again)])
        #expect(story.supervisor.recorderCount == 0)
        #expect(story.pass(.seconds(14)) == [])
        #expect(story.pass(.seconds(1)) == [.spawn(order, resuming: nil)])
        _ = story.hear(.spawned(Self.id))
        _ = story.pass(.seconds(40))
        // At 55 s; the next attempt would be at 70.
        _ = story.hear(.exited(Self.id, .code(code)))
        #expect(
            story.pass(.seconds(20))
                == [.ended(Self.id, RunResult(.tooLate, exit: .code(code), attempts: 2))])
    }

    @Test(arguments: [21, 69, 22, 43, 64, 74] as [Int32])
    func withoutAnEndNobodyWaits(code: Int32) {
        var story = running(Self.open)
        #expect(
            story.hear(.exited(Self.id, .code(code)))
                == [.ended(Self.id, RunResult(.failed, exit: .code(code), folder: "f", attempts: 1))])
    }

    @Test func whoIsStoppedIsAskedThenHurriedThenKilledAndNotStartedAgain() {
        var story = running(Self.until(3600))
        #expect(story.hear(.stop(Self.id)) == [.terminate(Self.id)])
        #expect(story.pass(.seconds(59)) == [])
        #expect(story.pass(.seconds(1)) == [.terminate(Self.id)])
        #expect(story.pass(.seconds(120)) == [.kill(Self.id)])
        #expect(story.supervisor.nextDeadline == nil)
        #expect(
            story.hear(.exited(Self.id, .signal(9)))
                == [.ended(Self.id, RunResult(.stopped, exit: .signal(9), folder: "f", attempts: 1))])
    }

    @Test func stoppingWhileStartingOrWaitingIsNotLost() {
        var story = Story()
        _ = story.hear(.start(Self.open))
        #expect(story.hear(.stop(Self.id)) == [])
        #expect(story.hear(.spawned(Self.id)) == [.terminate(Self.id)])
        var waiting = Story()
        _ = waiting.hear(.start(Self.until(100)))
        _ = waiting.hear(.spawned(Self.id))
        _ = waiting.hear(.exited(Self.id, .code(21)))
        #expect(
            waiting.hear(.stop(Self.id))
                == [.ended(Self.id, RunResult(.stopped, exit: .code(21), attempts: 1))])
        #expect(waiting.pass(.seconds(1000)) == [])
    }

    @Test func whatRanBeforeIsFoundAgain() {
        var story = Story()
        #expect(story.hear(.found(Self.open, folder: "f", isRunning: true)) == [])
        #expect(story.hear(.stop(Self.id)) == [.terminate(Self.id)])
        var gone = Story()
        #expect(gone.hear(.found(Self.open, folder: "f", isRunning: false)) == [.spawn(Self.open, resuming: "f")])
        var over = Story()
        over.now = MonotonicTime(nanoseconds: 70_000_000_000)
        #expect(
            over.hear(.found(Self.until(60), folder: "f", isRunning: false))
                == [.ended(Self.id, RunResult(.done, exit: .unknown, folder: "f", attempts: 1))])
    }

    @Test func thereIsOneRecorderForARun() {
        var story = running(Self.open)
        #expect(story.hear(.start(Self.open)) == [])
        #expect(story.hear(.found(Self.open, folder: nil, isRunning: true)) == [])
        #expect(story.supervisor.recorderCount == 1)
    }

    /// Starts and stops in any order leave nothing behind.
    @Test func aStormLeavesNothing() {
        var dice = SeededGenerator(seed: 7)
        var story = Story()
        var alive: Set<RunID> = []
        var ended: [RunID: Int] = [:]
        func follow(_ outputs: [Supervisor.Output], _ story: inout Story) {
            for output in outputs {
                switch output {
                case .spawn(let order, _):
                    #expect(alive.insert(order.id).inserted, "two recorders of one run")
                    follow(story.hear(.spawned(order.id)), &story)
                case .ended(let id, _): ended[id, default: 0] += 1
                case .kill(let id):
                    alive.remove(id)
                    follow(story.hear(.exited(id, .signal(9))), &story)
                case .terminate, .waiting: break
                }
            }
        }
        let ids = (0..<200).map { RunID("run-\($0)") }
        for id in ids { follow(story.hear(.start(RunOrder(id: id))), &story) }
        for _ in 0..<5000 {
            let id = ids[Int.random(in: 0..<200, using: &dice)]
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: follow(story.hear(.stop(id)), &story)
            case 1 where alive.contains(id):
                alive.remove(id)
                follow(
                    story.hear(.exited(id, [.code(0), .signal(11), .code(21)].randomElement(using: &dice)!)), &story)
            default: follow(story.pass(.milliseconds(50)), &story)
            }
        }
        for id in ids { follow(story.hear(.stop(id)), &story) }
        follow(story.pass(.seconds(1000)), &story)
        #expect(story.supervisor.ids.isEmpty && alive.isEmpty)
        #expect(ended.count == 200 && ended.values.allSatisfy { $0 == 1 })
    }
}
