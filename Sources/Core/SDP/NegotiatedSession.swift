package import MediaTypes

/// What an offer and our answer to it agreed on: what the transport is configured from.
package struct NegotiatedSession: Hashable, Sendable {
    /// One for each `m=` line of the offer, in its order.
    package var sections: [NegotiatedSection]
    package var remote: RemoteTransport
    /// What is to be sent back.
    package var answer: SessionDescription
}

/// The other end of the one bundled transport.
package struct RemoteTransport: Hashable, Sendable {
    /// The section whose attributes these are; trickled candidates refer to it.
    package var mid: MediaSectionID
    package var iceCredentials: ICECredentials
    package var isICELite: Bool
    /// At least one; the certificate must match one whose hash function is known.
    package var fingerprints: [Fingerprint]
    /// The candidates that came with the offer, each `candidate:…`.
    package var candidates: [String]
    /// Whether no more candidates will come.
    package var hasAllCandidates: Bool
}

/// What became of one `m=` line.
package struct NegotiatedSection: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// Not taken: nothing is on it that we understand, or it was disabled.
        case rejected
        case media(NegotiatedMedia)
        /// SCTP over DTLS; messages to the other side must not be larger than this, in bytes, 0 being any.
        case dataChannels(sctpPort: UInt16, maximumMessageSize: UInt64)
    }

    package var mid: MediaSectionID
    /// The number of its line in offer and answer, from 0.
    package var index: Int
    package var content: Content

    package var media: NegotiatedMedia? { if case .media(let media) = content { media } else { nil } }
}

/// One audio or video section that was taken.
package struct NegotiatedMedia: Hashable, Sendable {
    /// The RTP header extensions that are understood.
    package enum Extension: String, Hashable, Sendable, CaseIterable {
        /// RFC 9143 section 15.
        case mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
        /// RFC 6464.
        case audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
        /// A sequence number over all packets of the transport, for bandwidth estimation by the sender.
        case transportWideCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
        /// Coordination of video orientation, 3GPP TS 26.114 section 7.4.5.
        case videoOrientation = "urn:3gpp:video-orientation"
    }

    package var kind: MediaKind
    /// `recvonly`, or `inactive` while nothing is offered on it.
    package var direction: MediaDirection
    /// Not empty; the offer's favourite first.
    package var payloads: [NegotiatedPayload]
    /// The numbers of the extensions in this section.
    package var extensions: [Extension: UInt8]
    /// The SSRCs that the offer announces, with those of their retransmissions.
    package var sources: [MediaSource]
}

/// One payload type that was taken.
package struct NegotiatedPayload: Hashable, Sendable {
    /// What we may send about it in RTCP (RFC 4585; transport-wide feedback; REMB).
    package enum Feedback: String, Hashable, Sendable, CaseIterable {
        case nack
        case pictureLoss = "nack pli"
        case transportCC = "transport-cc"
        case remb = "goog-remb"
    }

    package var payloadType: UInt8
    package var codec: Codec
    /// Of the RTP timestamps, in Hz.
    package var clockRate: UInt32
    package var channels: Int
    /// The payload type of its retransmissions (RFC 4588).
    package var retransmissionPayloadType: UInt8?
    package var feedback: Set<Feedback>
}
