// A VP8 payload: its descriptor, then the frame's header.
import RTP

func fuzz(_ bytes: [UInt8]) {
    guard let descriptor = try? VP8PayloadDescriptor(parsing: bytes, 0..<bytes.count) else { return }
    precondition(descriptor.length < bytes.count)
    if let header = VP8FrameHeader(parsing: bytes, descriptor.length..<bytes.count), !header.isKeyframe {
        precondition(header.size == nil)
    }
}
