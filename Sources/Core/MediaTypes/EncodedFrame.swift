/// A width and a height in pixels.
package struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
    package var description: String { "\(width)x\(height)" }
}

/// One compressed frame of one track on the recording's timeline: what capture writes and rendering decodes.
package struct EncodedFrame: Sendable {
    package var codec: Codec
    /// The moment it was captured by the sender, on the recording's timeline.
    package var time: TimelineTime
    /// How long it sounds, where the payload says so (Opus, RFC 6716 section 3.1); nil for pictures.
    package var duration: Duration?
    /// Whether decoding can start here. Always true for audio.
    package var isKeyframe: Bool
    /// The picture's size, where this frame says it (a VP8 keyframe, RFC 6386 section 9.1).
    package var size: PixelSize?
    /// The whole frame as the codec's bitstream has it, without any RTP payload header.
    package var payload: [UInt8]

    package init(
        codec: Codec, time: TimelineTime, duration: Duration? = nil, isKeyframe: Bool, size: PixelSize? = nil,
        payload: [UInt8]
    ) {
        self.codec = codec
        self.time = time
        self.duration = duration
        self.isKeyframe = isKeyframe
        self.size = size
        self.payload = payload
    }
}
