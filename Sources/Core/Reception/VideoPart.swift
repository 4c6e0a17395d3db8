import MediaTypes
import RTP

/// What one packet of video contributes to a frame, whatever the codec.
struct VideoPart: Sendable {
    /// The codec's own data in the packet.
    var data: Range<Int>
    var startsFrame: Bool
    /// Known from a packet that starts a frame.
    var isKeyframe = false
    var size: PixelSize?
    /// The frame's number and that of the frame after it, where the sender counts frames.
    var picture: Picture?

    struct Picture: Sendable, Equatable {
        var number: UInt16
        var following: UInt16
    }

    /// Nil when the payload cannot be read.
    init?(vp8 packet: RTPPacket) {
        guard let descriptor = try? VP8PayloadDescriptor(parsing: packet.bytes, packet.payload) else { return nil }
        data = (packet.payload.lowerBound + descriptor.length)..<packet.payload.upperBound
        startsFrame = descriptor.startsFrame
        picture = descriptor.pictureID.map { Picture(number: $0.value, following: $0.next.value) }
        if startsFrame {
            guard let header = VP8FrameHeader(parsing: packet.bytes, data) else { return nil }
            isKeyframe = header.isKeyframe
            size = header.size
        }
    }

    /// Nil when the payload cannot be read.
    init?(vp9 packet: RTPPacket) {
        guard let descriptor = try? VP9PayloadDescriptor(parsing: packet.bytes, packet.payload) else { return nil }
        data = (packet.payload.lowerBound + descriptor.length)..<packet.payload.upperBound
        startsFrame = descriptor.startsPicture
        picture = descriptor.pictureID.map { Picture(number: $0.value, following: $0.next.value) }
        if startsFrame {
            guard let header = VP9FrameHeader(parsing: packet.bytes, data) else { return nil }
            isKeyframe = header.isKeyframe
            // With spatial layers the picture is as large as the largest of them.
            size = isKeyframe ? descriptor.size ?? header.size : nil
        }
    }
}
