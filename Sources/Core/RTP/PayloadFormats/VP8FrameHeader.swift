package import MediaTypes

/// The first bytes of a VP8 frame (RFC 6386 section 9.1).
package struct VP8FrameHeader: Sendable, Equatable {
    package var isKeyframe: Bool
    /// The picture's size, which keyframes alone state.
    package var size: PixelSize?

    /// Reads the header at the start of `frame`; nil when it is cut off or a keyframe has not its start code.
    package init?(parsing bytes: [UInt8], _ frame: Range<Int>) {
        let start = frame.lowerBound
        guard start >= 0, frame.upperBound <= bytes.count, frame.count >= 3 else { return nil }
        isKeyframe = bytes[start] & 1 == 0
        guard isKeyframe else { return }
        guard frame.count >= 10, bytes[start + 3] == 0x9d, bytes[start + 4] == 0x01, bytes[start + 5] == 0x2a
        else { return nil }
        // Fourteen bits each, little-endian; the upper two are a scaling hint that decoders ignore.
        size = PixelSize(
            width: Int(bytes[start + 7] & 0x3f) << 8 | Int(bytes[start + 6]),
            height: Int(bytes[start + 9] & 0x3f) << 8 | Int(bytes[start + 8]))
    }
}
