// A datagram as an RTP packet: header, extensions, retransmission, and the payloads that callbot reads.
import MediaTypes
import RTP

func fuzz(_ bytes: [UInt8]) {
    guard let packet = try? RTPPacket(parsing: bytes) else { return }
    precondition(packet.payload.upperBound <= bytes.count)
    _ = packet.contributingSources
    for identifier in UInt8(0)...15 {
        _ = packet.headerExtension(identifier)
        _ = packet.audioLevel(extension: identifier)
        _ = packet.transportSequenceNumber(extension: identifier)
        _ = packet.text(extension: identifier)
    }
    if let original = RTPPacket(restoring: packet, ssrc: SSRC(1), payloadType: PayloadType(96)) {
        precondition(original.payload.upperBound <= bytes.count)
    }
    readVP8(bytes, packet.payload)
    _ = try? OpusPayload(parsing: bytes, packet.payload)
}

private func readVP8(_ bytes: [UInt8], _ payload: Range<Int>) {
    guard let descriptor = try? VP8PayloadDescriptor(parsing: bytes, payload) else { return }
    precondition(descriptor.length < payload.count)
    _ = VP8FrameHeader(parsing: bytes, payload.dropFirst(descriptor.length))
}
