import MediaTypes
import RoomProtocol
import Testing

@testable import Recording

private let start = MonotonicTime(nanoseconds: 5_000_000_000)
private let bot = Participant(id: ParticipantID("1"), name: "Recorder")
private let ada = Participant(id: ParticipantID("2"), name: "Ada")

private struct Story {
    var machine: RecordingMachine
    init(_ limits: RecordingMachine.Limits = .init()) { machine = RecordingMachine(limits: limits) }

    mutating func outputs() -> [RecordingMachine.Output] {
        var all: [RecordingMachine.Output] = []
        while let output = machine.nextOutput() { all.append(output) }
        return all
    }

    mutating func at(_ seconds: Int, _ input: RecordingMachine.Input) -> [RecordingMachine.Output] {
        machine.handle(input, at: start + .seconds(seconds))
        return outputs()
    }

    mutating func wake(_ seconds: Int) -> [RecordingMachine.Output] {
        machine.wake(at: start + .seconds(seconds))
        return outputs()
    }

    mutating func join() { #expect(at(0, .room(.joined(bot, roomDescription: "a room"))) == [.begin]) }
}

struct RecordingMachineTests {
    @Test func beginsWhenTheRoomIsJoinedAndEndsAfterItsDurationToTheNanosecond() {
        var story = Story(.init(duration: .seconds(20)))
        story.join()
        #expect(story.machine.nextDeadline == start + .seconds(20))
        #expect(story.wake(19) == [])
        #expect(story.wake(21) == [.leaveRoom])
        #expect(story.at(21, .roomEnded(.left)) == [.finish(.durationReached, at: start + .seconds(20))])
    }

    @Test func aRefusalEndsItBeforeItBegan() {
        var story = Story()
        let refused = RoomEnd.refused(.wrongPin, message: "Unauthorized (wrong pin)")
        #expect(story.at(1, .roomEnded(refused)) == [.finish(.room(refused), at: start + .seconds(1))])
        #expect(story.machine.nextDeadline == nil)
    }

    @Test func aSignalLeavesTheRoomAndASecondOneHurries() {
        var story = Story()
        story.join()
        #expect(story.at(3, .stop(signal: 15)) == [.leaveRoom])
        #expect(story.at(4, .stop(signal: 15)) == [.hurry])
        #expect(story.at(4, .roomEnded(.left)) == [.finish(.stopped(signal: 15), at: start + .seconds(3))])
        #expect(story.at(5, .stop(signal: 2)) == [.hurry])
    }

    @Test func aRoomThatDoesNotAnswerTheGoodByeIsNotWaitedForLong() {
        var story = Story()
        story.join()
        #expect(story.at(3, .stop(signal: 2)) == [.leaveRoom])
        #expect(story.wake(5) == [])
        #expect(story.wake(6) == [.finish(.stopped(signal: 2), at: start + .seconds(3))])
    }

    @Test func theEmptyTimeoutCountsFromTheLastLeaverAndStopsWhenSomebodyComes() {
        var story = Story(.init(emptyTimeout: .seconds(10)))
        story.join()
        #expect(story.machine.nextDeadline == start + .seconds(10))
        #expect(story.at(5, .room(.participantJoined(ada))) == [])
        #expect(story.machine.nextDeadline == nil)
        #expect(story.at(30, .room(.participantLeft(ada.id, .quit))) == [])
        #expect(story.wake(40) == [.leaveRoom])
        #expect(story.at(40, .roomEnded(.left)) == [.finish(.roomEmpty(.seconds(10)), at: start + .seconds(40))])
    }

    @Test func theBotItselfDoesNotMakeTheRoomFull() {
        var story = Story(.init(emptyTimeout: .seconds(10)))
        story.join()
        #expect(story.at(1, .room(.participantJoined(bot))) == [])
        #expect(story.wake(10) == [.leaveRoom])
    }

    @Test func tracksWithoutMediaEndItAndAFrameLiftsThat() {
        let track = TrackPublication(
            id: TrackID(1), participant: ada.id, kind: .audio, source: .microphone, codec: .opus, description: "",
            publishedAs: MediaSectionID("0"), section: MediaSectionID("0"))
        for hasMedia in [false, true] {
            var story = Story(.init(mediaTimeout: .seconds(15)))
            story.join()
            #expect(story.machine.nextDeadline == nil)
            #expect(story.at(2, .room(.trackStarted(track))) == [])
            if hasMedia { #expect(story.at(3, .media) == []) }
            #expect(story.wake(17) == (hasMedia ? [] : [.leaveRoom]))
        }
    }

    @Test(arguments: [RoomEnd.kicked, .roomDestroyed, .serverVanished("closed")])
    func whatTheRoomEndsIsOverAtOnce(end: RoomEnd) {
        var story = Story()
        story.join()
        #expect(story.at(7, .roomEnded(end)) == [.finish(.room(end), at: start + .seconds(7))])
        #expect(story.at(8, .roomEnded(.left)) == [])
    }

    @Test func aFailingDiskLeavesTheRoom() {
        var story = Story()
        story.join()
        #expect(story.at(7, .storageFailed("no space")) == [.leaveRoom])
        #expect(story.at(7, .roomEnded(.left)) == [.finish(.storageFailed("no space"), at: start + .seconds(7))])
    }
}
