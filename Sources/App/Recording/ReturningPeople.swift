import MediaTypes
import RoomProtocol

/// Knows people again when the bot has been away: the room's words of a later stay, said of who they were before.
///
/// Who has the same id is the same. A room that was made anew, as after a restart of the server, gives new ids; then who has the
/// name of exactly one of those who are not back yet is taken for them.
struct ReturningPeople {
    /// Who was there when the bot was cut off and has not been seen since, by their names.
    private var missing: [ParticipantID: String]
    /// Who was there before and has come back as they were.
    private var present: [ParticipantID: String] = [:]
    /// The ids they have now, of those who had others.
    private var former: [ParticipantID: ParticipantID] = [:]
    /// Whom the bot was in earlier stays: until the server has noticed, it is listed there still.
    private let ghosts: Set<ParticipantID>
    /// The ids of all who were there before: nobody else has one of them.
    private let taken: Set<ParticipantID>
    /// Whoever is recognized from now on was said to be gone.
    private var isSettled = false

    /// - Parameters:
    ///   - known: who was there before.
    ///   - roster: who is there when the bot comes back.
    ///   - ghosts: the bot's own ids of earlier stays.
    init(known: [ParticipantID: String], roster: [Participant], ghosts: Set<ParticipantID>) {
        missing = known
        self.ghosts = ghosts
        taken = Set(known.keys)
        for participant in roster where known[participant.id] != nil {
            missing[participant.id] = nil
            present[participant.id] = known[participant.id]
        }
        for participant in roster { _ = recognize(participant) }
        isSettled = true
    }

    /// Who was there and is not any more.
    var absent: [ParticipantID] { missing.keys.sorted { $0.value < $1.value } }

    /// The event as it is about those known; nil when it is no news.
    mutating func translate(_ event: RoomEvent) -> RoomEvent? {
        switch event {
        case .participantJoined(let participant):
            if ghosts.contains(participant.id) { return nil }
            let id = recognize(participant)
            guard let name = present.removeValue(forKey: id) else {
                return .participantJoined(Participant(id: id, name: participant.name))
            }
            return name == participant.name ? nil : .participantRenamed(id, name: participant.name)
        case .participantLeft(let id, let reason):
            if ghosts.contains(id) { return nil }
            defer { former[id] = nil }
            return .participantLeft(was(id), reason)
        case .participantRenamed(let id, let name):
            return ghosts.contains(id) ? nil : .participantRenamed(was(id), name: name)
        case .trackPublished(let id, let kind, let section, let codec):
            return .trackPublished(was(id), kind, publishedAs: section, codec: codec)
        case .trackUnpublished(let id, let section): return .trackUnpublished(was(id), publishedAs: section)
        case .trackMuted(let id, let section, let isMuted):
            return .trackMuted(was(id), publishedAs: section, isMuted: isMuted)
        case .speaking(let id, let isSpeaking): return .speaking(was(id), isSpeaking: isSpeaking)
        case .trackStarted(var track):
            track.participant = was(track.participant)
            return .trackStarted(track)
        case .joined, .trackEnded, .trackRotated, .trackReceiving, .layerRequested, .layerForwarded, .chat, .chatJoined,
            .chatLeft, .chatDropped, .chatAvailable, .connectionChanged, .notice:
            return event
        }
    }

    private func was(_ id: ParticipantID) -> ParticipantID { former[id] ?? id }

    /// Who somebody was: of those missing, the only one with that name.
    private mutating func recognize(_ participant: Participant) -> ParticipantID {
        if let known = former[participant.id] { return known }
        guard !taken.contains(participant.id), !ghosts.contains(participant.id), !participant.name.isEmpty else {
            return participant.id
        }
        let namesakes = missing.filter { $0.value == participant.name }
        guard namesakes.count == 1, let known = namesakes.first?.key else { return participant.id }
        missing[known] = nil
        if !isSettled { present[known] = participant.name }
        former[participant.id] = known
        return known
    }
}
