package import MediaTypes

/// One `m=` line and what belongs to it (RFC 8866 section 5.14).
package struct MediaSection: Hashable, Sendable, SDPAttributeList {
    /// `audio`, `video`, `application`, or another word.
    package var kind: String
    /// 0 rejects or disables the section; real ports come with ICE, so it is 9 otherwise.
    package var port: UInt16
    /// `UDP/TLS/RTP/SAVPF` and `UDP/DTLS/SCTP` in WebRTC.
    package var transportProtocol: String
    /// Payload types, or `webrtc-datachannel`.
    package var formats: [String]
    /// The section's lines that are no attributes: `c=`, `b=`, `i=`.
    package var otherLines: [SDPLine]
    package var attributes: [SDPAttribute]

    package init(
        kind: String, port: UInt16, transportProtocol: String, formats: [String], otherLines: [SDPLine] = [],
        attributes: [SDPAttribute] = []
    ) {
        self.kind = kind
        self.port = port
        self.transportProtocol = transportProtocol
        self.formats = formats
        self.otherLines = otherLines
        self.attributes = attributes
    }

    /// The section's name (RFC 5888); nil when it has none.
    package var mid: MediaSectionID? { value(of: "mid").map(MediaSectionID.init) }

    /// Which way media flows, in the eyes of who wrote it; `sendrecv` when nothing is said.
    package var direction: MediaDirection {
        attributes.lazy.filter { $0.value == nil }.compactMap { MediaDirection(rawValue: $0.name) }.first ?? .sendrecv
    }

    /// Whether it is offered at all: port 0 says no, unless the section is there for the bundle only (RFC 9143
    /// section 6).
    package var isEnabled: Bool { port != 0 || has("bundle-only") }

    /// Whether it carries data channels (RFC 8841).
    package var isDataChannels: Bool { kind == "application" && formats.contains("webrtc-datachannel") }
}

/// Which way media flows in a section (RFC 8866 section 6.7), in the eyes of who wrote it.
package enum MediaDirection: String, Hashable, Sendable {
    case sendrecv, sendonly, recvonly, inactive

    package var sends: Bool { self == .sendrecv || self == .sendonly }
}
