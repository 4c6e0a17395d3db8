import CallbotTesting
import Composition
import MediaTypes
import Testing

/// The tables of the layouts' specification, under `Tests/Fixtures/layouts`: rows of columns apart by `|`; `#` begins a
/// comment.
enum LayoutTable {
    static func rows(_ name: String) throws -> [[String]] {
        try Fixture.text("layouts/\(name).txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            $0.split(separator: "|").map { $0.trimmed }
        }
    }

    /// A row of a grid's table.
    struct Row {
        var canvas: PixelSize
        var count: Int
        var first: FractionalRectangle
        var last: FractionalRectangle
        var firstSnapped: PixelRectangle
        var lastSnapped: PixelRectangle
        /// Of x, y, width and height of all snapped rectangles.
        var sums: [Int]
    }

    /// The rows for both canvases.
    static func grid(_ name: String) throws -> [Row] {
        var canvas = PixelSize(width: 0, height: 0)
        var result: [Row] = []
        for columns in try rows(name) {
            guard columns.count == 7 else {
                canvas = try #require(PixelSize(text: columns[0].drop { !$0.isNumber }))
                continue
            }
            result.append(
                Row(
                    canvas: canvas, count: try #require(Int(columns[0])), first: try exact(columns[2])[0],
                    last: try exact(columns[3])[0], firstSnapped: try snapped(columns[4])[0],
                    lastSnapped: try snapped(columns[5])[0], sums: try numbers(columns[6]).map { Int($0) }))
        }
        #expect(result.count == 26)
        return result
    }

    /// The rectangles of a cell: `(1, 2.5, 3, 4); (…)`.
    static func exact(_ cell: String) throws -> [FractionalRectangle] {
        try cell.split(separator: ";").map {
            let numbers = try numbers(String($0))
            try #require(numbers.count == 4)
            return FractionalRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }

    static func snapped(_ cell: String) throws -> [PixelRectangle] {
        try exact(cell).map { PixelRectangle(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height)) }
    }

    static func numbers(_ cell: String) throws -> [Double] {
        let digits = cell.filter { !"() ".contains($0) }
        return try digits.split(separator: ",").map { number in try #require(Double(number)) }
    }

    /// Holds places and the tiles made of them against a row; the tables give two decimals.
    static func expect(_ places: [FractionalRectangle], _ tiles: [PixelRectangle], equal row: Row) throws {
        let label = Comment("\(row.count) on \(row.canvas)")
        #expect(places.count == row.count && tiles.count == row.count, label)
        #expect(try #require(places.first).isNear(row.first) && #require(places.last).isNear(row.last), label)
        #expect(tiles.first == row.firstSnapped && tiles.last == row.lastSnapped, label)
        #expect(tiles.sums == row.sums, label)
    }
}

extension [PixelRectangle] {
    var sums: [Int] { [map(\.x), map(\.y), map(\.width), map(\.height)].map { $0.reduce(0, +) } }
}

extension FractionalRectangle {
    func isNear(_ other: FractionalRectangle) -> Bool {
        zip([x, y, width, height], [other.x, other.y, other.width, other.height]).allSatisfy { abs($0 - $1) < 0.00501 }
    }
}

extension PixelSize {
    /// From `1280x720`.
    init?(text: Substring) {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { return nil }
        self.init(width: sides[0], height: sides[1])
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
