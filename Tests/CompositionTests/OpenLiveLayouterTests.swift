import Composition
import MediaTypes
import Testing

private func layouter(_ change: (inout LayoutOptions) -> Void = { _ in }) -> OpenLiveLayouter {
    OpenLiveLayouter(options(change))
}

@Suite struct OpenLiveLayouterTests {
    /// OL-04 and OL-06: every row of the table, with and without a viewpoint.
    @Test func gridEqualsTheTable() throws {
        for row in try LayoutTable.grid("openlive") {
            let places = layouter().places(count: row.count, on: row.canvas)
            for viewpoint in [nil, id(row.count)] {
                let tiles = layouter { $0.viewpoint = viewpoint }.tiles(people(1...row.count), on: row.canvas)
                try LayoutTable.expect(places, tiles.rectangles, equal: row)
            }
        }
    }

    /// OL-04.
    @Test func gapIsHalfAPointBeforeSnapping() {
        for canvas in [landscape, portrait] {
            let two = layouter().places(count: 2, on: canvas)
            #expect(two[1].y - two[0].y - two[0].height == 0.5 && two[0].width == Double(canvas.width))
            let four = layouter().places(count: 4, on: canvas)
            #expect(four[1].x - four[0].width == 0.5 && four[2].y - four[0].height == 0.5)
        }
    }

    /// OL-06: strict shows the first four, in the four quadrants.
    @Test func strictShowsFour() {
        for count in 5...50 {
            for (viewpoint, first) in [(nil, "p1"), (id(count), "p\(count)")] {
                let strict = layouter {
                    $0.isStrict = true
                    $0.viewpoint = viewpoint
                }
                let tiles = strict.tiles(people(1...count), on: landscape)
                #expect(tiles.count == 4 && tiles[0].participant.value == first)
                #expect(tiles.rectangles == layouter().tiles(people(1...4), on: landscape).rectangles)
            }
        }
    }

    /// OL-05: as worked in the specification, and 3 when strict.
    @Test(arguments: [landscape, portrait])
    func fullHasSmallsAlongTheTop(canvas: PixelSize) {
        let smalls = [5, 110, 215, 320].map { PixelRectangle(x: $0 & 1 + $0, y: 66, width: 100, height: 100) }
        #expect(
            layouter().smalls(count: 4, on: canvas)
                == [5, 110, 215, 320].map { FractionalRectangle(x: $0, y: 65, width: 100, height: 100) })
        for isStrict in [false, true] {
            let full = layouter {
                $0.full = id(3)
                $0.isStrict = isStrict
            }
            let tiles = full.tiles(people(1...5), on: canvas)
            #expect(tiles.order == ["p3", "p1", "p2", "p4"] + (isStrict ? [] : ["p5"]))
            #expect(tiles.rectangles == [PixelRectangle(canvas)] + smalls.prefix(isStrict ? 3 : 4))
        }
    }

    /// OL-05: 12 in a row at 1280 and 6 at 720; as many rows as fit.
    @Test func smallsFillRows() {
        let wide = layouter().smalls(count: 49, on: landscape)
        #expect(wide.count == 49 && wide[11].x == 1160 && wide[12] == .init(x: 5, y: 170, width: 100, height: 100))
        let upright = layouter().smalls(count: 49, on: portrait)
        #expect(upright.count == 49 && upright[5].x == 530 && upright[6].y == 170)
        #expect(layouter().smalls(count: 100, on: landscape).count == 72)
        #expect(layouter().smalls(count: 9, on: PixelSize(width: 64, height: 64)).isEmpty)
    }

    /// OL-05: whoever is full may be alone; leaving ends it.
    @Test func fullEndsWithLeaving() {
        var it: any Layouter = layouter { $0.full = id(2) }
        #expect(it.next(people([1])).count == 1)
        #expect(it.next(people([1, 2])).order == ["p2", "p1"])
        #expect(it.next(people([2])).rectangles == [PixelRectangle(landscape)])
        #expect(it.next(people([1])).order == ["p1"])
        #expect(it.next(people([1, 2])).order == ["p1", "p2"])
    }

    /// OL-09: the tile is filled. What crop does to pixels is proved where pictures are placed.
    @Test func pictureFillsItsTile() {
        for full in [nil, id(1)] {
            let tiles = layouter { $0.full = full }.tiles(people(1...3), on: landscape)
            #expect(tiles.allSatisfy { $0.contentMode == .crop })
        }
        #expect(layouter { $0.contentMode = .fit }.tiles(people([1]), on: landscape)[0].contentMode == .fit)
    }

    @Test func audienceHasNoTile() {
        let stage = people(1...3).with(2) { $0.hasTracks = false }
        #expect(layouter().tiles(stage, on: landscape).order == ["p1", "p3"])
        #expect(layouter { $0.entrance = .join }.tiles(stage, on: landscape).count == 3)
    }

    @Test func pagesAreOfFour() {
        let paged = layouter { $0.overflow = .page(every: .seconds(5)) }
        #expect(paged.tiles(people(1...6), on: landscape, at: 4.9).order == ["p1", "p2", "p3", "p4"])
        let second = paged.tiles(people(1...6), on: landscape, at: 5)
        #expect(second.order == ["p5", "p6"])
        #expect(second.rectangles == Array(layouter().tiles(people(1...4), on: landscape).rectangles.prefix(2)))
        #expect(paged.tiles(people(1...6), on: landscape, at: 10).order == ["p1", "p2", "p3", "p4"])
    }
}
