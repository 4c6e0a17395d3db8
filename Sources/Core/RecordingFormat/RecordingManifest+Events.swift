package import MediaTypes
package import RoomProtocol

extension RecordingManifest {
    /// Follows what happens in the room as far as it concerns the people and the room itself. Returns whether anything
    /// changed. Tracks have their own account.
    @discardableResult
    package mutating func follow(_ event: RoomEvent, at time: TimelineTime) -> Bool {
        switch event {
        case .joined(let participant, let roomDescription):
            bot = participant
            room.description = roomDescription
        case .participantJoined(let participant):
            let index = indexOfParticipant(participant.id)
            participants[index].name = participant.name
            if goesOn(participants[index].stays.last, at: time), let last = participants[index].stays.indices.last {
                participants[index].stays[last].to = nil
            } else if participants[index].stays.last.map({ $0.to != nil }) ?? true {
                participants[index].stays.append(RecordedParticipant.Stay(from: time))
            }
        case .participantLeft(let id, let reason):
            guard let index = participants.firstIndex(where: { $0.id == id }),
                let last = participants[index].stays.indices.last, participants[index].stays[last].to == nil
            else { return false }
            participants[index].stays[last].to = time
            participants[index].stays[last].departure = reason
        case .participantRenamed(let id, let name):
            if bot?.id == id {
                bot?.name = name
            } else {
                participants[indexOfParticipant(id)].name = name
            }
        case .trackPublished, .trackUnpublished, .trackStarted, .trackEnded, .trackMuted, .trackReceiving,
            .trackRotated, .speaking,
            .layerRequested, .layerForwarded, .chat, .chatJoined, .chatLeft, .chatDropped, .chatAvailable,
            .connectionChanged, .notice:
            return false
        }
        return true
    }

    /// The display name of somebody; empty when they have none or are not known.
    package func name(of id: ParticipantID) -> String {
        if bot?.id == id { return bot?.name ?? "" }
        return participants.first { $0.id == id }?.name ?? ""
    }

    /// Ends the stays that still last.
    package mutating func endStays(at time: TimelineTime) {
        for index in participants.indices {
            if let last = participants[index].stays.indices.last, participants[index].stays[last].to == nil {
                participants[index].stays[last].to = max(time, participants[index].stays[last].from)
            }
        }
    }

    /// Whether somebody with this stay, who is there now, was there all the while that nobody recorded.
    private func goesOn(_ stay: RecordedParticipant.Stay?, at time: TimelineTime) -> Bool {
        guard let stay, let interruption = interruptions.last, stay.departure == nil, let end = stay.to else {
            return false
        }
        // Stays end with the recording, of which a last frame may sound a little longer; who is there already is told of at
        // once.
        return max(interruption.from, stay.from) - end <= .seconds(1) && time - interruption.to <= .seconds(10)
    }

    private mutating func indexOfParticipant(_ id: ParticipantID) -> Int {
        if let index = participants.firstIndex(where: { $0.id == id }) { return index }
        participants.append(RecordedParticipant(id: id, name: ""))
        return participants.count - 1
    }
}
