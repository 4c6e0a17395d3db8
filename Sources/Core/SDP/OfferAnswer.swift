package import MediaTypes

/// How callbot answers: what it takes, and what its transport is known by.
package struct AnswerParameters: Hashable, Sendable {
    /// The codecs that can be recorded. A section without any of them is rejected.
    package var acceptedCodecs: Set<Codec>
    package var iceCredentials: ICECredentials
    package var fingerprint: Fingerprint
    /// The session's number in the origin line; the same for every answer of one connection.
    package var sessionID: UInt64
    /// Counts the answers of one connection, from 1.
    package var sessionVersion: UInt64
    /// The largest data channel message in bytes that we take; 0 is any (RFC 8841 section 6).
    package var maximumMessageSize: UInt64
    /// Say that lost audio packets will be asked for even where the offer does not. An answer should not (RFC 4585 section
    /// 4.2); it is for servers that are known to do what they do not offer.
    package var requestsAudioUnoffered: Bool

    package init(
        acceptedCodecs: Set<Codec>, iceCredentials: ICECredentials, fingerprint: Fingerprint, sessionID: UInt64,
        sessionVersion: UInt64 = 1, maximumMessageSize: UInt64 = 262_144, requestsAudioUnoffered: Bool = false
    ) {
        self.acceptedCodecs = acceptedCodecs
        self.iceCredentials = iceCredentials
        self.fingerprint = fingerprint
        self.sessionID = sessionID
        self.sessionVersion = sessionVersion
        self.maximumMessageSize = maximumMessageSize
        self.requestsAudioUnoffered = requestsAudioUnoffered
    }
}

/// Why an offer cannot be answered at all.
package enum OfferError: String, Error, Hashable, Sendable, CustomStringConvertible {
    case nothingAcceptable = "the offer has no media section that can be accepted"
    case iceCredentialsMissing = "the offer has no ICE name and password"
    case fingerprintMissing = "the offer has no certificate fingerprint"
    case setupMismatch = "the offer wants to begin the DTLS handshake itself"

    package var description: String { rawValue }
}

/// Answers offers as a recorder does (RFC 9429): it receives, over one bundled transport, and never sends media.
///
/// The answer declares no SSRC of ours. A receiver need not, and Janus would take the SSRC in our RTCP for a media
/// section's and so misdirect keyframe requests.
package enum OfferAnswer {
    package static func answer(
        _ offer: SessionDescription, with parameters: AnswerParameters
    ) throws(OfferError) -> NegotiatedSession {
        var negotiated: [NegotiatedSection] = []
        let bundle = offer.bundle
        let bundled = Set(bundle)
        for (index, section) in offer.media.enumerated() {
            let mid = section.mid ?? MediaSectionID(String(index))
            // Without a group each section would have a transport of its own. There is one here: the first section has it.
            let isOnOurTransport =
                bundle.isEmpty ? !negotiated.contains { $0.content != .rejected } : bundled.contains(mid)
            negotiated.append(
                NegotiatedSection(
                    mid: mid, index: index,
                    content: section.isEnabled && isOnOurTransport ? content(section, parameters) : .rejected))
        }
        let accepted = negotiated.filter { $0.content != .rejected }
        guard let transportSection = accepted.first(where: { $0.mid == bundle.first }) ?? accepted.first else {
            throw .nothingAcceptable
        }
        return NegotiatedSession(
            sections: negotiated,
            remote: try remoteTransport(offer, offer.media[transportSection.index], transportSection.mid),
            answer: write(negotiated, to: offer, parameters))
    }

    private static func content(
        _ section: MediaSection, _ parameters: AnswerParameters
    ) -> NegotiatedSection.Content {
        if section.isDataChannels {
            return .dataChannels(
                sctpPort: section.sctpPort ?? 5000, maximumMessageSize: section.maximumMessageSize)
        }
        guard let kind = MediaKind(rawValue: section.kind), section.transportProtocol.hasSuffix("RTP/SAVPF") else {
            return .rejected
        }
        let maps = section.rtpMaps
        let extensions = section.headerExtensions.compactMap { offered in
            NegotiatedMedia.Extension(rawValue: offered.uri).map { ($0, offered.id) }
        }
        let ids = Dictionary(extensions, uniquingKeysWith: { first, _ in first })
        let payloads = maps.compactMap { map -> NegotiatedPayload? in
            guard let codec = map.codec, codec.kind == kind, parameters.acceptedCodecs.contains(codec) else {
                return nil
            }
            let retransmission = maps.first {
                $0.isRetransmission
                    && section.formatParameters(of: $0.payloadType)["apt"].flatMap(parsePayloadType) == map.payloadType
            }
            var feedback = feedback(
                section.feedback(of: map.payloadType), hasTransportSequence: ids[.transportWideCC] != nil)
            if kind == .audio, parameters.requestsAudioUnoffered { feedback.insert(.nack) }
            return NegotiatedPayload(
                payloadType: map.payloadType, codec: codec, clockRate: map.clockRate, channels: map.channels,
                retransmissionPayloadType: retransmission?.payloadType, feedback: feedback)
        }
        guard !payloads.isEmpty else { return .rejected }
        return .media(
            NegotiatedMedia(
                kind: kind, direction: section.direction.sends ? .recvonly : .inactive, payloads: payloads,
                extensions: ids, sources: section.mediaSources))
    }

    /// Of several ways to report bandwidth one is enough: transport-wide feedback where each packet can be numbered
    /// for it, else REMB.
    private static func feedback(_ offered: [String], hasTransportSequence: Bool) -> Set<NegotiatedPayload.Feedback> {
        var feedback = Set(offered.compactMap(NegotiatedPayload.Feedback.init(rawValue:)))
        if !hasTransportSequence { feedback.remove(.transportCC) }
        if feedback.contains(.transportCC) { feedback.remove(.remb) }
        return feedback
    }

    private static func remoteTransport(
        _ offer: SessionDescription, _ section: MediaSection, _ mid: MediaSectionID
    ) throws(OfferError) -> RemoteTransport {
        guard let credentials = section.iceCredentials ?? offer.iceCredentials else { throw .iceCredentialsMissing }
        let fingerprints = section.fingerprints.isEmpty ? offer.fingerprints : section.fingerprints
        guard !fingerprints.isEmpty else { throw .fingerprintMissing }
        guard (section.setup ?? offer.setup) != .active else { throw .setupMismatch }
        return RemoteTransport(
            mid: mid, iceCredentials: credentials, isICELite: offer.has("ice-lite"), fingerprints: fingerprints,
            candidates: section.candidates, hasAllCandidates: section.has("end-of-candidates"))
    }
}
