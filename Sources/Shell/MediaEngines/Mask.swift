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
        let (luma, blue, red) = colour.limitedYUV
        func row(_ value: UInt8, _ width: Int) -> [UInt8] { [UInt8](repeating: value, count: width) }
        // One row of the colour serves for all: its stride is 0.
        blend(row(luma, target.size.width), stride: 0, onto: target.luma, target.size, left, top)
        blend(
            row(blue, target.chromaSize.width), stride: 0, onto: target.blue, target.chromaSize, left, top, isHalf: true
        )
        blend(
            row(red, target.chromaSize.width), stride: 0, onto: target.red, target.chromaSize, left, top, isHalf: true)
    }

    /// Copies what the shape covers of other planes of the same size.
    func copy(_ source: PicturePlanes, to target: PicturePlanes, left: Int, top: Int) {
        precondition(source.size == target.size)
        blend(source.luma.start, stride: source.luma.stride, onto: target.luma, target.size, left, top)
        blend(
            source.blue.start, stride: source.blue.stride, onto: target.blue, target.chromaSize, left, top, isHalf: true
        )
        blend(source.red.start, stride: source.red.stride, onto: target.red, target.chromaSize, left, top, isHalf: true)
    }

    private func blend(
        _ source: UnsafePointer<UInt8>, stride: Int, onto target: PicturePlanes.Plane, _ area: PixelSize,
        _ left: Int, _ top: Int, isHalf: Bool = false
    ) {
        guard area.width > 0, area.height > 0 else { return }
        let alphaStride = isHalf ? (size.width + 1) / 2 : size.width
        let offset = isHalf ? top / 2 * alphaStride + left / 2 : top * alphaStride + left
        (isHalf ? halfCoverage : coverage).withUnsafeBufferPointer { alpha in
            guard let alpha = alpha.baseAddress else { return }
            _ = BlendPlane(
                source, Int32(stride), target.start, Int32(target.stride), alpha + offset, Int32(alphaStride),
                target.start, Int32(target.stride), Int32(area.width), Int32(area.height))
        }
    }
}

extension Canvas {
    /// Paints a shape with its top left corner at a place (taken down to even coordinates); what goes beyond the canvas
    /// is cut off.
    /// - Parameter part: the part of the canvas to paint on, shrunk to even edges; nil for all of it.
    package func blend(_ mask: Mask, atX x: Int, y: Int, _ colour: Colour, within part: PixelRectangle? = nil) {
        let (x, y) = (x & ~1, y & ~1)
        let region = PixelRectangle(x: x, y: y, width: mask.size.width, height: mask.size.height)
        var visible = region.intersection(PixelRectangle(size))
        if let part { visible = visible.intersection(part.evenAligned) }
        guard !visible.isEmpty else { return }
        withPlanes { mask.paint($0.cropped(to: visible), left: visible.x - x, top: visible.y - y, colour) }
    }

    /// Copies what a shape covers of another canvas; what lies outside either canvas is left out.
    /// - Parameters:
    ///   - region: where the shape lies on the other canvas: an even place, and its top left part that is copied.
    ///   - x: where that goes on this canvas; even, as `y`.
    package func copy(_ region: PixelRectangle, of other: Canvas, toX x: Int, y: Int, through mask: Mask) {
        precondition((region.x | region.y | x | y) & 1 == 0, "chroma has half the resolution")
        let (right, down) = (x - region.x, y - region.y)
        let readable = PixelRectangle(
            x: region.x, y: region.y, width: min(region.width, mask.size.width),
            height: min(region.height, mask.size.height)
        ).intersection(PixelRectangle(other.size))
        let visible = PixelRectangle(
            x: readable.x + right, y: readable.y + down, width: readable.width, height: readable.height
        ).intersection(PixelRectangle(size))
        guard !visible.isEmpty else { return }
        let source = PixelRectangle(
            x: visible.x - right, y: visible.y - down, width: visible.width, height: visible.height)
        other.withPlanes { from in
            withPlanes {
                mask.copy(
                    from.cropped(to: source), to: $0.cropped(to: visible), left: visible.x - x, top: visible.y - y)
            }
        }
    }
}
