/// A data channel: a pair of SCTP streams of one number and the label that its opener gave it (RFC 8831 section 6.4, RFC
/// 8832). Labels need not be unique; the stream is, while the channel is open.
package struct DataChannel: Hashable, Sendable {
    package let stream: UInt16
    package let label: String

    package init(stream: UInt16, label: String) {
        self.stream = stream
        self.label = label
    }
}

/// What an SCTP message carries: the payload protocol identifiers of WebRTC (RFC 8831 section 8).
enum DataChannelPayload: UInt32 {
    case control = 50
    case text = 51
    case binary = 53
    case emptyText = 56
    case emptyBinary = 57
}
