import Composition
import MediaEngines
import MediaTypes

/// Draws on tiles what belongs to them beside the picture: the name, a frame while somebody speaks, badges for what is
/// muted, and round corners.
final class TileMarks {
    /// What is to be seen on a tile.
    struct Marks: Hashable {
        var isFramed = false
        var badges: [BadgePainter.Symbol] = []
        var text = NameLabels.Text()
    }

    private struct FrameKey: Hashable {
        var size: PixelSize
        var radius: Int
    }
    private static let speaking = Colour(0x34A853)

    private let settings: RenderSettings
    private let labels: NameLabels
    private let badges = BadgePainter()
    private let frameWidth: Int
    private var frames: [FrameKey: Mask] = [:]
    private var corners: [Mask.Corner: [Int: Mask]] = [:]

    init(_ settings: RenderSettings, painter: LabelPainter) {
        self.settings = settings
        labels = NameLabels(painter: painter)
        // 3 pixels at 1280x720.
        frameWidth = max(2, (min(settings.size.width, settings.size.height) * 3 + 360) / 720)
    }

    /// What is to be seen on a tile that shows a picture, or else an avatar, which bears its name already.
    func marks(on tile: Tile, hasPicture: Bool, statistics: String? = nil) -> Marks {
        var marks = Marks(isFramed: settings.marksSpeakers && tile.state.isSpeaking)
        if settings.hasBadges {
            if tile.state.isMicrophoneMuted { marks.badges.append(.microphoneOff) }
            if tile.state.isCameraMuted, !hasPicture { marks.badges.append(.cameraOff) }
        }
        if hasPicture {
            marks.text = NameLabels.Text(name: settings.hasLabels ? tile.label : nil, statistics: statistics)
        }
        return marks
    }

    /// - Parameter place: the tile, on this canvas.
    func draw(_ marks: Marks, on canvas: Canvas, in place: PixelRectangle) {
        if marks.isFramed { drawFrame(on: canvas, in: place) }
        let padding = NameLabels.padding(on: place.size)
        // A box in a round corner touches the arc with its own corner at 0.3 of the radius.
        let margin = max(padding, radius(of: place.size) * 3 / 10 + frameWidth)
        let width = drawBadges(marks.badges, on: canvas, in: place, padding: padding)
        labels.draw(marks.text, on: canvas, in: place, margin: margin, reserving: width)
    }

    /// Puts the background back where a round corner leaves it.
    /// - Parameters:
    ///   - region: what has round corners, on this canvas.
    ///   - x: where `region` lies on the background, as `y`.
    func round(_ region: PixelRectangle, on canvas: Canvas, over background: Canvas, atX x: Int, y: Int) {
        let radius = radius(of: region.size)
        guard radius > 0 else { return }
        for corner in Mask.Corner.allCases {
            let right = corner == .topRight || corner == .bottomRight ? region.width - radius : 0
            let down = corner == .bottomLeft || corner == .bottomRight ? region.height - radius : 0
            canvas.copy(
                PixelRectangle(x: x + right, y: y + down, width: radius, height: radius), of: background,
                toX: region.x + right, y: region.y + down, through: mask(corner, radius))
        }
    }

    /// The radius of a tile's corners: even, and no more than half of the shorter side.
    func radius(of size: PixelSize) -> Int { min(settings.cornerRadius, min(size.width, size.height) / 2) & ~1 }

    private func mask(_ corner: Mask.Corner, _ radius: Int) -> Mask {
        if let mask = corners[corner]?[radius] { return mask }
        let mask = Mask.outside(of: corner, radius: radius)
        corners[corner, default: [:]][radius] = mask
        return mask
    }

    private func drawFrame(on canvas: Canvas, in place: PixelRectangle) {
        let radius = radius(of: place.size)
        let key = FrameKey(size: place.size, radius: radius)
        let mask = frames[key] ?? Mask.frame(place.size, radius: Double(radius), width: Double(frameWidth))
        if frames.count >= 32 { frames.removeAll() }
        frames[key] = mask
        // The middle, which is nearly all of it, is left alone.
        let rim = (frameWidth + 1) & ~1
        let end = min(max(rim, radius), place.height / 2 & ~1)
        let parts = [
            PixelRectangle(x: place.x, y: place.y, width: place.width, height: end),
            PixelRectangle(x: place.x, y: place.bottom - end, width: place.width, height: end),
            PixelRectangle(x: place.x, y: place.y + end, width: rim, height: place.height - 2 * end),
            PixelRectangle(x: place.right - rim, y: place.y + end, width: rim, height: place.height - 2 * end),
        ]
        for part in parts { canvas.blend(mask, atX: place.x, y: place.y, Self.speaking, within: part) }
    }

    /// From the bottom right to the left.
    /// - Returns: how wide they are with the space beside them.
    private func drawBadges(
        _ symbols: [BadgePainter.Symbol], on canvas: Canvas, in place: PixelRectangle, padding: Int
    ) -> Int {
        // As high as a label of one line.
        let diameter = max(16, NameLabels.pixels(on: place.size) * 7 / 4 & ~1)
        let step = diameter + (padding / 2 & ~1)
        // A disc fits into a round corner better than a box does.
        let margin = max(padding, (radius(of: place.size) - diameter / 2) * 3 / 10 + frameWidth)
        guard !symbols.isEmpty, place.width >= step * (symbols.count + 1) + 2 * margin,
            place.height >= diameter + 2 * margin
        else { return 0 }
        for (index, symbol) in symbols.enumerated() {
            badges.draw(
                symbol, diameter: diameter, on: canvas, atX: place.right - margin - diameter - index * step,
                y: place.bottom - margin - diameter)
        }
        return step * symbols.count
    }
}
