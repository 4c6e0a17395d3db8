import MediaEngines
import MediaTypes

/// The wall time at the top right of the canvas. Opaque, so that it can be put over whatever was drawn there before.
final class ClockFace {
    /// Where it is, on the canvas; even edges.
    let place: PixelRectangle
    private let origin: WallTime
    private let ticks: OutputClock
    private let painter: LabelPainter
    private let pixels: Int
    private let padding: Int
    private let face: Canvas
    private var shown: String?

    /// Nil where none is wanted, the wall time is not known, or the canvas is too small.
    init?(_ settings: RenderSettings, painter: LabelPainter) {
        guard settings.hasClock, let origin = settings.origin else { return nil }
        let size = settings.size
        pixels = min(max(min(size.width, size.height) / 36, 9), 48)
        padding = max(4, pixels / 2) & ~1
        let digits = painter.label("00:00:00", pixels: pixels, width: size.width).size
        let (width, height) = ((digits.width + 2 * padding + 1) & ~1, (digits.height + padding + 1) & ~1)
        guard width <= size.width, height <= size.height else { return nil }
        place = PixelRectangle(x: size.width - width, y: 0, width: width, height: height)
        face = Canvas(size: place.size)
        self.origin = origin
        self.painter = painter
        ticks = OutputClock(ticksPerSecond: settings.framesPerSecond)
    }

    /// What it says at a tick: hours, minutes and seconds in UTC.
    func text(at tick: Int64) -> String { (origin + (ticks.time(of: tick) - .zero)).timeOfDay }

    func draw(_ text: String, on canvas: Canvas) {
        if shown != text {
            face.clear(Colour(0x202124))
            let digits = painter.label(text, pixels: pixels, width: place.width)
            face.blend(digits, atX: padding, y: padding / 2, Colour(0xE8EAED))
            shown = text
        }
        canvas.copy(PixelRectangle(face.size), of: face, toX: place.x, y: place.y)
    }
}
