package import MediaTypes

/// Agora's OpenLive of 2018: two are stacked, up to four share quadrants; somebody full has the others in small along the
/// top. The app shows four; here further ones make the grid finer.
package struct OpenLiveLayouter: Layouter {
    private let options: LayoutOptions
    private var full: FullView

    package init(_ options: LayoutOptions = LayoutOptions()) {
        self.options = options
        full = FullView(options.full)
    }

    package mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        // Only who publishes is told of in a live room.
        let sessions = Sessions(of: stage, seenBy: options.viewpoint, self: .first, from: options.entrance ?? .track)
        let displayed = sessions.displayed
        let contentMode = options.contentMode ?? .crop
        if let index = full.index(among: displayed, atLeast: 1) {
            let places = [FractionalRectangle(canvas)] + smalls(count: displayed.count - 1, on: canvas)
            return Scene(on: canvas, displayed.moved(index), in: places, contentMode)
        }
        return Scene(
            on: canvas, displayed,
            Arrangement(displayed.count, appHas: 4, options, at: time) { places(count: $0, on: canvas) }, contentMode)
    }

    /// The grid of `count` people.
    package func places(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        let (gap, area) = (options.gap(own: 0.5), FractionalRectangle(canvas))
        let grid =
            count == 2
            ? CellGrid(columns: 1, rows: 2, area: area, gap: gap) : .balanced(count: count, in: area, gap: gap)
        return grid.cells(count)
    }

    /// The small places above somebody full: as many of `count` as there is room for, row by row.
    package func smalls(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        let (side, pitch) = (options.points(100), options.points(100) + options.gap(own: 5))
        let (left, top) = (options.points(5), options.points(65))
        let columns = max(0, Int((Double(canvas.width) - left) / pitch))
        let rows = max(0, Int((Double(canvas.height) - top) / pitch))
        return (0..<min(count, options.isStrict ? 3 : columns * rows)).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: options.isStrict ? 3 : columns)
            return FractionalRectangle(
                x: left + Double(column) * pitch, y: top + Double(row) * pitch, width: side, height: side)
        }
    }
}
