import MediaEngines
import MediaTypes

/// Writes names on pictures: white on a dim box, at the bottom left of a tile. Each is drawn once and kept.
final class NameLabels {
    private struct Key: Hashable {
        var text: String
        var tile: PixelSize
    }
    private struct Label {
        var text: Mask
        var box: Mask
        var padding: Int
    }
    private let painter: LabelPainter
    private var known: [Key: Label] = [:]

    init(painter: LabelPainter) { self.painter = painter }

    func draw(_ text: String, on canvas: Canvas, in tile: PixelRectangle) {
        let key = Key(text: text, tile: tile.size)
        let label = known[key] ?? make(key)
        if known.count >= 256 { known.removeAll() }
        known[key] = label
        let margin = label.padding
        let (x, y) = (tile.x + margin, tile.bottom - margin - label.box.size.height)
        guard y >= tile.y, x + label.box.size.width <= tile.right else { return }
        canvas.blend(label.box, atX: x, y: y, .black)
        canvas.blend(label.text, atX: x + label.padding, y: y + label.padding / 2, .white)
    }

    private func make(_ key: Key) -> Label {
        let pixels = min(max(key.tile.height / 18, 9), 28)
        let padding = max(4, pixels / 2) & ~1
        let text = painter.label(key.text, pixels: pixels, width: max(1, key.tile.width - 4 * padding))
        let size = PixelSize(width: text.size.width + 2 * padding, height: text.size.height + padding)
        let box = Mask.roundedRectangle(size, radius: Double(padding) / 2).faded(to: 0.6)
        return Label(text: text, box: box, padding: padding)
    }
}
