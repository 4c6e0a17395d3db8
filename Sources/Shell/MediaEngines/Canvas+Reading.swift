import MediaTypes

extension Canvas {
    /// A pixel as the canvas holds it: BT.601, limited range.
    package struct Pixel: Hashable, Sendable {
        package var luma: UInt8
        package var blue: UInt8
        package var red: UInt8
    }

    /// The pixel at a place on the canvas. For looking at a few of them.
    package func pixel(atX x: Int, y: Int) -> Pixel {
        precondition(0..<size.width ~= x && 0..<size.height ~= y, "a pixel lies on the canvas")
        return withPlanes { planes in
            Pixel(
                luma: planes.luma.start[y * planes.luma.stride + x],
                blue: planes.blue.start[y / 2 * planes.blue.stride + x / 2],
                red: planes.red.start[y / 2 * planes.red.stride + x / 2])
        }
    }
}
