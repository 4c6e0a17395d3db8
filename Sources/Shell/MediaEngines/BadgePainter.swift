import CPango
import MediaTypes

/// Small round signs for what is off: a symbol, crossed out, on a disc. Each is drawn once and kept. Not for more than
/// one thread at a time.
package final class BadgePainter {
    package enum Symbol: Hashable, Sendable { case microphoneOff, cameraOff }

    private struct Key: Hashable {
        var symbol: Symbol
        var diameter: Int
    }
    private struct Badge {
        var disc: Mask
        var symbol: Mask
    }
    private var known: [Key: Badge] = [:]

    package init() {}

    /// Paints a sign with the top left corner of its square at a place (taken down to even coordinates).
    /// - Parameter diameter: in pixels.
    package func draw(_ symbol: Symbol, diameter: Int, on canvas: Canvas, atX x: Int, y: Int) {
        let key = Key(symbol: symbol, diameter: min(max(diameter, 1), 512))
        let badge = known[key] ?? make(key)
        if known.count >= 64 { known.removeAll() }
        known[key] = badge
        canvas.blend(badge.disc, atX: x, y: y, Colour(0x3C4043))
        canvas.blend(badge.symbol, atX: x, y: y, .white)
    }

    private func make(_ key: Key) -> Badge {
        let size = PixelSize(width: key.diameter, height: key.diameter)
        let disc = Mask.roundedRectangle(size, radius: Double(key.diameter) / 2).faded(to: 0.9)
        let symbol = Mask(drawnBy: size) { cairo in
            // The symbols are drawn about (12, 12), six units in each direction; the disc is 20 wide.
            cairo_scale(cairo, Double(key.diameter) / 20, Double(key.diameter) / 20)
            cairo_translate(cairo, -2, -2)
            cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
            cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
            switch key.symbol {
            case .microphoneOff: Self.drawMicrophone(cairo)
            case .cameraOff: Self.drawCamera(cairo)
            }
            Self.crossOut(cairo)
        }
        return Badge(disc: disc, symbol: symbol)
    }

    private static func drawMicrophone(_ cairo: OpaquePointer) {
        // The capsule: a line with round ends.
        cairo_set_line_width(cairo, 4.4)
        cairo_move_to(cairo, 12, 8)
        cairo_line_to(cairo, 12, 11.4)
        cairo_stroke(cairo)
        // Its holder and the stand.
        cairo_set_line_width(cairo, 1.4)
        cairo_arc(cairo, 12, 11.4, 4.2, 0, Double.pi)
        cairo_move_to(cairo, 12, 15.6)
        cairo_line_to(cairo, 12, 18)
        cairo_stroke(cairo)
    }

    private static func drawCamera(_ cairo: OpaquePointer) {
        // Filled, and stroked for round corners.
        cairo_set_line_width(cairo, 2)
        cairo_rectangle(cairo, 6.6, 9.2, 6.8, 5.6)
        cairo_fill_preserve(cairo)
        cairo_stroke(cairo)
        cairo_set_line_width(cairo, 1)
        cairo_move_to(cairo, 15.4, 11.6)
        cairo_line_to(cairo, 18.2, 9.6)
        cairo_line_to(cairo, 18.2, 14.4)
        cairo_line_to(cairo, 15.4, 12.4)
        cairo_close_path(cairo)
        cairo_fill_preserve(cairo)
        cairo_stroke(cairo)
    }

    /// A stroke from the top left to the bottom right, with a gap beside it.
    private static func crossOut(_ cairo: OpaquePointer) {
        cairo_move_to(cairo, 6.4, 6.4)
        cairo_line_to(cairo, 17.6, 17.6)
        cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR)
        cairo_set_line_width(cairo, 3.6)
        cairo_stroke_preserve(cairo)
        cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
        cairo_set_line_width(cairo, 1.4)
        cairo_stroke(cairo)
    }
}
