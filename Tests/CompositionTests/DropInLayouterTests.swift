import Composition
import MediaTypes
import Testing

private func layouter(_ change: (inout LayoutOptions) -> Void = { _ in }) -> DropInLayouter {
    DropInLayouter(options(change))
}

@Suite struct DropInLayouterTests {
    /// HP-01: every row of the table, with and without a viewpoint.
    @Test func halvesEqualTheTable() throws {
        for row in try LayoutTable.grid("dropin") {
            let places = layouter().places(count: row.count, on: row.canvas)
            for viewpoint in [nil, id(1)] {
                let tiles = layouter { $0.viewpoint = viewpoint }.tiles(people(1...row.count), on: row.canvas)
                try LayoutTable.expect(places, tiles.rectangles, equal: row)
            }
        }
    }

    /// HP-01: as coded, the lower tile is as wide as the others, and the upper half is one row.
    @Test func strictIsAsCoded() {
        let strict = layouter { $0.isStrict = true }
        for canvas in [landscape, portrait] {
            let (width, half) = (Double(canvas.width), Double(canvas.height) / 2)
            #expect(strict.places(count: 1, on: canvas) == [FractionalRectangle(canvas)])
            for count in 2...50 {
                let places = strict.places(count: count, on: canvas)
                let side = width / Double(count - 1)
                for (index, place) in places.dropLast().enumerated() {
                    #expect(place.isNear(.init(x: Double(index) * side, y: 0, width: side, height: half)))
                }
                #expect(places.last?.isNear(.init(x: 0, y: half, width: side, height: half)) == true)
            }
        }
        #expect(
            strict.tiles(people(1...4), on: landscape).rectangles.last
                == PixelRectangle(x: 0, y: 360, width: 426, height: 360))
    }

    /// HP-02: somebody without a camera has a tile from joining on.
    @Test func tileIsThereAtJoin() {
        let stage = people(1...2).with(2) {
            $0.camera = nil
            $0.hasBeenSeen = false
            $0.hasTracks = false
        }
        let tiles = layouter().tiles(stage, on: landscape)
        #expect(tiles.map(\.content) == [.picture(TrackID(1)), .avatar] && tiles[1].label == "P2")
    }

    /// HP-03: others in order of joining, oneself or the last of them at the bottom; the rest move up.
    @Test func othersMoveUp() {
        var it: any Layouter = layouter { $0.viewpoint = id(2) }
        #expect(it.next(people([1, 2, 3, 4])).order == ["p1", "p3", "p4", "p2"])
        #expect(it.next(people([2, 3, 4])).order == ["p3", "p4", "p2"])
        it = layouter()
        #expect(it.next(people([1, 2, 3])).order == ["p1", "p2", "p3"])
        let left = it.next(people([2, 3]))
        #expect(left.order == ["p2", "p3"])
        #expect(left.rectangles == layouter().tiles(people(1...2), on: landscape).rectangles)
        #expect(it.next(people([2, 3, 1])).order == ["p2", "p3", "p1"])
    }

    /// HP-11: the lower half shows a whole picture. What fit does to pixels is proved where pictures are placed.
    @Test func uprightPictureIsShownWhole() {
        let tiles = layouter().tiles(people(1...2, size: PixelSize(width: 360, height: 640)), on: landscape)
        #expect(tiles.allSatisfy { $0.contentMode == .fit && $0.rectangle.width == 1280 && $0.rectangle.height == 360 })
    }

    @Test func pagesTurnAboveTheLowerTile() {
        let paged = layouter {
            $0.overflow = .page(every: .seconds(10))
            $0.viewpoint = id(1)
        }
        #expect(paged.tiles(people(1...14), on: landscape).count == 14)
        let first = paged.tiles(people(1...17), on: landscape)
        let second = paged.tiles(people(1...17), on: landscape, at: 10)
        #expect(first.order == (2...14).map { "p\($0)" } + ["p1"] && second.order == ["p15", "p16", "p17", "p1"])
        #expect(first.last == second.last && first[0].rectangle == second[0].rectangle)
    }
}
