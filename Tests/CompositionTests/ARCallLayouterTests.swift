import Composition
import MediaTypes
import Testing

private func layouter(_ change: (inout LayoutOptions) -> Void = { _ in }) -> ARCallLayouter {
    ARCallLayouter(options(change))
}

@Suite struct ARCallLayouterTests {
    /// ARC-01 and ARC-03: every row of the table, with and without a viewpoint.
    @Test func groupEqualsTheTable() throws {
        for row in try LayoutTable.grid("arcall") {
            let places = layouter().places(count: row.count, on: row.canvas)
            for viewpoint in [nil, id(row.count)] {
                let group = layouter {
                    $0.viewpoint = viewpoint
                    $0.isOneToOne = false
                }
                let tiles = group.tiles(people(1...row.count), on: row.canvas)
                try LayoutTable.expect(places, tiles.rectangles, equal: row)
                #expect(tiles.first?.participant == viewpoint ?? id(1))
            }
            #expect(places.allSatisfy { abs($0.width - $0.height) < 1e-9 })
        }
    }

    /// ARC-01: rows are even: each tile is one tile and one gap from its neighbours, without the app's drift.
    @Test func rowsDoNotDrift() {
        for count in 2...50 {
            let places = layouter().places(count: count, on: portrait)
            let columns = places.prefix { $0.y == places[0].y }.count
            for (index, place) in places.enumerated() {
                let row = Double(index / columns), column = Double(index % columns)
                let pitch = places[0].width + 1
                #expect(
                    place.isNear(
                        .init(
                            x: places[0].x + column * pitch, y: places[0].y + row * pitch, width: places[0].width,
                            height: places[0].width)))
            }
        }
    }

    /// ARC-01: the app's own numbers, on a canvas that is long enough.
    @Test func nativeNumbersEqualTheTable() throws {
        for row in try LayoutTable.rows("arcall-native") {
            let numbers = try row.map { try #require(Double($0)) }
            let count = Int(numbers[0])
            for (width, side, height) in [(1280, numbers[3], numbers[4]), (720, numbers[5], numbers[6])] {
                let canvas = PixelSize(width: width, height: 4000)
                let places = layouter().places(count: count, on: canvas)
                #expect(abs(places[0].width - side) < 0.00501)
                #expect(abs(layouter().contentHeight(count: count, on: canvas) - height) < 0.00501)
                #expect(Set(places.map { Int($0.y.rounded()) }).count == Int(numbers[2]))
                #expect(places.prefix { $0.y == places[0].y }.count == min(count, Int(numbers[1])))
            }
        }
    }

    /// ARC-03: on 1280x720, 25 are scaled to 143.2 and 50 reflowed to 10x5 of 127.1; on 720x1280, 50 are scaled 5x10.
    @Test func overflowScalesAndThenReflows() {
        func shape(_ count: Int, _ canvas: PixelSize) -> (columns: Int, rows: Int, side: Double) {
            let places = layouter().places(count: count, on: canvas)
            return (Set(places.map(\.x)).count, Set(places.map(\.y)).count, places[0].width)
        }
        #expect(shape(25, landscape) == (5, 5, 143.2))
        let reflowed = shape(50, landscape)
        #expect(reflowed.columns == 10 && reflowed.rows == 5 && abs(reflowed.side - 127.1) < 1e-9)
        let scaled = shape(50, portrait)
        #expect(scaled.columns == 5 && scaled.rows == 10 && abs(scaled.side - 127.1) < 1e-9)
        let early = layouter { $0.overflow = .reflow }.places(count: 5, on: landscape)
        #expect(early.prefix { $0.y == early[0].y }.count == 3)
        let wide = layouter { $0.overflow = .reflow }.places(count: 25, on: landscape)
        #expect(wide.prefix { $0.y == wide[0].y }.count == 7 && wide[0].width > 143.2)
    }

    /// ARC-04: the worked values, exact and snapped; choosing who is full exchanges the two.
    @Test(arguments: [
        (
            landscape, FractionalRectangle(x: 1172, y: 88, width: 95, height: 157),
            PixelRectangle(x: 1172, y: 88, width: 96, height: 158)
        ),
        (
            portrait, FractionalRectangle(x: 612, y: 88, width: 95, height: 157),
            PixelRectangle(x: 612, y: 88, width: 96, height: 158)
        ),
    ])
    func oneToOne(canvas: PixelSize, exact: FractionalRectangle, small: PixelRectangle) {
        #expect(layouter().small(on: canvas) == exact)
        let places = [PixelRectangle(canvas), small]
        for (full, order) in [(nil, ["p1", "p2"]), (id(2), ["p2", "p1"]), (id(1), ["p1", "p2"])] {
            let it = layouter {
                $0.viewpoint = id(2)
                $0.full = full
            }
            let tiles = it.tiles(people(1...2), on: canvas)
            #expect(tiles.order == order && tiles.rectangles == places)
        }
        // Nobody's view: side by side, unless it is asked for.
        #expect(layouter().tiles(people(1...2), on: canvas).rectangles != places)
        let asked = layouter { $0.isOneToOne = true }
        #expect(asked.tiles(people(1...2), on: canvas).rectangles == places)
        #expect(asked.tiles(people(1...2), on: canvas).order == ["p1", "p2"])
        #expect(asked.tiles(people([2]), on: canvas).rectangles == [PixelRectangle(canvas)])
        #expect(asked.tiles(people(1...3), on: canvas).count == 3)
    }

    @Test func strictShowsTheFirstScreenOfTheList() {
        let strict = layouter { $0.isStrict = true }
        let tiles = strict.tiles(people(1...3), on: landscape)
        #expect(tiles.order == ["p1", "p2", "p3"])
        #expect(tiles[2].rectangle == PixelRectangle(x: 0, y: 640, width: 640, height: 80))
        #expect(strict.tiles(people(1...50), on: landscape).count == 15)
    }

    @Test func pagesAreWholeRows() {
        let paged = layouter { $0.overflow = .page(every: .seconds(3)) }
        #expect(paged.tiles(people(1...50), on: landscape).order == (1...10).map { "p\($0)" })
        #expect(paged.tiles(people(1...50), on: landscape, at: 14.9).order == (41...50).map { "p\($0)" })
        #expect(paged.tiles(people(1...50), on: landscape, at: 15).order == (1...10).map { "p\($0)" })
    }
}
