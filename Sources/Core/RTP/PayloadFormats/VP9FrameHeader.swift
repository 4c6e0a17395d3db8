package import MediaTypes

/// The first bits of a VP9 frame (VP9 bitstream specification section 6.2, `uncompressed_header`).
package struct VP9FrameHeader: Sendable, Equatable {
    package var isKeyframe: Bool
    /// The picture's size, where this frame is a keyframe.
    package var size: PixelSize?

    /// Reads the header at the start of `frame`; nil when it is cut off, or no VP9.
    package init?(parsing bytes: [UInt8], _ frame: Range<Int>) {
        guard frame.lowerBound >= 0, frame.upperBound <= bytes.count else { return nil }
        var position = frame.lowerBound * 8
        func bits(_ count: Int) -> Int? {
            guard position + count <= frame.upperBound * 8 else { return nil }
            var value = 0
            for _ in 0..<count {
                value = value << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
                position += 1
            }
            return value
        }
        guard bits(2) == 2, let low = bits(1), let high = bits(1) else { return nil }
        let profile = high << 1 | low
        if profile == 3 { guard bits(1) == 0 else { return nil } }
        guard let showsExisting = bits(1) else { return nil }
        isKeyframe = false
        if showsExisting == 1 { return }
        guard let type = bits(1), bits(2) != nil else { return nil }
        guard type == 0 else { return }
        isKeyframe = true
        guard bits(24) == 0x498342 else { return nil }
        if profile >= 2 { guard bits(1) != nil else { return nil } }
        guard let colorSpace = bits(3) else { return nil }
        // RGB has no range bit; with the odd profiles subsampling follows.
        let rest = (colorSpace == 7 ? 0 : 1) + (profile & 1 == 0 ? 0 : colorSpace == 7 ? 1 : 3)
        guard bits(rest) != nil, let width = bits(16), let height = bits(16) else { return nil }
        size = PixelSize(width: width + 1, height: height + 1)
    }
}
