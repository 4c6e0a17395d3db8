package import MediaTypes
package import RoomProtocol

/// Decides who and what is on stage: from what happened in the room and which frames came, to the people and pictures
/// of a moment. Events and frames are to be handed in in the order of their times.
///
/// A person is on stage from joining (or from their first track) until leaving, in order of arrival; who comes back is
/// last. A track has a picture from its first keyframe until it ends, except while it is muted. A camera that has sent
/// nothing for `patience` loses its picture to the avatar until it sends again, since a frozen face tells a lie; a screen
/// keeps it, since screens stand still.
package struct SceneDirector {
    /// How long a silent camera's last picture is believed.
    package static let patience = Duration.seconds(3)

    private var bot: ParticipantID?
    private var people: [Member] = []
    /// Video tracks by number of their start.
    private var tracks: [Track] = []
    /// All other tracks: they make no picture, but whoever has one sends something.
    private var sounds: [TrackID: Publication] = [:]
    private var muted: Set<Publication> = []
    private var known: Stage?

    private struct Member {
        var id: ParticipantID
        var name: String
        var isSpeaking = false
        var hasBeenSeen = false
    }

    /// What a participant offers, whether or not it is subscribed to: mutes name this, and may come before the track.
    private struct Publication: Hashable {
        var participant: ParticipantID
        var section: MediaSectionID
    }

    private struct Track {
        var id: TrackID
        var publication: Publication
        var source: TrackSource
        var state = State.waiting
        var size: PixelSize?
        var rotation = PictureRotation.none

        enum State: Equatable {
            /// No whole picture has come yet. A keyframe leads to `showing`.
            case waiting
            /// The picture is on stage; the last frame came at this time. A mute or silence leads to `resting`.
            case showing(since: TimelineTime)
            /// There is a picture, but it is muted or too old. The next frame leads back to `showing`.
            case resting
        }
    }

    package init() {}

    /// Takes in what happened in the room at `time`.
    package mutating func handle(_ event: RoomEvent, at time: TimelineTime) {
        known = nil
        switch event {
        case .joined(let participant, _):
            bot = participant.id
            remove(participant.id)
        case .participantJoined(let participant):
            arrive(participant.id)
            rename(participant.id, to: participant.name)
        case .participantRenamed(let id, let name):
            rename(id, to: name)
        case .participantLeft(let id, _):
            remove(id)
        case .trackStarted(let track):
            arrive(track.participant)
            start(track)
        case .trackEnded(let id):
            tracks.removeAll { $0.id == id }
            sounds[id] = nil
        case .trackUnpublished(let participant, let section):
            let publication = Publication(participant: participant, section: section)
            tracks.removeAll { $0.publication == publication }
            sounds = sounds.filter { $0.value != publication }
            muted.remove(publication)
        case .trackRotated(let id, let rotation):
            if let index = tracks.firstIndex(where: { $0.id == id }) { tracks[index].rotation = rotation }
        case .trackMuted(let participant, let section, let isMuted):
            setMuted(Publication(participant: participant, section: section), isMuted)
        case .speaking(let id, let isSpeaking):
            if let index = people.firstIndex(where: { $0.id == id }) { people[index].isSpeaking = isSpeaking }
        default:
            break  // chat, notices and what servers say of layers and packets change no picture
        }
    }

    /// Takes in that a frame of a video track is there, at the frame's own time. Frames of other tracks are ignored.
    package mutating func handle(_ frame: EncodedFrame, of id: TrackID) {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
        if let size = frame.size, frame.isKeyframe, size != tracks[index].size {
            tracks[index].size = size
            known = nil
        }
        switch tracks[index].state {
        case .waiting where !frame.isKeyframe: return
        case .waiting where muted.contains(tracks[index].publication): tracks[index].state = .resting
        case .resting where muted.contains(tracks[index].publication): return
        case .waiting, .resting:
            tracks[index].state = .showing(since: frame.time)
            see(tracks[index].publication.participant)
            known = nil
        case .showing(let last):
            tracks[index].state = .showing(since: max(last, frame.time))
        }
    }

    /// Who is on stage at `time`, which must not be before anything handed in so far.
    package mutating func stage(at time: TimelineTime) -> Stage {
        for index in tracks.indices where tracks[index].source != .screenShare {
            if case .showing(let last) = tracks[index].state, time - last > Self.patience {
                tracks[index].state = .resting
                known = nil
            }
        }
        if let known { return known }
        let stage = Stage(people: people.map(person))
        known = stage
        return stage
    }

    private func person(_ member: Member) -> Stage.Person {
        let own = tracks.filter { $0.publication.participant == member.id }
        let cameras = own.filter { $0.source != .screenShare }
        let microphones = sounds.values.filter { $0.participant == member.id }
        var person = Stage.Person(
            id: member.id, name: member.name, isSpeaking: member.isSpeaking,
            isMicrophoneMuted: !microphones.isEmpty && microphones.allSatisfy(muted.contains),
            isCameraMuted: !cameras.isEmpty && cameras.allSatisfy { muted.contains($0.publication) },
            hasBeenSeen: member.hasBeenSeen,
            hasTracks: !own.isEmpty || !microphones.isEmpty)
        for track in own {
            guard case .showing = track.state else { continue }
            let picture = Stage.Picture(track: track.id, source: track.source, size: track.size?.turned(track.rotation))
            if person.camera == nil, track.source != .screenShare {
                person.camera = picture
            } else {
                person.furtherPictures.append(picture)
            }
        }
        return person
    }

    private mutating func arrive(_ id: ParticipantID) {
        guard id != bot, !people.contains(where: { $0.id == id }) else { return }
        people.append(Member(id: id, name: ""))
    }

    private mutating func rename(_ id: ParticipantID, to name: String) {
        guard let index = people.firstIndex(where: { $0.id == id }), !name.isEmpty else { return }
        people[index].name = name
    }

    private mutating func see(_ id: ParticipantID) {
        if let index = people.firstIndex(where: { $0.id == id }) { people[index].hasBeenSeen = true }
    }

    private mutating func remove(_ id: ParticipantID) {
        people.removeAll { $0.id == id }
        tracks.removeAll { $0.publication.participant == id }
        sounds = sounds.filter { $0.value.participant != id }
        muted = muted.filter { $0.participant != id }
    }

    private mutating func start(_ track: TrackPublication) {
        guard track.participant != bot, !tracks.contains(where: { $0.id == track.id }) else { return }
        let publication = Publication(participant: track.participant, section: track.publishedAs)
        switch track.kind {
        case .video: tracks.append(Track(id: track.id, publication: publication, source: track.source))
        case .audio: sounds[track.id] = publication
        }
    }

    private mutating func setMuted(_ publication: Publication, _ isMuted: Bool) {
        guard isMuted else {
            muted.remove(publication)
            return
        }
        muted.insert(publication)
        for index in tracks.indices where tracks[index].publication == publication {
            if case .showing = tracks[index].state { tracks[index].state = .resting }
        }
    }
}
