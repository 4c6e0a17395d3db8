import CPango
import MediaTypes

/// Text in any script to masks, with the fonts of the machine. What was drawn is kept. Not for more than one thread at a
/// time.
package final class LabelPainter {
    private struct Key: Hashable {
        var text: String
        var pixels: Int
        var width: Int
    }
    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer
    private var known: [Key: Mask] = [:]

    package init() {
        guard let map = pango_cairo_font_map_new(), let context = pango_font_map_create_context(map) else {
            preconditionFailure("pango has a font map for cairo")
        }
        fontMap = map
        self.context = context
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fontMap))
    }

    /// One line of text, cut with an ellipsis where it is too wide.
    /// - Parameters:
    ///   - pixels: the font's size in pixels.
    ///   - width: the most pixels it may be wide.
    /// - Returns: a mask as large as the line; one blank pixel for a text without anything to see.
    package func label(_ text: String, pixels: Int, width: Int) -> Mask {
        let key = Key(text: text, pixels: min(max(pixels, 1), 512), width: min(max(width, 1), 8192))
        if let mask = known[key] { return mask }
        if known.count >= 512 { known.removeAll() }
        let mask = draw(Self.line(of: text), pixels: key.pixels, width: key.width)
        known[key] = mask
        return mask
    }

    /// How many characters of a text no font of this machine has: they are drawn as boxes.
    package func missingGlyphs(in text: String) -> Int {
        withLayout(Self.line(of: text), pixels: 16) { Int(pango_layout_get_unknown_glyphs_count($0)) }
    }

    /// The text as one line of sane length: names come from strangers.
    private static func line(of text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(400) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    /// - Parameter body: must not keep the layout.
    private func withLayout<Result>(_ line: String, pixels: Int, _ body: (OpaquePointer) -> Result) -> Result {
        guard let layout = pango_layout_new(context), let font = pango_font_description_from_string("Sans Bold") else {
            preconditionFailure("pango makes layouts")
        }
        defer {
            pango_font_description_free(font)
            g_object_unref(UnsafeMutableRawPointer(layout))
        }
        pango_font_description_set_absolute_size(font, Double(pixels) * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_text(layout, line, -1)
        return body(layout)
    }

    private func draw(_ line: String, pixels: Int, width: Int) -> Mask {
        withLayout(line, pixels: pixels) { draw($0, pixels: pixels, width: width) }
    }

    private func draw(_ layout: OpaquePointer, pixels: Int, width: Int) -> Mask {
        // Unlimited first: a line narrower than the limit stays as wide as it is, also from right to left.
        var size = Self.size(of: layout)
        if size.width > width {
            pango_layout_set_width(layout, Int32(width) * PANGO_SCALE)
            size = Self.size(of: layout)
        }
        size.width = min(max(1, size.width), width)
        size.height = min(max(1, size.height), 4 * pixels + 8)
        return Mask(drawnBy: size) { cairo in pango_cairo_show_layout(cairo, layout) }
    }

    private static func size(of layout: OpaquePointer) -> PixelSize {
        var width: Int32 = 0
        var height: Int32 = 0
        pango_layout_get_pixel_size(layout, &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }
}
