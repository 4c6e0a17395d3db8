import MediaEngines
import MediaTypes

/// Writes names on pictures: white on a dim box, at the bottom left of a tile. Each is drawn once and kept.
final class NameLabels {
    /// What is written on a tile, a line each; a box of nothing is not drawn.
    struct Text: Hashable {
        var name: String?
        /// In smaller letters, below the name.
        var statistics: String?
    }

    private struct Key: Hashable {
        var text: Text
        var pixels: Int
        var width: Int
    }
    private struct Label {
        var lines: [Mask]
        var box: Mask
    }
    private let painter: LabelPainter
    private var known: [Key: Label] = [:]

    init(painter: LabelPainter) { self.painter = painter }

    /// The font's size, in pixels, on a tile.
    static func pixels(on tile: PixelSize) -> Int { min(max(tile.height / 18, 9), 28) }

    /// The space inside a label, and around it where corners are not round, in pixels; even.
    static func padding(on tile: PixelSize) -> Int { max(4, pixels(on: tile) / 2) & ~1 }

    /// - Parameters:
    ///   - margin: how far the box stays from the tile's edges, in pixels.
    ///   - reserved: how much of the tile's width belongs to others.
    func draw(_ text: Text, on canvas: Canvas, in tile: PixelRectangle, margin: Int, reserving reserved: Int = 0) {
        guard text != Text() else { return }
        let padding = Self.padding(on: tile.size)
        let key = Key(
            text: text, pixels: Self.pixels(on: tile.size),
            width: max(1, tile.width - 2 * margin - 2 * padding - reserved))
        let label = known[key] ?? make(key, padding: padding)
        if known.count >= 256 { known.removeAll() }
        known[key] = label
        let (x, y) = (tile.x + margin, tile.bottom - margin - label.box.size.height)
        guard y >= tile.y, x + label.box.size.width <= tile.right else { return }
        canvas.blend(label.box, atX: x, y: y, .black)
        var top = y + padding / 2
        for line in label.lines {
            canvas.blend(line, atX: x + padding, y: top, .white)
            top += line.size.height
        }
    }

    private func make(_ key: Key, padding: Int) -> Label {
        let lines = [(key.text.name, key.pixels), (key.text.statistics, max(8, key.pixels * 4 / 5))].compactMap {
            text, pixels in text.map { painter.label($0, pixels: pixels, width: key.width) }
        }
        let width = lines.map(\.size.width).max() ?? 0
        let height = lines.reduce(0) { $0 + $1.size.height }
        let size = PixelSize(width: width + 2 * padding, height: height + padding)
        let box = Mask.roundedRectangle(size, radius: Double(padding) / 2).faded(to: 0.6)
        return Label(lines: lines, box: box)
    }
}
