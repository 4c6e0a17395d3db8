/// A rectangle of whole pixels in a picture; the origin is the top left corner. Width and height are never negative.
package struct PixelRectangle: Hashable, Sendable, CustomStringConvertible {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The whole of a picture of this size.
    package init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    package var size: PixelSize { PixelSize(width: width, height: height) }
    package var isEmpty: Bool { width == 0 || height == 0 }
    /// The first column to the right of it.
    package var right: Int { x &+ width }
    /// The first row below it.
    package var bottom: Int { y &+ height }

    /// The largest rectangle inside this one whose edges are all even: chroma of an I420 picture has half the
    /// resolution, so only such a rectangle can be drawn without touching its neighbours.
    package var evenAligned: PixelRectangle {
        let left = x &+ (x & 1)
        let top = y &+ (y & 1)
        return PixelRectangle(x: left, y: top, width: (right & ~1) &- left, height: (bottom & ~1) &- top)
    }

    /// What both share; empty where they do not meet.
    package func intersection(_ other: PixelRectangle) -> PixelRectangle {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return PixelRectangle(
            x: left, y: top, width: min(right, other.right) &- left, height: min(bottom, other.bottom) &- top)
    }

    package var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
