import Composition
import MediaTypes
import Testing

@Suite struct ScreenLayouterTests {
    private func sharing(_ owners: Int..., of count: Int = 4) -> Stage {
        owners.reduce(people(1...count)) {
            $0.with($1) { $0.furtherPictures.append(.init(track: TrackID(100), source: .screenShare)) }
        }
    }

    @Test func screenIsLargeAndPeopleBesideIt() {
        let tiles = ScreenLayouter().tiles(sharing(2), on: landscape)
        #expect(tiles.order == ["p2'", "p1", "p2", "p3", "p4"])
        #expect(tiles[0].rectangle == PixelRectangle(x: 0, y: 0, width: 1020, height: 720))
        #expect(tiles.dropFirst().allSatisfy { $0.rectangle.x >= 1024 })
        #expect(ScreenLayouter().tiles(sharing(2), on: portrait)[0].rectangle.width == 720)
    }

    @Test func withoutAScreenItIsTheGrid() {
        for count in 0...16 {
            let stage = count == 0 ? Stage(people: []) : people(1...count)
            #expect(ScreenLayouter().tiles(stage, on: landscape) == GridLayouter().tiles(stage, on: landscape))
        }
    }

    @Test func severalScreensShareTheLargePlaceUnlessOneIsPinned() {
        let both = ScreenLayouter().tiles(sharing(1, 3), on: landscape)
        #expect(both.order == ["p1'", "p3'", "p1", "p2", "p3", "p4"])
        #expect(both[0].rectangle.size == both[1].rectangle.size && both[1].rectangle.right == 1020)
        let pinned = ScreenLayouter(options { $0.pinned = id(3) }).tiles(sharing(1, 3), on: landscape)
        #expect(pinned.order == ["p3'", "p1", "p1'", "p2", "p3", "p4"])
    }
}
