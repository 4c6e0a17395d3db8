import MediaTypes
import RoomProtocol
import Testing

@testable import Recording

private func id(_ text: String) -> ParticipantID { ParticipantID(text) }
private func somebody(_ identifier: String, _ name: String) -> Participant {
    Participant(id: id(identifier), name: name)
}

struct ReturningPeopleTests {
    private let known = [id("1"): "Ada", id("2"): "Zoe", id("3"): "Ada"]

    @Test func whoHasTheSameIdNeverLeft() {
        var people = ReturningPeople(known: known, roster: [somebody("1", "Ada"), somebody("2", "Zoë")], ghosts: [])
        #expect(people.absent == [id("3")])
        let (ada, zoe) = (
            people.translate(.participantJoined(somebody("1", "Ada"))),
            people.translate(.participantJoined(somebody("2", "Zoë")))
        )
        #expect(ada == nil)
        #expect(zoe == .participantRenamed(id("2"), name: "Zoë"))
        // Who goes and comes again does so.
        _ = people.translate(.participantLeft(id("1"), .quit))
        let again = people.translate(.participantJoined(somebody("1", "Ada")))
        #expect(again == .participantJoined(somebody("1", "Ada")))
    }

    @Test func anotherIdAndTheNameOfOneWhoIsMissingIsTheSame() {
        var people = ReturningPeople(known: known, roster: [somebody("8", "Zoe"), somebody("9", "Ada")], ghosts: [])
        #expect(people.absent == [id("1"), id("3")])
        let zoe = people.translate(.participantJoined(somebody("8", "Zoe")))
        #expect(zoe == nil)
        let published = people.translate(
            .trackPublished(id("8"), .audio, publishedAs: MediaSectionID("0"), codec: .opus))
        #expect(published == .trackPublished(id("2"), .audio, publishedAs: MediaSectionID("0"), codec: .opus))
        let left = people.translate(.participantLeft(id("8"), .quit))
        #expect(left == .participantLeft(id("2"), .quit))
        // Two had this name: nobody can say which of them this is.
        let ada = people.translate(.participantJoined(somebody("9", "Ada")))
        #expect(ada == .participantJoined(somebody("9", "Ada")))
    }

    @Test func aNamesakeOfSomebodyWhoIsStillThereIsAnother() {
        var people = ReturningPeople(
            known: [id("1"): "Ada"], roster: [somebody("7", "Ada"), somebody("1", "Ada")], ghosts: [])
        let stranger = people.translate(.participantJoined(somebody("7", "Ada")))
        #expect(stranger == .participantJoined(somebody("7", "Ada")))
        #expect(people.absent == [])
    }

    @Test func whoComesBackLaterComesAsWhoTheyWere() {
        var people = ReturningPeople(known: [id("1"): "Ada"], roster: [], ghosts: [])
        #expect(people.absent == [id("1")])
        let joined = people.translate(.participantJoined(somebody("7", "Ada")))
        #expect(joined == .participantJoined(somebody("1", "Ada")))
        let speaks = people.translate(.speaking(id("7"), isSpeaking: true))
        #expect(speaks == .speaking(id("1"), isSpeaking: true))
    }

    @Test func theBotItselfAsItWasListedBeforeIsNobody() {
        var people = ReturningPeople(known: [:], roster: [somebody("5", "Recorder")], ghosts: [id("5")])
        let (joined, left) = (
            people.translate(.participantJoined(somebody("5", "Recorder"))),
            people.translate(.participantLeft(id("5"), .dropped))
        )
        #expect(joined == nil && left == nil)
    }
}

struct ChatMemoryTests {
    @Test func historyIsLoggedOnceAndWhatIsSaidTwiceTwice() {
        var memory = ChatMemory()
        let said = ChatMessage(kind: .message, sender: "a", name: nil, text: "yes", sentAt: "10:00")
        var history = said
        history.isHistory = true
        let first = memory.isNews(said)
        let second = memory.isNews(said)
        let third = memory.isNews(history)
        #expect((first, second, third) == (true, true, false))
        history.text = "no"
        let fourth = memory.isNews(history)
        #expect(fourth)
    }
}
