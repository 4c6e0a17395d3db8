// A VP9 payload: its descriptor with layers, references and structure, then the frame's header.
import MediaTypes
import RTP

func fuzz(_ bytes: [UInt8]) {
    guard let descriptor = try? VP9PayloadDescriptor(parsing: bytes, 0..<bytes.count) else { return }
    precondition(descriptor.length < bytes.count)
    _ = VP9FrameHeader(parsing: bytes, descriptor.length..<bytes.count)
}
