/// Cells of one size that fill an area, in reading order.
struct CellGrid {
    var columns: Int
    var rows: Int
    var area: FractionalRectangle
    /// Pixels between two cells; none around them.
    var gap: Double

    /// The grid with the fewest columns that has at least as many columns as rows: 1, 2x1, 2x2, 3x2, 3x3, 4x3 …
    static func balanced(count: Int, in area: FractionalRectangle, gap: Double = 0) -> CellGrid {
        let columns = columnsOfSquare(holding: count)
        return CellGrid(columns: columns, rows: rows(of: count, columns: columns), area: area, gap: gap)
    }

    /// The side of the smallest square of cells that holds `count`: the square root, rounded up; at least 1.
    static func columnsOfSquare(holding count: Int) -> Int {
        var columns = 1
        while columns * columns < count { columns += 1 }
        return columns
    }

    static func rows(of count: Int, columns: Int) -> Int { max(1, (count + columns - 1) / columns) }

    func cell(_ index: Int) -> FractionalRectangle {
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        let width = (area.width - Double(columns - 1) * gap) / Double(columns)
        let height = (area.height - Double(rows - 1) * gap) / Double(rows)
        return FractionalRectangle(
            x: area.x + Double(column) * (width + gap), y: area.y + Double(row) * (height + gap), width: width,
            height: height)
    }

    func cells(_ count: Int) -> [FractionalRectangle] { (0..<count).map(cell) }
}
