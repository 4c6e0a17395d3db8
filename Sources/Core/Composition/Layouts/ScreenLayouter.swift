package import MediaTypes

/// A shared screen is large, the people are in a strip beside it; several screens share the large place, unless the one
/// of who is pinned has it. Without a screen it is the plain grid.
package struct ScreenLayouter: Layouter {
    private let options: LayoutOptions
    private let gap: Int

    package init(_ options: LayoutOptions = LayoutOptions()) {
        self.options = options
        gap = max(0, options.gap ?? 4) & ~1
    }

    package func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let contentMode = options.contentMode ?? .fit
        let entrance = options.entrance ?? .join
        let subjects = stage.tileSubjects(from: entrance)
        let screens = subjects.filter { $0.kind == .screen }
        guard !screens.isEmpty else {
            return GridLayouter(gap: gap, contentMode: contentMode, entrance: entrance)
                .scene(of: stage, on: canvas, at: time)
        }
        let pinned = screens.filter { $0.participant == options.pinned ?? options.full }
        let large = pinned.isEmpty ? screens : pinned
        let small = subjects.filter { !large.contains($0) }
        let places = LargeAndStrip(smalls: small.count, on: canvas, gap: gap)
        let area = FractionalRectangle(places.large.size)
        let cells = CellGrid.balanced(count: large.count, in: area, gap: Double(gap)).cells(large.count)
        let tiles =
            Scene(on: places.large.size, large, in: cells, contentMode).tiles(in: places.large)
            + zip(small, places.smalls).map { $0.tile(in: $1, contentMode) }
        return Scene(canvas: canvas, tiles: tiles)
    }
}
