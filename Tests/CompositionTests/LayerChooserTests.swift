import Composition
import MediaTypes
import Testing

/// OL-07: with somebody full the highest layer is asked for them and lower ones for the others; the highest for all without.
@Suite struct LayerChooserTests {
    private func scene(_ name: LayoutName, people: Int, full: Int? = nil, size: PixelSize) -> Scene {
        var options = LayoutOptions()
        options.full = full.map { ParticipantID("\($0)") }
        var layouter = name.layouter(options)
        let stage = Stage(
            people: (1...people).map { number in
                Stage.Person(
                    id: ParticipantID("\(number)"), name: "P\(number)",
                    camera: Stage.Picture(track: TrackID(number), source: .camera))
            })
        return layouter.scene(of: stage, on: size, at: .zero)
    }

    private let hd = PixelSize(width: 1280, height: 720)

    @Test func withSomebodyFullTheOthersGetTheLowest() {
        let tracks = Set((1...4).map { TrackID($0) })
        let layers = LayerChooser.layers(of: tracks, in: scene(.openLive, people: 4, full: 2, size: hd))
        #expect(layers == [TrackID(1): 0, TrackID(2): 2, TrackID(3): 0, TrackID(4): 0])
        // Who has no simulcast is not asked for anything.
        #expect(LayerChooser.layers(of: [TrackID(3)], in: scene(.openLive, people: 4, full: 2, size: hd)).count == 1)
    }

    @Test func withoutAnybodyLargeEverybodyGetsTheHighest() {
        let tracks = Set((1...9).map { TrackID($0) })
        for name in [LayoutName.grid, .openLive, .arCall, .artc, .bestFit] {
            let layers = LayerChooser.layers(of: tracks, in: scene(name, people: 9, size: hd))
            #expect(layers.count == 9 && layers.values.allSatisfy { $0 == 2 }, "\(name)")
        }
        #expect(LayerChooser.layers(of: [TrackID(1)], in: scene(.grid, people: 1, size: hd)) == [TrackID(1): 2])
    }

    @Test func aTileOfMiddlingSizeGetsTheMiddleLayer() {
        // At 2560x1440 the strip of the speaker's layout has tiles of more than 200 rows.
        let layers = LayerChooser.layers(
            of: [TrackID(1), TrackID(2), TrackID(7)],
            in: scene(.speaker, people: 4, size: PixelSize(width: 2560, height: 1440)))
        #expect(layers == [TrackID(1): 2, TrackID(2): 1])
    }
}
