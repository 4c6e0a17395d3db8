import Composition
import MediaTypes
import RoomProtocol
import Testing

private func at(_ seconds: Double) -> TimelineTime { TimelineTime(microseconds: Int64(seconds * 1_000_000)) }

private func publication(_ id: Int, of who: String, _ source: TrackSource = .camera) -> TrackPublication {
    TrackPublication(
        id: TrackID(id), participant: ParticipantID(who), kind: source == .microphone ? .audio : .video, source: source,
        codec: source == .microphone ? .opus : .vp8, description: "", publishedAs: MediaSectionID("m\(id)"),
        section: MediaSectionID("s\(id)"))
}

private func frame(_ seconds: Double, key: Bool = false) -> EncodedFrame {
    EncodedFrame(codec: .vp8, time: at(seconds), isKeyframe: key, payload: [])
}

/// What is on stage in a few letters: `a` the avatar of a, `a+3` a's camera is track 3, `a+3+4` with a further picture.
private func summary(_ director: inout SceneDirector, _ seconds: Double) -> [String] {
    director.stage(at: at(seconds)).people.map { person in
        let further = person.furtherPictures.map { "+\($0.track)" }.joined()
        return person.id.value + (person.camera.map { "+\($0.track)" } ?? "") + further
    }
}

private func director(with people: String...) -> SceneDirector {
    var director = SceneDirector()
    for id in people {
        director.handle(.participantJoined(Participant(id: ParticipantID(id), name: id.uppercased())), at: .zero)
    }
    return director
}

@Test func peopleComeInOrderOfArrivalAndReturnLast() {
    var it = director(with: "a", "b", "c")
    it.handle(.participantLeft(ParticipantID("a"), .quit), at: at(1))
    #expect(summary(&it, 1) == ["b", "c"])
    it.handle(.participantJoined(Participant(id: ParticipantID("a"), name: "A")), at: at(2))
    #expect(summary(&it, 2) == ["b", "c", "a"])
}

@Test func botIsNeverOnStage() {
    var it = SceneDirector()
    it.handle(.joined(Participant(id: ParticipantID("bot"), name: "Recorder"), roomDescription: "r"), at: .zero)
    it.handle(.participantJoined(Participant(id: ParticipantID("bot"), name: "Recorder")), at: .zero)
    it.handle(.trackStarted(publication(1, of: "bot")), at: .zero)
    #expect(summary(&it, 0) == [])
}

@Test func trackAloneBringsItsOwnerOnStage() {
    var it = SceneDirector()
    it.handle(.trackStarted(publication(1, of: "a", .microphone)), at: .zero)
    it.handle(.participantRenamed(ParticipantID("a"), name: "Ana"), at: at(1))
    #expect(it.stage(at: at(1)).people.map(\.name) == ["Ana"])
}

@Test func pictureBeginsWithAKeyframe() {
    var it = director(with: "a")
    it.handle(.trackStarted(publication(1, of: "a")), at: .zero)
    it.handle(frame(0.1), of: TrackID(1))
    #expect(summary(&it, 0.1) == ["a"])
    it.handle(frame(0.2, key: true), of: TrackID(1))
    #expect(summary(&it, 0.2) == ["a+1"])
    it.handle(.trackEnded(TrackID(1)), at: at(1))
    #expect(summary(&it, 1) == ["a"])
}

@Test func mutedCameraGivesWayToTheAvatarUntilItsNextFrame() {
    var it = director(with: "a")
    let track = publication(1, of: "a")
    it.handle(.trackStarted(track), at: .zero)
    it.handle(frame(0, key: true), of: track.id)
    it.handle(.trackMuted(track.participant, publishedAs: track.publishedAs, isMuted: true), at: at(1))
    it.handle(frame(1.02), of: track.id)
    #expect(summary(&it, 1.1) == ["a"])
    it.handle(.trackMuted(track.participant, publishedAs: track.publishedAs, isMuted: false), at: at(2))
    #expect(summary(&it, 2) == ["a"])
    it.handle(frame(2.5), of: track.id)
    #expect(summary(&it, 2.5) == ["a+1"])
}

@Test func muteMayComeBeforeTheTrack() {
    var it = director(with: "a")
    let track = publication(1, of: "a")
    it.handle(.trackMuted(track.participant, publishedAs: track.publishedAs, isMuted: true), at: .zero)
    it.handle(.trackStarted(track), at: .zero)
    it.handle(frame(0, key: true), of: track.id)
    #expect(summary(&it, 0) == ["a"])
}

@Test func silentCameraIsGivenUpAfterThreeSecondsAndScreensNever() {
    var it = director(with: "a", "b")
    it.handle(.trackStarted(publication(1, of: "a")), at: .zero)
    it.handle(.trackStarted(publication(2, of: "b", .screenShare)), at: .zero)
    it.handle(frame(0, key: true), of: TrackID(1))
    it.handle(frame(0, key: true), of: TrackID(2))
    #expect(summary(&it, 3) == ["a+1", "b+2"])
    #expect(summary(&it, 3.01) == ["a", "b+2"])
    #expect(summary(&it, 600) == ["a", "b+2"])
    it.handle(frame(601), of: TrackID(1))
    #expect(summary(&it, 601) == ["a+1", "b+2"])
}

@Test func secondCameraIsAFurtherPicture() {
    var it = director(with: "a")
    for id in [1, 2] {
        it.handle(.trackStarted(publication(id, of: "a")), at: .zero)
        it.handle(frame(0, key: true), of: TrackID(id))
    }
    #expect(summary(&it, 0) == ["a+1+2"])
    it.handle(.trackUnpublished(ParticipantID("a"), publishedAs: MediaSectionID("m1")), at: at(1))
    #expect(summary(&it, 1) == ["a+2"])
}

/// ARC-13: who can be heard through one of two microphones is not muted, and who has none is not either.
@Test func microphoneIsMutedWhenAllOfThemAre() {
    var it = director(with: "a", "b")
    let tracks = [1, 2].map { publication($0, of: "a", .microphone) }
    func isMuted(_ seconds: Double) -> [Bool] { it.stage(at: at(seconds)).people.map(\.isMicrophoneMuted) }
    for track in tracks { it.handle(.trackStarted(track), at: .zero) }
    #expect(isMuted(0) == [false, false])
    for (second, track) in tracks.enumerated() {
        it.handle(.trackMuted(track.participant, publishedAs: track.publishedAs, isMuted: true), at: at(Double(second)))
        #expect(isMuted(Double(second)) == [second == 1, false])
    }
    it.handle(.trackMuted(tracks[0].participant, publishedAs: tracks[0].publishedAs, isMuted: false), at: at(2))
    #expect(isMuted(2) == [false, false])
}
