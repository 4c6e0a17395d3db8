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
        self.init(
            packet.payload.dropFirst(descriptor.length), startsFrame: descriptor.startsFrame, descriptor.pictureID
        ) { data in
            VP8FrameHeader(parsing: packet.bytes, data).map { ($0.isKeyframe, $0.size) }
        }
    }

    /// Nil when the payload cannot be read.
    init?(vp9 packet: RTPPacket) {
        guard let descriptor = try? VP9PayloadDescriptor(parsing: packet.bytes, packet.payload) else { return nil }
        self.init(
            packet.payload.dropFirst(descriptor.length), startsFrame: descriptor.startsPicture, descriptor.pictureID
        ) { data in
            // With spatial layers the picture is as large as the largest of them.
            VP9FrameHeader(parsing: packet.bytes, data).map {
                ($0.isKeyframe, $0.isKeyframe ? descriptor.size ?? $0.size : nil)
            }
        }
    }

    /// - Parameter header: reads what a frame begins with; nil when it cannot be read.
    private init?(
        _ data: Range<Int>, startsFrame: Bool, _ pictureID: PictureID?,
        header: (Range<Int>) -> (isKeyframe: Bool, size: PixelSize?)?
    ) {
        self.data = data
        self.startsFrame = startsFrame
        picture = pictureID.map { Picture(number: $0.value, following: $0.next.value) }
        guard startsFrame else { return }
        guard let (isKeyframe, size) = header(data) else { return nil }
        self.isKeyframe = isKeyframe
        self.size = size
    }
}
