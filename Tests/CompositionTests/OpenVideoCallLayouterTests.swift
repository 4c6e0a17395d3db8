import Composition
import MediaTypes
import Testing

private func layouter(_ change: (inout LayoutOptions) -> Void = { _ in }) -> OpenVideoCallLayouter {
    OpenVideoCallLayouter(options(change))
}

@Suite struct OpenVideoCallLayouterTests {
    /// OVC-04 and OVC-08: every row of the table without a viewpoint, and with one wherever the app has a grid.
    @Test func gridEqualsTheTable() throws {
        for row in try LayoutTable.grid("openvideocall") {
            let places = layouter().places(count: row.count, on: row.canvas)
            for viewpoint in [nil, id(1)] where viewpoint == nil || row.count != 2 {
                let tiles = layouter { $0.viewpoint = viewpoint }.tiles(people(1...row.count), on: row.canvas)
                try LayoutTable.expect(places, tiles.rectangles, equal: row)
                #expect(tiles.last?.participant == (viewpoint ?? id(row.count)))
            }
        }
    }

    /// OVC-04 and OVC-05: the worked values, exact and snapped.
    @Test(
        arguments: [
            (landscape, PixelSize(width: 640, height: 360), (955, 64, 320, 180), (956, 64, 320, 180)),
            (landscape, PixelSize(width: 360, height: 640), (955, 64, 320, 180), (956, 64, 320, 180)),
            (landscape, PixelSize(width: 640, height: 480), (955, 64, 320, 240), (956, 64, 320, 240)),
            (landscape, nil, (955, 64, 320, 180), (956, 64, 320, 180)),
            (portrait, PixelSize(width: 360, height: 640), (535, 64, 180, 320), (536, 64, 180, 320)),
            (portrait, PixelSize(width: 640, height: 360), (535, 64, 180, 320), (536, 64, 180, 320)),
            (portrait, PixelSize(width: 640, height: 480), (535, 64, 180, 240), (536, 64, 180, 240)),
            (portrait, nil, (535, 64, 180, 320), (536, 64, 180, 320)),
        ] as [(PixelSize, PixelSize?, (Double, Double, Double, Double), (Int, Int, Int, Int))])
    func ownPictureIsInTheCorner(
        canvas: PixelSize, camera: PixelSize?, exact: (Double, Double, Double, Double), snapped: (Int, Int, Int, Int)
    ) {
        let place = layouter().corner(camera, on: canvas)
        #expect(place.isNear(FractionalRectangle(x: exact.0, y: exact.1, width: exact.2, height: exact.3)))
        let tiles = layouter { $0.viewpoint = id(1) }.tiles(people(1...2, size: camera), on: canvas)
        let corner = PixelRectangle(x: snapped.0, y: snapped.1, width: snapped.2, height: snapped.3)
        #expect(tiles.order == ["p2", "p1"] && tiles.rectangles == [PixelRectangle(canvas), corner])
    }

    /// OVC-05: a camera that falls silent does not change the corner's shape.
    @Test func cornerKeepsItsShape() {
        var it = layouter { $0.viewpoint = id(1) }
        let stage = people(1...2, size: PixelSize(width: 640, height: 480))
        let corner = it.next(stage)[1].rectangle
        let silent = it.next(stage.with(1) { $0.camera = nil })
        #expect(silent[1].rectangle == corner && silent[1].content == .avatar)
    }

    /// OVC-06: absent only if there are two and its own video is muted.
    @Test func ownPictureIsHiddenOnlyWhenMutedInACallOfTwo() {
        let me = layouter { $0.viewpoint = id(1) }
        for (count, shown) in [(1, 1), (2, 1), (3, 3), (4, 4), (5, 5)] {
            let muted = people(1...count).with(1) {
                $0.camera = nil
                $0.isCameraMuted = true
            }
            let tiles = me.tiles(muted, on: landscape)
            #expect(tiles.count == shown && tiles.contains { $0.participant == id(1) } == (count != 2))
            #expect(me.tiles(people(1...count), on: landscape).count == count)
        }
        let silent = people(1...2).with(1) { $0.camera = nil }
        #expect(me.tiles(silent, on: landscape).count == 2)
    }

