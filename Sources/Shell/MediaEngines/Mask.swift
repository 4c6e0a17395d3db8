import CYUV
package import MediaTypes

/// A shape to paint with a colour: how much of each pixel it covers. Text, rounded boxes and circles are masks.
package final class Mask {
    package let size: PixelSize
    /// Coverage 0...255 of each pixel, row after row.
    private let coverage: [UInt8]
    /// The same at chroma's half resolution.
    private let halfCoverage: [UInt8]

    /// - Parameter coverage: `size.width` bytes a row, without gaps.
    init(size: PixelSize, coverage: [UInt8]) {
        precondition(coverage.count == size.width * size.height)
        self.size = size
        self.coverage = coverage
        let (width, height) = ((size.width + 1) / 2, (size.height + 1) / 2)
        var half = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var sum = 0
                for (row, column) in [(2 * y, 2 * x), (2 * y, 2 * x + 1), (2 * y + 1, 2 * x), (2 * y + 1, 2 * x + 1)]
                where row < size.height && column < size.width {
                    sum += Int(coverage[row * size.width + column])
                }
                half[y * width + x] = UInt8((sum + 2) / 4)
            }
        }
        halfCoverage = half
    }

    /// Whether nothing of it can be seen.
    package var isBlank: Bool { coverage.allSatisfy { $0 == 0 } }

    /// The same shape, fainter; 1 is unchanged.
    package func faded(to opacity: Double) -> Mask {
        let share = Int((min(1, max(0, opacity)) * 256).rounded())
        return Mask(size: size, coverage: coverage.map { UInt8(min(255, (Int($0) * share) >> 8)) })
    }

    /// Paints the shape on planes whose top left corner is at `left`, `top` of the mask (both even).
    func paint(_ target: PicturePlanes, left: Int, top: Int, _ colour: Colour) {
        func paint(
            _ plane: PicturePlanes.Plane, _ area: PixelSize, _ alpha: [UInt8], _ stride: Int, _ offset: Int,
            _ value: UInt8
        ) {
            let row = [UInt8](repeating: value, count: area.width)
            alpha.withUnsafeBufferPointer { alpha in
                guard let start = alpha.baseAddress else { return }
                // One row of the colour serves for all: its stride is 0.
                _ = BlendPlane(
                    row, 0, plane.start, Int32(plane.stride), start + offset, Int32(stride),
                    plane.start, Int32(plane.stride), Int32(area.width), Int32(area.height))
            }
        }
        guard target.size.width > 0, target.size.height > 0 else { return }
        let (luma, blue, red) = colour.limitedYUV
        let halfStride = (size.width + 1) / 2
        let offset = top / 2 * halfStride + left / 2
        paint(target.luma, target.size, coverage, size.width, top * size.width + left, luma)
        paint(target.blue, target.chromaSize, halfCoverage, halfStride, offset, blue)
        paint(target.red, target.chromaSize, halfCoverage, halfStride, offset, red)
    }
}

extension Canvas {
    /// Paints a shape with its top left corner at a place (taken down to even coordinates); what goes beyond the canvas
    /// is cut off.
    package func blend(_ mask: Mask, atX x: Int, y: Int, _ colour: Colour) {
        let (x, y) = (x & ~1, y & ~1)
        let region = PixelRectangle(x: x, y: y, width: mask.size.width, height: mask.size.height)
        let visible = region.intersection(PixelRectangle(size))
        guard !visible.isEmpty else { return }
        withPlanes { mask.paint($0.cropped(to: visible), left: visible.x - x, top: visible.y - y, colour) }
    }
}
