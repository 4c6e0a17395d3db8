import MediaTypes

/// Square tiles in rows, as the apps with a scrolling list lay them.
struct SquareGrid {
    var count: Int
    var columns: Int
    /// The side of a tile.
    var side: Double
    /// Between two tiles.
    var gap: Double

    init(count: Int, columns: Int, side: Double, gap: Double) {
        self.count = count
        self.columns = columns
        self.side = side
        self.gap = gap
    }

    /// The largest tiles with which the grid and a margin around it fit on the canvas.
    init(count: Int, columns: Int, fitting canvas: PixelSize, gap: Double, margin: Double = 0) {
        let rows = CellGrid.rows(of: count, columns: columns)
        let width = Double(canvas.width) - 2 * margin - Double(columns - 1) * gap
        let height = Double(canvas.height) - 2 * margin - Double(rows - 1) * gap
        self.init(count: count, columns: columns, side: min(width / Double(columns), height / Double(rows)), gap: gap)
    }

    var rows: Int { CellGrid.rows(of: count, columns: columns) }
    var width: Double { Double(columns) * side + Double(columns - 1) * gap }
    var height: Double { Double(rows) * side + Double(rows - 1) * gap }

    /// The same people in more columns, if that makes their tiles larger: the fewest columns with the largest tiles.
    func reflowed(on canvas: PixelSize, gap: Double, margin: Double = 0) -> SquareGrid {
        var best = self
        for columns in columns + 1..<max(columns + 1, count + 1) {
            let grid = SquareGrid(count: count, columns: columns, fitting: canvas, gap: gap, margin: margin)
            if grid.side > best.side { best = grid }
        }
        return best
    }

    /// The tiles' places, with the grid's upper left corner somewhere.
    func rectangles(x: Double, y: Double) -> [FractionalRectangle] {
        (0..<count).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            return FractionalRectangle(
                x: x + Double(column) * (side + gap), y: y + Double(row) * (side + gap), width: side, height: side)
        }
    }

    func centred(on canvas: PixelSize) -> [FractionalRectangle] {
        rectangles(x: (Double(canvas.width) - width) / 2, y: (Double(canvas.height) - height) / 2)
    }
}
