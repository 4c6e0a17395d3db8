import CPango
package import MediaTypes

extension Mask {
    package enum Corner: CaseIterable, Sendable { case topLeft, topRight, bottomLeft, bottomRight }

    /// A filled box with round corners.
    package static func roundedRectangle(_ size: PixelSize, radius: Double) -> Mask {
        Mask(drawnBy: size) { cairo in
            addRoundedRectangle(to: cairo, width: Double(size.width), height: Double(size.height), radius: radius)
            cairo_fill(cairo)
        }
    }

    /// The rim of a box with round corners.
    /// - Parameter width: how far it reaches inwards from the box's edges, in pixels.
    package static func frame(_ size: PixelSize, radius: Double, width: Double) -> Mask {
        let (outerWidth, outerHeight) = (Double(size.width), Double(size.height))
        return Mask(drawnBy: size) { cairo in
            addRoundedRectangle(to: cairo, width: outerWidth, height: outerHeight, radius: radius)
            if outerWidth > 2 * width, outerHeight > 2 * width {
                cairo_translate(cairo, width, width)
                addRoundedRectangle(
                    to: cairo, width: outerWidth - 2 * width, height: outerHeight - 2 * width, radius: radius - width)
                cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD)
            }
            cairo_fill(cairo)
        }
    }

    /// What a round corner leaves of a square: the square has the radius's side, and the arc's centre is the corner
    /// across from it.
    package static func outside(of corner: Corner, radius: Int) -> Mask {
        let side = Double(radius)
        return Mask(drawnBy: PixelSize(width: radius, height: radius)) { cairo in
            let x = corner == .topLeft || corner == .bottomLeft ? side : 0
            let y = corner == .topLeft || corner == .topRight ? side : 0
            cairo_rectangle(cairo, 0, 0, side, side)
            cairo_new_sub_path(cairo)
            cairo_arc(cairo, x, y, side, 0, 2 * Double.pi)
            // Where both overlap is inside the corner; what is left of the circle lies beyond the mask.
            cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD)
            cairo_fill(cairo)
        }
    }

    private static func addRoundedRectangle(to cairo: OpaquePointer, width: Double, height: Double, radius: Double) {
        let radius = max(0, min(radius, min(width, height) / 2))
        let quarter = Double.pi / 2
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, width - radius, radius, radius, -quarter, 0)
        cairo_arc(cairo, width - radius, height - radius, radius, 0, quarter)
        cairo_arc(cairo, radius, height - radius, radius, quarter, 2 * quarter)
        cairo_arc(cairo, radius, radius, radius, 2 * quarter, 3 * quarter)
        cairo_close_path(cairo)
    }

    /// Draws with cairo, in the coordinates of pixels.
    convenience init(drawnBy size: PixelSize, _ body: (OpaquePointer) -> Void) {
        let size = PixelSize(width: min(max(1, size.width), 8192), height: min(max(1, size.height), 8192))
        var coverage = [UInt8](repeating: 0, count: size.width * size.height)
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(size.width), Int32(size.height))
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        if let cairo { body(cairo) }
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
        if let pixels = cairo_image_surface_get_data(surface) {
            let stride = Int(cairo_image_surface_get_stride(surface))
            for y in 0..<size.height {
                for x in 0..<size.width { coverage[y * size.width + x] = pixels[y * stride + x] }
            }
        }
        self.init(size: size, coverage: coverage)
    }
}
