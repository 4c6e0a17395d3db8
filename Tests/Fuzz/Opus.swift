// An Opus payload, and what its first bytes say of its length.
import MediaTypes
import RTP

func fuzz(_ bytes: [UInt8]) {
    _ = try? OpusPayload(parsing: bytes, 0..<bytes.count)
    if let duration = OpusPacket.duration(of: bytes) {
        precondition(duration > .zero && duration <= .milliseconds(120))
    }
    _ = OpusPacket.isStereo(bytes)
}
