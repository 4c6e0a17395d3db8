import Composition
import MediaTypes
import Testing

@Test func whatIsMarkedOnTilesIsNoPartOfTheArrangement() {
    let quiet = people(1...3)
    let loud = quiet.with(2) { $0.isSpeaking = true }.with(3) { $0.isMicrophoneMuted = true }
    let layouter = GridLayouter()
    let (before, after) = (
        layouter.scene(of: quiet, on: landscape, at: .zero), layouter.scene(of: loud, on: landscape, at: .zero)
    )
    #expect(before != after && before.arrangement == after.arrangement)
    #expect(after.tiles[1].state == Tile.State(isSpeaking: true))
    #expect(after.tiles[2].state == Tile.State(isMicrophoneMuted: true))
    let fewer = layouter.scene(of: people(1...2), on: landscape, at: .zero)
    #expect(fewer.arrangement != before.arrangement)
}

@Test func aScreenIsNotMarked() {
    let stage = people(1...1).with(1) {
        $0.isSpeaking = true
        $0.furtherPictures = [.init(track: TrackID(9), source: .screenShare)]
    }
    #expect(stage.tileSubjects.map(\.state.isSpeaking) == [true, false])
}
