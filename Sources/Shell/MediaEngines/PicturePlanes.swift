import MediaTypes

/// The three planes of an I420 picture that somebody else owns. Lives as long as the closure it is handed to.
struct PicturePlanes {
    struct Plane {
        var start: UnsafeMutablePointer<UInt8>
        /// Bytes from one row to the next.
        var stride: Int
    }
    var size: PixelSize
    var luma: Plane
    var blue: Plane
    var red: Plane

    /// The size of both chroma planes: half of the picture, rounded up.
    var chromaSize: PixelSize { PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2) }

    /// The part of the picture in a rectangle that lies within it and starts at even coordinates.
    func cropped(to region: PixelRectangle) -> PicturePlanes {
        precondition(region.x >= 0 && region.y >= 0 && region.right <= size.width && region.bottom <= size.height)
        precondition(region.x & 1 == 0 && region.y & 1 == 0, "chroma has half the resolution")
        func moved(_ plane: Plane, _ x: Int, _ y: Int) -> Plane {
            Plane(start: plane.start + (y * plane.stride + x), stride: plane.stride)
        }
        return PicturePlanes(
            size: region.size,
            luma: moved(luma, region.x, region.y),
            blue: moved(blue, region.x / 2, region.y / 2),
            red: moved(red, region.x / 2, region.y / 2))
    }
}
