import Composition
import MediaTypes
import RoomProtocol
import Testing

@Test(arguments: [
    (955.0, 64.0, 320.0, 180.0, PixelRectangle(x: 956, y: 64, width: 320, height: 180)),
    (0, 359.75, 426.33, 0.5, PixelRectangle(x: 0, y: 360, width: 426, height: 0)),
    (1, -3, 1, 9, PixelRectangle(x: 2, y: 0, width: 0, height: 6)),
    (1200, 700, 200, 200, PixelRectangle(x: 1200, y: 700, width: 80, height: 20)),
    (2000, 0, 10, 10, PixelRectangle(x: 1280, y: 0, width: 0, height: 10)),
])
func edgesSnapToTheNearestEvenNumber(x: Double, y: Double, width: Double, height: Double, expected: PixelRectangle) {
    #expect(FractionalRectangle(x: x, y: y, width: width, height: height).snapped(to: landscape) == expected)
}

@Test func aSharedEdgeIsTheSameFromBothSides() {
    for side in stride(from: 300, through: 2000, by: 2) {
        let canvas = PixelSize(width: side, height: side)
        for count in 1...50 {
            let pitch = Double(side) / Double(count)
            let places = (0..<count).map {
                FractionalRectangle(x: Double($0) * pitch, y: 0, width: pitch, height: pitch).snapped(to: canvas)
            }
            #expect(zip(places, places.dropFirst()).allSatisfy { $0.right == $1.x } && places.last?.right == side)
        }
    }
}

private func publication(_ number: Int, _ source: TrackSource) -> TrackPublication {
    TrackPublication(
        id: TrackID(number), participant: id(1), kind: source == .microphone ? .audio : .video, source: source,
        codec: source == .microphone ? .opus : .vp8, description: "", publishedAs: MediaSectionID("m\(number)"),
        section: MediaSectionID("s\(number)"))
}

/// What the stage says of p1: t has tracks, s has been seen, m has muted the camera.
private func marks(_ director: inout SceneDirector) -> String {
    director.stage(at: .zero).people.map {
        ($0.hasTracks ? "t" : "") + ($0.hasBeenSeen ? "s" : "") + ($0.isCameraMuted ? "m" : "")
    }.joined()
}

@Test func stageTellsWhoSendsWhoWasSeenAndWhoMutedTheCamera() {
    var it = SceneDirector()
    it.handle(.participantJoined(Participant(id: id(1), name: "P1")), at: .zero)
    #expect(marks(&it) == "")
    it.handle(.trackStarted(publication(1, .microphone)), at: .zero)
    #expect(marks(&it) == "t")
    it.handle(.trackStarted(publication(2, .camera)), at: .zero)
    it.handle(.trackMuted(id(1), publishedAs: MediaSectionID("m2"), isMuted: true), at: .zero)
    let keyframe = EncodedFrame(codec: .vp8, time: .zero, isKeyframe: true, payload: [])
    it.handle(keyframe, of: TrackID(2))
    #expect(marks(&it) == "tm")
    it.handle(.trackMuted(id(1), publishedAs: MediaSectionID("m2"), isMuted: false), at: .zero)
    it.handle(keyframe, of: TrackID(2))
    #expect(marks(&it) == "ts")
    it.handle(.trackEnded(TrackID(2)), at: .zero)
    #expect(marks(&it) == "ts")
    it.handle(.trackUnpublished(id(1), publishedAs: MediaSectionID("m1")), at: .zero)
    #expect(marks(&it) == "s")
    it.handle(.participantLeft(id(1), .quit), at: .zero)
    it.handle(.participantJoined(Participant(id: id(1), name: "P1")), at: .zero)
    #expect(marks(&it) == "")
}