    /// OVC-07: the strip equals its table, fitted and, when strict, as the app lays it.
    @Test func fullAndStripEqualTheTable() throws {
        for row in try LayoutTable.rows("openvideocall-strip") {
            let canvas = try #require(PixelSize(text: row[0][...]))
            let count = try #require(Int(row[1]))
            let asTheApp = try LayoutTable.exact(row[2])
            let fitted = row[3] == "same" ? asTheApp : try LayoutTable.exact(row[3])
            let strict = layouter { $0.isStrict = true }.strip(count: count, on: canvas)
            #expect(strict == asTheApp)
            let places = layouter().strip(count: count, on: canvas)
            #expect(places.count == count && zip(places, fitted).allSatisfy { $0.isNear($1) })
            for viewpoint in [nil, id(1)] {
                let it = layouter {
                    $0.full = id(2)
                    $0.viewpoint = viewpoint
                }
                let tiles = it.tiles(people(1...count + 1), on: canvas)
                #expect(tiles.rectangles == [PixelRectangle(canvas)] + (try LayoutTable.snapped(row[4])))
                let others = viewpoint == nil ? [1] + (3...5) : (3...5) + [1]
                let peers = viewpoint == nil ? others.prefix(count) : others.prefix(count - 1) + [1]
                #expect(tiles.order == ([2] + peers).map { "p\($0)" })
            }
        }
    }

    /// OVC-07: of many, the strip has the first four peers, and oneself only if there is room.
    @Test func stripHasFour() {
        func order(_ count: Int, full: Int, _ change: (inout LayoutOptions) -> Void = { _ in }) -> [String] {
            let it = layouter {
                $0.viewpoint = id(1)
                $0.full = id(full)
                change(&$0)
            }
            return it.tiles(people(1...count), on: landscape).order
        }
        #expect(order(5, full: 3) == ["p3", "p2", "p4", "p5", "p1"])
        #expect(order(6, full: 3) == ["p3", "p2", "p4", "p5", "p6"])
        #expect(order(6, full: 1) == ["p1", "p2", "p3", "p4", "p5"])
        #expect(order(8, full: 3) { $0.stripMaximum = 7 } == ["p3", "p2", "p4", "p5", "p6", "p7", "p8", "p1"])
        #expect(order(8, full: 3) { $0.isStrict = true } == ["p3", "p2", "p4", "p5", "p6"])
    }

    /// OVC-07: a strict strip may leave the canvas, as the app's scrolls.
    @Test func strictStripIsCutOffAtTheEdge() {
        let strict = layouter {
            $0.isStrict = true
            $0.full = id(1)
        }
        #expect(
            strict.tiles(people(1...5), on: landscape)[4].rectangle
                == PixelRectangle(x: 952, y: 622, width: 320, height: 98))
        #expect(
            strict.tiles(people(1...5), on: portrait)[4].rectangle
                == PixelRectangle(x: 576, y: 64, width: 144, height: 320))
    }

    /// OVC-07: refused at two, cleared when that peer leaves and when two are left.
    @Test func fullNeedsThree() {
        for viewpoint in [nil, id(1)] {
            func fresh() -> any Layouter {
                layouter {
                    $0.full = id(2)
                    $0.viewpoint = viewpoint
                }
            }
            let plain = layouter { $0.viewpoint = viewpoint }
            var it = fresh()
            #expect(it.next(people([1, 2])) == plain.tiles(people([1, 2]), on: landscape))
            #expect(it.next(people([1, 2, 3]))[0].rectangle == PixelRectangle(landscape))
            #expect(it.next(people([1, 2])) == plain.tiles(people([1, 2]), on: landscape))
            #expect(it.next(people([1, 2, 3])) == plain.tiles(people([1, 2, 3]), on: landscape))

            it = fresh()
            #expect(it.next(people([1, 2, 3, 4]))[0].participant == id(2))
            #expect(it.next(people([1, 3, 4])) == plain.tiles(people([1, 3, 4]), on: landscape))
            #expect(it.next(people([1, 3, 4, 2])) == plain.tiles(people([1, 3, 4, 2]), on: landscape))
        }
    }

    /// OVC-08: exactly the first four; oneself is last and so not among them.
    @Test func strictShowsTheFirstFour() {
        for count in 5...50 {
            let strict = layouter {
                $0.isStrict = true
                $0.viewpoint = id(1)
            }
            let tiles = strict.tiles(people(1...count), on: portrait)
            #expect(tiles.order == ["p2", "p3", "p4", "p5"])
            #expect(tiles.rectangles == layouter().tiles(people(1...4), on: portrait).rectangles)
        }
    }

    /// OVC-09, the layout's part: a tile appears at the first picture, not before, and stays when it is muted.
    @Test func tileAppearsAtTheFirstPicture() {
        let stage = people(1...3).with(3) {
            $0.camera = nil
            $0.hasBeenSeen = false
        }
        #expect(layouter().tiles(stage, on: landscape).order == ["p1", "p2"])
        #expect(layouter { $0.entrance = .join }.tiles(stage, on: landscape).count == 3)
        #expect(layouter { $0.viewpoint = id(3) }.tiles(stage, on: landscape).count == 3)
        let muted = people(1...3).with(3) { $0.camera = nil }
        #expect(layouter().tiles(muted, on: landscape).map(\.content).last == .avatar)
    }

    @Test func pictureIsShownWhole() {
        #expect(layouter().tiles(people(1...3), on: landscape).allSatisfy { $0.contentMode == .fit })
    }
}
