package import MediaTypes
package import RTP

/// What a payload type stands for (`a=rtpmap`).
package struct PayloadFormat: Sendable, Equatable {
    package var codec: Codec
    /// RTP clock ticks a second.
    package var clockRate: Int
    package var channels: Int

    package init(codec: Codec, clockRate: Int, channels: Int = 1) {
        self.codec = codec
        self.clockRate = clockRate
        self.channels = channels
    }
}

extension MediaReceiver {
    /// What was negotiated for one media section that is received.
    package struct Section: Sendable, Equatable {
        package var mid: MediaSectionID
        package var kind: MediaKind
        package var payloadTypes: [PayloadType: PayloadFormat]
        /// Retransmission payload types, each with the one that it repeats (`apt`, RFC 4588 section 8.1).
        package var rtx: [PayloadType: PayloadType] = [:]
        /// The sources that were announced; may be empty.
        package var ssrcs: [SSRC] = []
        package var rtxSSRCs: [SSRC] = []
        /// Local identifiers of header extensions (`a=extmap`).
        package var midExtension: UInt8?
        package var audioLevelExtension: UInt8?
        package var videoOrientationExtension: UInt8?
        package var transportSequenceExtension: UInt8?
        /// What the sender understands (`a=rtcp-fb`): `nack`, `nack pli`, `transport-cc`.
        package var nack = false
        package var pli = false
        package var transportFeedback = false

        package init(mid: MediaSectionID, kind: MediaKind, payloadTypes: [PayloadType: PayloadFormat]) {
            self.mid = mid
            self.kind = kind
            self.payloadTypes = payloadTypes
        }
    }
}
