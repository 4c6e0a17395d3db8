import MediaTypes
import RTP

/// Packets in order become frames, by the payload format of their codec.
struct FrameAssembler: Sendable {
    let codec: Codec
    private var opus = OpusFrameAssembler()
    private var video = VideoFrameAssembler()

    /// Nil for a codec whose payload format is not read.
    init?(codec: Codec) {
        guard Self.codecs.contains(codec) else { return nil }
        self.codec = codec
    }

    static let codecs: Set<Codec> = [.opus, .vp8, .vp9]

    var counts: AssemblyCounts { codec.kind == .audio ? opus.counts : video.counts }

    /// Whether decoding needs a keyframe, and none is just being put together.
    var needsKeyframe: Bool { codec.kind == .video && video.reference != .whole && !video.isInKeyframe }

    mutating func noteLoss() {
        if codec.kind == .audio { opus.noteLoss() } else { video.noteLoss() }
    }

    mutating func handle(_ packet: RTPPacket, into frames: inout [AssembledFrame]) {
        if codec == .opus {
            if let frame = opus.frame(of: packet) { frames.append(frame) }
        } else {
            video.handle(packet, part: part(of: packet), into: &frames)
        }
    }

    /// The frame that only waits for its last packet is given if it may be whole.
    mutating func finish(into frames: inout [AssembledFrame]) { video.finish(into: &frames, isEnd: true) }

    /// Whether the frame that begins in this packet is the very next one, as far as the sender counts frames.
    func continues(with packet: RTPPacket) -> Bool {
        guard codec.kind == .video, let part = part(of: packet), part.startsFrame else { return false }
        return video.isNext(part)
    }

    /// Whether a keyframe begins in this packet.
    func startsKeyframe(_ packet: RTPPacket) -> Bool {
        guard codec.kind == .video, let part = part(of: packet) else { return false }
        return part.startsFrame && part.isKeyframe
    }

    private func part(of packet: RTPPacket) -> VideoPart? {
        switch codec {
        case .vp8: VideoPart(vp8: packet)
        case .vp9: VideoPart(vp9: packet)
        case .opus, .h264, .h265, .av1, .g722, .pcmu, .pcma: nil
        }
    }
}
