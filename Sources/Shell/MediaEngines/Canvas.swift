import CYUV
package import MediaTypes

/// An I420 picture to draw on: what the composite is put together on and encoded from.
///
/// Everything is drawn at even coordinates (a rectangle is shrunk to even edges, but for the canvas's own right and
/// bottom edge) and clipped to the canvas. Not for more than one thread at a time.
package final class Canvas {
    package let size: PixelSize
    private let memory: UnsafeMutableRawBufferPointer
    private let planes: PicturePlanes

    /// A black picture.
    package init(size: PixelSize) {
        precondition(
            1...16_384 ~= size.width && 1...16_384 ~= size.height,
            "a canvas is between 1 and 16384 pixels wide and high")
        self.size = size
        // Rows start on cache lines; vector code may read the rest of a line but never writes it.
        let lumaStride = (size.width + 63) & ~63
        let chromaStride = ((size.width + 1) / 2 + 63) & ~63
        let chromaHeight = (size.height + 1) / 2
        memory = .allocate(byteCount: lumaStride * size.height + 2 * chromaStride * chromaHeight, alignment: 64)
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            preconditionFailure("an allocation of some bytes has an address")
        }
        let blue = base + lumaStride * size.height
        planes = PicturePlanes(
            size: size,
            luma: .init(start: base, stride: lumaStride),
            blue: .init(start: blue, stride: chromaStride),
            red: .init(start: blue + chromaStride * chromaHeight, stride: chromaStride))
        clear(.black)
    }

    deinit { memory.deallocate() }

    /// Lends the planes for the length of the closure.
    func withPlanes<Result>(_ body: (PicturePlanes) throws -> Result) rethrows -> Result { try body(planes) }

    /// Paints all of it.
    package func clear(_ colour: Colour) { fill(PixelRectangle(size), colour) }

    /// Paints a rectangle.
    package func fill(_ region: PixelRectangle, _ colour: Colour) {
        let target = planes.cropped(to: drawable(region))
        let (luma, blue, red) = colour.limitedYUV
        let (chroma, whole) = (target.chromaSize, target.size)
        SetPlane(target.luma.start, Int32(target.luma.stride), Int32(whole.width), Int32(whole.height), UInt32(luma))
        SetPlane(target.blue.start, Int32(target.blue.stride), Int32(chroma.width), Int32(chroma.height), UInt32(blue))
        SetPlane(target.red.start, Int32(target.red.stride), Int32(chroma.width), Int32(chroma.height), UInt32(red))
    }

    /// Draws a picture, scaled so that it fills the region; what goes beyond the canvas is cut off.
    /// - Parameter cropping: the part of the picture that is shown, nil for all of it.
    package func draw(_ picture: DecodedPicture, into region: PixelRectangle, cropping: PixelRectangle? = nil) {
        picture.withPlanes { draw($0, into: region, cropping: cropping, with: $1) }
    }

    func draw(
        _ picture: PicturePlanes, into region: PixelRectangle, cropping: PixelRectangle?, with scaler: PictureScaler
    ) {
        let target = drawable(region)
        let part = (cropping ?? PixelRectangle(picture.size)).intersection(PixelRectangle(picture.size))
        let source = Self.visible(part, of: region, in: target).intersection(PixelRectangle(picture.size))
        guard !target.isEmpty, !source.isEmpty else { return }
        scaler.scale(picture.cropped(to: source), to: planes.cropped(to: target))
    }

    /// Copies the same rectangle of another canvas; what lies outside either is left out.
    package func copy(_ region: PixelRectangle, from other: Canvas) {
        copy(region, of: other, toX: region.x, y: region.y)
    }

    /// Copies a rectangle of another canvas to another place, unscaled.
    package func copy(_ region: PixelRectangle, of other: Canvas, toX x: Int, y: Int) {
        let from = other.drawable(region)
        let (left, top) = (x + from.x - region.x, y + from.y - region.y)
        let target = drawable(PixelRectangle(x: left, y: top, width: from.width, height: from.height))
        let source = other.drawable(
            PixelRectangle(
                x: from.x + target.x - left, y: from.y + target.y - top, width: target.width, height: target.height))
        guard source.size == target.size, !target.isEmpty else { return }
        other.planes.cropped(to: source).copy(to: planes.cropped(to: target))
    }

    /// The even-edged part of a region that lies on this canvas.
    private func drawable(_ region: PixelRectangle) -> PixelRectangle {
        let clipped = region.intersection(PixelRectangle(size))
        let left = clipped.x + (clipped.x & 1)
        let top = clipped.y + (clipped.y & 1)
        // An odd last column or row has chroma of its own and may be drawn.
        let right = clipped.right == size.width ? clipped.right : clipped.right & ~1
        let bottom = clipped.bottom == size.height ? clipped.bottom : clipped.bottom & ~1
        guard left < right, top < bottom else { return PixelRectangle(x: 0, y: 0, width: 0, height: 0) }
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The part of `source` that shows in `target` when the whole of it fills `region`; starts at even coordinates.
    private static func visible(
        _ source: PixelRectangle, of region: PixelRectangle, in target: PixelRectangle
    ) -> PixelRectangle {
        guard !region.isEmpty, !target.isEmpty, !source.isEmpty else {
            return PixelRectangle(x: 0, y: 0, width: 0, height: 0)
        }
        func cut(_ start: Int, _ length: Int, _ outer: Int, _ outerLength: Int, _ inner: Int, _ innerLength: Int) -> (
            Int, Int
        ) {
            // Shrinking to even edges is not a cut: the picture is scaled to what is left.
            let before = inner - outer < 2 ? 0 : (inner - outer) * length / outerLength
            let after = (outer + outerLength) - (inner + innerLength)
            let end = after < 2 ? length : length - after * length / outerLength
            let first = (start + before) & ~1
            return (first, max(1, start + end - first))
        }
        let (x, width) = cut(source.x, source.width, region.x, region.width, target.x, target.width)
        let (y, height) = cut(source.y, source.height, region.y, region.height, target.y, target.height)
        return PixelRectangle(x: x, y: y, width: width, height: height)
    }
}

extension PicturePlanes {
    /// Copies all pixels to a picture of the same size.
    func copy(to target: PicturePlanes) {
        precondition(size == target.size)
        func copy(_ from: Plane, _ to: Plane, _ size: PixelSize) {
            // memcpy row by row: faster here than libyuv's CopyPlane.
            for row in 0..<size.height {
                (to.start + row * to.stride).update(from: from.start + row * from.stride, count: size.width)
            }
        }
        copy(luma, target.luma, size)
        copy(blue, target.blue, chromaSize)
        copy(red, target.red, chromaSize)
    }
}
