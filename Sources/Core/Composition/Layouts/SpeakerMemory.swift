import MediaTypes

/// Who is looked at as the speaker. It does not flicker: the last one stays until another speaks, and for a while at least.
struct SpeakerMemory {
    /// How long somebody stays, even when another speaks.
    var hold: Duration
    private var current: (speaker: ParticipantID, since: TimelineTime)?

    init(hold: Duration) { self.hold = hold }

    /// The speaker among these people; nil when none of them has spoken yet.
    mutating func speaker(among people: [Stage.Person], at time: TimelineTime) -> ParticipantID? {
        if let current, let person = people.first(where: { $0.id == current.speaker }) {
            if person.isSpeaking || time - current.since < hold { return current.speaker }
        } else {
            current = nil
        }
        if let next = people.first(where: \.isSpeaking) { current = (next.id, time) }
        return current?.speaker
    }
}
