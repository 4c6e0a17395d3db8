/// By how many degrees a picture is to be turned clockwise to stand upright: a phone films as it lies in the hand.
package enum PictureRotation: Int, Hashable, Sendable, CaseIterable {
    case none = 0
    case right = 90
    case upsideDown = 180
    case left = 270

    /// Whether width and height change places.
    package var isSideways: Bool { self == .right || self == .left }
}

extension PixelSize {
    /// The size of a picture of this size when it is turned.
    package func turned(_ rotation: PictureRotation) -> PixelSize {
        rotation.isSideways ? PixelSize(width: height, height: width) : self
    }
}
