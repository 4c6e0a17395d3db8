/// A colour as people write it (8-bit RGB, sRGB primaries), and as pictures hold it (BT.601, limited range).
package struct Colour: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// From 0xRRGGBB.
    package init(_ hexadecimal: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: hexadecimal >> 16), green: UInt8(truncatingIfNeeded: hexadecimal >> 8),
            blue: UInt8(truncatingIfNeeded: hexadecimal))
    }

    package static let black = Colour(0x000000)
    package static let white = Colour(0xFFFFFF)

    /// Luma 16...235 and chroma 16...240 (ITU-R BT.601-7, section 2.5).
    var limitedYUV: (luma: UInt8, blue: UInt8, red: UInt8) {
        let (r, g, b) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        return (
            UInt8((16 + 219 * luma).rounded()),
            UInt8((128 + 224 * (b - luma) / 1.772).rounded()),
            UInt8((128 + 224 * (r - luma) / 1.402).rounded())
        )
    }
}
