/// A codec by its SDP encoding name (RFC 6838 media subtype), lower case. All that a room may offer are named; what is
/// captured today is `opus` and `vp8`.
package enum Codec: String, Hashable, Sendable, CaseIterable {
    case opus, vp8, vp9, h264, h265, av1, g722, pcmu, pcma

    package var kind: MediaKind {
        switch self {
        case .opus, .g722, .pcmu, .pcma: .audio
        case .vp8, .vp9, .h264, .h265, .av1: .video
        }
    }
}
