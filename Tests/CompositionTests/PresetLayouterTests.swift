import Composition
import MediaTypes
import Testing

private func layouter(
    _ preset: PresetLayouter.Preset, _ change: (inout LayoutOptions) -> Void = { _ in }
) -> PresetLayouter {
    PresetLayouter(preset, options(change))
}

private let presets: [String: PresetLayouter.Preset] = [
    "floating": .floating, "best-fit": .bestFit, "vertical": .vertical,
]

@Suite struct PresetLayouterTests {
    /// ALL-04: every row of the table.
    @Test func presetsEqualTheTable() throws {
        for row in try LayoutTable.rows("presets") {
            let preset = try #require(presets[row[0]])
            let count = try #require(Int(row[1]))
            for (canvas, second, last) in [(landscape, row[2], row[3]), (portrait, row[4], row[5])] {
                let places = layouter(preset).places(count: count, on: canvas)
                #expect(places.count == count)
                #expect(try places[1].isNear(LayoutTable.exact(second)[0]), "\(row[0]) \(count)")
                #expect(try places[count - 1].isNear(LayoutTable.exact(last)[0]), "\(row[0]) \(count)")
            }
        }
    }

    /// ALL-04: what holds between the table's rows, for 1 to 17.
    @Test func presetsKeepTheirShape() {
        for count in 1...17 {
            let best = layouter(.bestFit).places(count: count, on: landscape)
            let columns = [1: 1, 2: 2, 3: 2, 4: 2][count] ?? (count <= 9 ? 3 : count <= 16 ? 4 : 5)
            let rows = count == 2 ? 1 : columns
            #expect(
                best.allSatisfy {
                    $0.isNear(
                        .init(x: $0.x, y: $0.y, width: 1280 / Double(columns), height: 720 / Double(rows)))
                })
            let floating = layouter(.floating).places(count: count, on: landscape)
            #expect(floating[0] == FractionalRectangle(landscape))
            #expect(floating.dropFirst().allSatisfy { $0.isNear(.init(x: $0.x, y: $0.y, width: 300.8, height: 169.2)) })
            let vertical = layouter(.vertical).places(count: count, on: landscape)
            let large = count == 1 ? 1 : count <= 5 || count >= 10 ? 0.8 : count <= 7 ? 6.0 / 7 : 8.0 / 9
            #expect(vertical[0].isNear(.init(x: 0, y: 0, width: 1280 * large, height: 720)))
        }
    }

    @Test func whoIsPinnedIsLarge() {
        #expect(
            layouter(.vertical) { $0.pinned = id(3) }.tiles(people(1...4), on: landscape).order
                == ["p3", "p1", "p2", "p4"])
        #expect(layouter(.floating) { $0.pinned = id(9) }.tiles(people(1...2), on: landscape).order == ["p1", "p2"])
        let strict = layouter(.vertical) {
            $0.pinned = id(9)
            $0.isStrict = true
        }
        let small = strict.tiles(people(1...3), on: landscape)
        #expect(
            small.rectangles == Array(layouter(.vertical).tiles(people(1...4), on: landscape).rectangles.dropFirst()))
    }

    @Test(arguments: [PresetLayouter.Preset.floating, .bestFit, .vertical])
    func moreThanSeventeen(preset: PresetLayouter.Preset) {
        for count in 18...50 {
            #expect(layouter(preset) { $0.isStrict = true }.tiles(people(1...count), on: landscape).count == 17)
            #expect(layouter(preset).tiles(people(1...count), on: landscape).count == count)
        }
        let paged = layouter(preset) { $0.overflow = .page(every: .seconds(1)) }
        let fixed = preset == .bestFit ? [] : ["p1"]
        let second = paged.tiles(people(1...20), on: landscape, at: 1).order
        #expect(second == fixed + ["p18", "p19", "p20"])
    }
}
