package import MediaTypes

/// The plain grid: all tiles of one size, 16:9, as large as the canvas allows, in reading order; the last row is centred.
package struct GridLayouter: Layouter {
    /// Pixels between two tiles; even. There is no margin at the canvas's edge.
    package var gap: Int
    package var contentMode: Tile.ContentMode
    package var entrance: Entrance

    package init(gap: Int = 4, contentMode: Tile.ContentMode = .fit, entrance: Entrance = .join) {
        self.gap = max(0, gap) & ~1
        self.contentMode = contentMode
        self.entrance = entrance
    }

    package func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let subjects = stage.tileSubjects(from: entrance)
        let places = rectangles(count: subjects.count, on: canvas)
        return Scene(canvas: canvas, tiles: zip(subjects, places).map { $0.tile(in: $1, contentMode) })
    }

    /// The places of `count` tiles. Fewer come back only when the canvas has no room for tiles of 2x2 pixels.
    package func rectangles(count: Int, on canvas: PixelSize) -> [PixelRectangle] {
        guard count > 0, let grid = largestGrid(count: count, on: canvas, gap: gap) else { return [] }
        let rowCount = (grid.shown + grid.columns - 1) / grid.columns
        let top = evenHalf(canvas.height - extent(of: rowCount, grid.tile.height, gap: grid.gap))
        return (0..<grid.shown).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: grid.columns)
            let columnsInRow = min(grid.columns, grid.shown - row * grid.columns)
            let left = evenHalf(canvas.width - extent(of: columnsInRow, grid.tile.width, gap: grid.gap))
            return PixelRectangle(
                x: left + column * (grid.tile.width + grid.gap), y: top + row * (grid.tile.height + grid.gap),
                width: grid.tile.width, height: grid.tile.height)
        }
    }

    private struct Grid {
        var columns: Int
        var tile: PixelSize
        var gap: Int
        var shown: Int
    }

    /// Tries every number of columns and keeps the one with the largest tile; the smaller number when two are equal.
    private func largestGrid(count: Int, on canvas: PixelSize, gap: Int) -> Grid? {
        var best: Grid?
        for columns in 1...count {
            let rows = (count + columns - 1) / columns
            let width = (canvas.width - gap * (columns - 1)) / columns
            let height = (canvas.height - gap * (rows - 1)) / rows
            let tile = PixelSize(width: min(width, height * 16 / 9) & ~1, height: min(height, width * 9 / 16) & ~1)
            guard tile.width >= 2, tile.height >= 2 else { continue }
            if best.map({ tile.width * tile.height > $0.tile.width * $0.tile.height }) ?? true {
                best = Grid(columns: columns, tile: tile, gap: gap, shown: count)
            }
        }
        if best == nil, gap > 0 { return largestGrid(count: count, on: canvas, gap: 0) }
        if best == nil, canvas.width >= 2, canvas.height >= 2 {
            // More tiles than the canvas has blocks of four pixels: show as many as fit.
            let columns = canvas.width / 2
            return Grid(
                columns: columns, tile: PixelSize(width: 2, height: 2), gap: 0,
                shown: min(count, columns * (canvas.height / 2)))
        }
        return best
    }

    private func extent(of count: Int, _ side: Int, gap: Int) -> Int { count * side + (count - 1) * gap }

    private func evenHalf(_ rest: Int) -> Int { rest / 2 & ~1 }
}
