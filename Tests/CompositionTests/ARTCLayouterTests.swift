import Composition
import MediaTypes
import Testing

private func layouter(_ change: (inout LayoutOptions) -> Void = { _ in }) -> ARTCLayouter {
    ARTCLayouter(options(change))
}

@Suite struct ARTCLayouterTests {
    /// ART-01 and ART-02: every row of the table, with and without a viewpoint.
    @Test func listEqualsTheTable() throws {
        for row in try LayoutTable.grid("artc") {
            let places = layouter().places(count: row.count, on: row.canvas)
            for viewpoint in [nil, id(row.count)] {
                let tiles = layouter { $0.viewpoint = viewpoint }.tiles(people(1...row.count), on: row.canvas)
                try LayoutTable.expect(places, tiles.rectangles, equal: row)
                #expect(tiles.first?.participant == viewpoint ?? id(1))
            }
        }
    }

    /// ART-01: the true height of the content, on both widths.
    @Test func contentHeightEqualsTheTable() throws {
        for row in try LayoutTable.rows("artc-heights") {
            let numbers = try row.map { try #require(Double($0)) }
            #expect(layouter().contentHeight(count: Int(numbers[0]), on: landscape) == numbers[2])
            #expect(layouter().contentHeight(count: Int(numbers[0]), on: portrait) == numbers[4])
        }
    }

    /// ART-01: margins of 24 when nothing overflows.
    @Test func marginsAre24() {
        for count in 1...6 {
            let places = layouter().places(count: count, on: portrait)
            #expect(places[0].x == 24 && places[0].y == 24)
            #expect(count < 2 || places[1].x - places[0].x - places[0].width == 24)
            #expect(count < 2 || places[1].x + places[1].width == 720 - 24)
            #expect(count < 3 || places[2].y - places[0].y - places[0].height == 24)
        }
        let other = layouter {
            $0.margin = 10
            $0.gap = 4
        }
        let places = other.places(count: 2, on: portrait)
        #expect(
            places == [
                .init(x: 10, y: 10, width: 348, height: 348), .init(x: 362, y: 10, width: 348, height: 348),
            ])
    }

    /// ART-02: nobody is missing up to 50; 3 and 4 scaled to 339.75, 16 reflowed to 6x3 of 185.33.
    @Test func nobodyIsMissing() {
        for canvas in [landscape, portrait] {
            for count in 1...50 { #expect(layouter().tiles(people(1...count), on: canvas).count == count) }
        }
        for count in 3...4 { #expect(layouter().places(count: count, on: landscape)[0].width == 339.75) }
        let sixteen = layouter().places(count: 16, on: landscape)
        #expect(sixteen.prefix { $0.y == sixteen[0].y }.count == 6 && abs(sixteen[0].width - 185.33) < 0.00501)
        let early = layouter { $0.overflow = .reflow }.places(count: 3, on: landscape)
        #expect(early.prefix { $0.y == early[0].y }.count == 3)
    }

    /// ART-13: an audio-only host has a tile; video off clears the picture; both off removes the tile, and so does going.
    @Test func tileIsThereWhileThereIsATrack() {
        var it: any Layouter = layouter()
        let stage = people(1...2)
        let audioOnly = stage.with(2) {
            $0.camera = nil
            $0.hasBeenSeen = false
        }
        #expect(it.next(audioOnly).map(\.content) == [.picture(TrackID(1)), .avatar])
        #expect(it.next(stage).map(\.content) == [.picture(TrackID(1)), .picture(TrackID(2))])
        #expect(it.next(stage.with(2) { $0.camera = nil }).map(\.content) == [.picture(TrackID(1)), .avatar])
        let silent = stage.with(2) {
            $0.camera = nil
            $0.hasTracks = false
        }
        #expect(it.next(silent).order == ["p1"])
        #expect(it.next(stage).count == 2)
        #expect(it.next(people([1])).order == ["p1"])
    }

    @Test func strictIsTheFirstScreenOfTheList() {
        let tiles = layouter { $0.isStrict = true }.tiles(people(1...9), on: landscape)
        #expect(tiles.order == ["p1", "p2", "p3", "p4"])
        #expect(tiles[2].rectangle == PixelRectangle(x: 24, y: 652, width: 604, height: 68))
        let paged = layouter { $0.overflow = .page(every: .seconds(1)) }
        #expect(paged.tiles(people(1...9), on: landscape, at: 4).order == ["p9"])
    }
}
