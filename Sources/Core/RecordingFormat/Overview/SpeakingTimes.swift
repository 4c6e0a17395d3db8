package import JSON
package import MediaTypes
import RoomProtocol

/// How much everybody spoke: `speaking.json`.
package struct SpeakingTimes: Hashable, Sendable {
    package struct Person: Hashable, Sendable {
        package var id: ParticipantID
        package var name: String
        /// All turns together.
        package var time = Duration.zero
        package var turns = 0
        /// Of all the time that people spoke, 0 to 1; those who speak at once count each.
        package var share = 0.0

        /// Somebody who has not spoken.
        package init(id: ParticipantID, name: String) {
            self.id = id
            self.name = name
        }
    }

    package private(set) var people: [Person]
    private let duration: Duration

    /// - Parameters:
    ///   - participants: in the order in which they are listed.
    ///   - duration: of the recording so far; turns that last end there.
    package init(_ turns: SpeakingTurns, of participants: [RecordedParticipant], duration: Duration) {
        self.duration = duration
        people = participants.map { somebody in
            var person = Person(id: somebody.id, name: somebody.name)
            for turn in turns.turns(of: somebody.id) {
                person.time += max(.zero, (turn.to ?? .zero + duration) - turn.from)
                person.turns += 1
            }
            return person
        }
        let all = people.reduce(Duration.zero) { $0 + $1.time }
        guard all > .zero else { return }
        for index in people.indices { people[index].share = people[index].time / all }
    }

    package var json: JSONValue {
        ["version": 1, "duration": .integer(duration.microseconds), "people": .array(people.map(\.json))]
    }
}

extension SpeakingTimes.Person {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.value), "name": .string(name), "time": .integer(time.microseconds),
            "share": .number(rounded),
            "turns": JSONValue(turns),
        ]
    }

    /// The share to a thousandth.
    package var rounded: Double { (share * 1000).rounded() / 1000 }
}
