import MediaTypes
import RoomProtocol
import Testing

@testable import Recording

private let zero = MonotonicTime(nanoseconds: 100_000_000_000)
private func at(_ seconds: Double) -> MonotonicTime { zero + .seconds(seconds) }
private let vanished = RoomEnd.serverVanished("the connection was reset")

/// A network that is listened to five times a second, and what came of it.
private struct Story {
    var machine: Reconnection
    private(set) var said: [String] = []
    private var now = zero

    init(window: Duration? = .seconds(30)) { machine = Reconnection(window: window, joined: zero) }

    mutating func handle(_ input: Reconnection.Input, at seconds: Double) {
        pass(to: seconds, isHeard: nil)
        machine.handle(input, at: at(seconds))
        take()
    }

    /// Time passes; the room is heard all the while, or not at all.
    mutating func pass(to seconds: Double, isHeard: Bool) { pass(to: seconds, isHeard: Optional(isHeard)) }

    private mutating func pass(to seconds: Double, isHeard: Bool?) {
        let begin = now
        while now < at(seconds) {
            let due = max(machine.nextDeadline ?? at(seconds), now)
            now = min(now + .milliseconds(200), min(due, at(seconds)))
            if isHeard == true { machine.handle(.heard(last: now, first: begin), at: now) }
            if let due = machine.nextDeadline, due <= now { machine.wake(at: now) }
            take()
        }
    }

    private mutating func take() {
        while let output = machine.nextOutput() { said.append("\(words((now - zero).seconds)) \(words(output))") }
    }

    private func words(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }

    private func words(_ output: Reconnection.Output) -> String {
        switch output {
        case .changed(let state): state.rawValue
        case .gap(let from, let to): "gap \(words((from - zero).seconds)) to \(words((to - zero).seconds))"
        case .giveUp(let end, let time): "give up \(end.isRecoverable) \(time.map { words($0.seconds) } ?? "at once")"
        default: "\(output)"
        }
    }
}

struct ReconnectionTests {
    @Test func aBreakOfTwoTenthsIsNoNews() {
        var story = Story()
        story.pass(to: 10, isHeard: true)
        story.pass(to: 10.2, isHeard: false)
        story.pass(to: 20, isHeard: true)
        #expect(story.said == [])
    }

    /// OVC-15: interrupted after more than 4 s, lost after 10 s.
    @Test func breaksAreAlertedAsTheAppDoes() {
        var story = Story()
        story.pass(to: 10, isHeard: true)
        story.pass(to: 15, isHeard: false)
        story.pass(to: 20, isHeard: true)
        #expect(
            story.said == ["14.0 interrupted", "14.0 begin", "15.2 dismiss", "15.2 gap 10.0 to 15.0", "15.2 restored"])
    }

    @Test func whileTheStayIsSilentAnotherOneIsTriedAndTheFirstToBeHeardGoesOn() {
        var story = Story()
        story.pass(to: 10, isHeard: true)
        story.pass(to: 22, isHeard: false)
        story.pass(to: 30, isHeard: true)
        #expect(
            story.said == [
                "14.0 interrupted", "14.0 begin", "19.0 dismiss", "19.5 begin", "20.0 lost", "22.2 dismiss",
                "22.2 gap 10.0 to 22.0", "22.2 restored",
            ])

        story = Story()
        story.pass(to: 10, isHeard: true)
        story.pass(to: 21.4, isHeard: false)
        story.handle(.successorJoined, at: 21.6)
        story.pass(to: 30, isHeard: true)
        #expect(
            story.said == [
                "14.0 interrupted", "14.0 begin", "19.0 dismiss", "19.5 begin", "20.0 lost", "21.6 succeed",
                "21.6 gap 10.0 to 21.6", "21.6 restored",
            ])
    }

    @Test func anEndedStayIsSucceededAtOnce() {
        var story = Story()
        story.pass(to: 10, isHeard: true)
        story.handle(.stayEnded(vanished), at: 10.2)
        story.handle(.successorJoined, at: 10.8)
        #expect(story.said == ["10.2 begin", "10.8 succeed", "10.8 gap 10.0 to 10.8"])
    }

    @Test func attemptsGrowRarerAndEachHasItsTime() {
        var story = Story(window: .seconds(60))
        story.pass(to: 10, isHeard: true)
        story.handle(.stayEnded(vanished), at: 10)
        for failure in [10.2, 11.0, 12.2] { story.handle(.successorEnded(.unreachable("refused")), at: failure) }
        story.pass(to: 70, isHeard: false)
        #expect(
            story.said == [
                "10.0 begin", "10.7 begin", "12.0 begin", "14.0 interrupted", "14.2 begin", "20.0 lost", "29.2 dismiss",
                "33.2 begin",
                "48.2 dismiss", "52.2 begin", "67.2 dismiss", "70.0 give up true 60.0",
            ])
    }

    /// ARC-11: of 30 s, a cut of 20 s survives and one of 40 s does not.
    @Test func theWindowDecides() {
        var story = Story(window: .seconds(30))
        story.pass(to: 5, isHeard: true)
        story.pass(to: 25, isHeard: false)
        story.pass(to: 60, isHeard: true)
        #expect(story.said.last == "25.2 restored")
        story = Story(window: .seconds(30))
        story.pass(to: 5, isHeard: true)
        story.pass(to: 45, isHeard: false)
        #expect(story.said.last == "35.0 give up true 30.0")
        #expect(story.machine.nextDeadline == nil)
    }

    @Test func withoutAWindowTheFirstBreakIsTheEnd() {
        var story = Story(window: nil)
        story.handle(.stayEnded(vanished), at: 1)
        #expect(story.said == ["1.0 give up true at once"])
        story = Story(window: nil)
        story.pass(to: 20, isHeard: false)
        #expect(story.said == ["4.0 interrupted", "10.0 lost", "10.0 give up true at once"])
    }

    @Test func whatSomebodyDecidedIsNotArguedWith() {
        for end in [RoomEnd.kicked, .roomDestroyed, .refused(.wrongPin, message: ""), .left] {
            var story = Story()
            story.handle(.stayEnded(end), at: 1)
            #expect(story.said == ["1.0 give up false at once"])
        }
    }

    @Test func aRoomThatIsNotThereYetAfterARestartIsWaitedFor() {
        var story = Story()
        story.handle(.stayEnded(vanished), at: 1)
        story.handle(.successorEnded(.refused(.noSuchRoom, message: "")), at: 1.2)
        story.handle(.successorJoined, at: 2)
        #expect(story.said == ["1.0 begin", "1.7 begin", "2.0 succeed", "2.0 gap 0.0 to 2.0"])
    }
}
