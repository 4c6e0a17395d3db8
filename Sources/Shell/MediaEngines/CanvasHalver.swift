package import MediaTypes

/// Makes canvases of one size half as wide and half as high. Not for more than one thread at a time.
package final class CanvasHalver {
    /// The smaller size, with even sides.
    package let size: PixelSize
    private let canvas: Canvas
    private let scaler = PictureScaler()

    package init(of whole: PixelSize) {
        size = PixelSize(width: max(2, whole.width / 2 & ~1), height: max(2, whole.height / 2 & ~1))
        canvas = Canvas(size: size)
    }

    /// The canvas in small. It is the same object each time: the one before is drawn over.
    package func half(of whole: Canvas) -> Canvas {
        whole.withPlanes { canvas.draw($0, into: PixelRectangle(size), cropping: nil, with: scaler) }
        return canvas
    }

    /// Where a part of the whole is in small, with a pixel to spare on each side.
    package func half(_ region: PixelRectangle) -> PixelRectangle {
        let (left, top) = (region.x / 2 - 1, region.y / 2 - 1)
        return PixelRectangle(
            x: left, y: top, width: (region.right + 1) / 2 + 1 - left, height: (region.bottom + 1) / 2 + 1 - top)
    }
}
