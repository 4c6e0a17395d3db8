import MediaTypes
import RecordingFormat
import RoomProtocol

/// One person of a recording, through all their stays, without the others.
struct ParticipantSelection {
    private let participants: Set<ParticipantID>
    private let tracks: Set<TrackID>

    /// - Parameter who: a name or an id, else a track's number, which stands for whose it is. Nil when nobody is it.
    init?(_ who: String, in manifest: RecordingManifest) {
        let named = manifest.participants.filter { $0.name == who || $0.id.value == who }.map(\.id)
        let owner = Int(who).flatMap { number in manifest.tracks.first { $0.id.number == number }?.participant }
        let participants = Set(named.isEmpty ? [owner].compactMap { $0 } : named)
        guard !participants.isEmpty else { return nil }
        self.participants = participants
        tracks = Set(manifest.tracks.filter { participants.contains($0.participant) }.map(\.id))
    }

    func holds(_ track: TrackID) -> Bool { tracks.contains(track) }

    func holds(_ event: RoomEvent) -> Bool {
        switch event {
        case .participantJoined(let participant): participants.contains(participant.id)
        case .participantLeft(let id, _), .participantRenamed(let id, _), .trackPublished(let id, _, _, _),
            .trackUnpublished(let id, _), .trackMuted(let id, _, _), .speaking(let id, _):
            participants.contains(id)
        case .trackStarted(let track): tracks.contains(track.id)
        case .trackEnded(let id), .trackRotated(let id, _), .trackReceiving(let id, _), .layerRequested(let id, _),
            .layerForwarded(let id, _, _):
            tracks.contains(id)
        case .joined, .chat, .chatJoined, .chatLeft, .chatDropped, .chatAvailable, .connectionChanged, .notice: true
        }
    }
}
