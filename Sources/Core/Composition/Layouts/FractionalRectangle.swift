package import MediaTypes

/// A place as a layout works it out, before it is brought to whole pixels; the origin is the top left corner.
package struct FractionalRectangle: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole of a canvas.
    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }

    /// This rectangle, given in fractions of a canvas, in its pixels.
    package func scaled(to canvas: PixelSize) -> FractionalRectangle {
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        return FractionalRectangle(
            x: x * width, y: y * height, width: self.width * width, height: self.height * height)
    }

    /// Each edge at the nearest even number, ties upwards, within the canvas. Edges that are shared stay shared: no
    /// seams and no overlaps come of it.
    package func snapped(to canvas: PixelSize) -> PixelRectangle {
        let left = Self.snapped(x, within: canvas.width)
        let top = Self.snapped(y, within: canvas.height)
        return PixelRectangle(
            x: left, y: top, width: Self.snapped(x + width, within: canvas.width) - left,
            height: Self.snapped(y + height, within: canvas.height) - top)
    }

    private static func snapped(_ edge: Double, within end: Int) -> Int {
        // The same edge may be worked out from either side; the billionth keeps both on one side of a tie.
        let even = 2 * (edge / 2 + 0.5 + 1e-9).rounded(.down)
        return Int(min(max(even, 0), Double(end & ~1)))
    }
}
