import MediaTypes
import RTP

/// Turns packets of Opus into frames: one packet is one frame (RFC 7587 section 4.2).
struct OpusFrameAssembler: Sendable {
    private(set) var counts = AssemblyCounts()
    private var followsLoss = false

    mutating func noteLoss() { followsLoss = true }

    /// The frame in this packet; nil for one that carries nothing or nothing readable.
    mutating func frame(of packet: RTPPacket) -> AssembledFrame? {
        if packet.payload.isEmpty { return nil }
        guard let opus = try? OpusPayload(parsing: packet.bytes, packet.payload) else {
            counts.malformedPackets += 1
            followsLoss = true
            return nil
        }
        defer { followsLoss = false }
        return AssembledFrame(
            rtpTimestamp: packet.timestamp, duration: opus.duration, isKeyframe: true, size: nil,
            followsLoss: followsLoss, payload: Array(packet.bytes[packet.payload]), firstPacket: packet,
            lastPacket: packet)
    }
}
