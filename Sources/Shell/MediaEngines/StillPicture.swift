package import MediaTypes

/// A picture read from a file, to be drawn on canvases.
package struct StillPicture: Hashable, Sendable {
    package let size: PixelSize
    /// I420: the three planes one after the other, rows without gaps.
    private var bytes: [UInt8]

    /// - Parameter fill: fills all planes.
    init(size: PixelSize, _ fill: (PicturePlanes) -> Void) {
        self.size = size
        bytes = [UInt8](repeating: 0, count: Self.byteCount(size))
        let size = size
        bytes.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { fill(Self.planes(of: size, at: start)) }
        }
    }

    /// Lends the planes, which are not to be written to, for the length of the closure.
    func withPlanes(_ body: (PicturePlanes) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            body(Self.planes(of: size, at: UnsafeMutablePointer(mutating: start)))
        }
    }

    private static func byteCount(_ size: PixelSize) -> Int {
        size.width * size.height + 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2)
    }

    private static func planes(of size: PixelSize, at start: UnsafeMutablePointer<UInt8>) -> PicturePlanes {
        let stride = (size.width + 1) / 2
        let blue = start + size.width * size.height
        return PicturePlanes(
            size: size, luma: .init(start: start, stride: size.width), blue: .init(start: blue, stride: stride),
            red: .init(start: blue + stride * ((size.height + 1) / 2), stride: stride))
    }
}

extension Canvas {
    /// Draws a picture, scaled so that it fills the region; what goes beyond the canvas is cut off.
    /// - Parameter cropping: the part of the picture that is shown, nil for all of it.
    package func draw(_ picture: StillPicture, into region: PixelRectangle, cropping: PixelRectangle? = nil) {
        picture.withPlanes { draw($0, into: region, cropping: cropping, with: PictureScaler()) }
    }
}
