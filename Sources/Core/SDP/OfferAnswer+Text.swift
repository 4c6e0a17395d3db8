import MediaTypes

extension OfferAnswer {
    /// The answer's text for what was negotiated: the sections in the offer's order, as many as it has.
    static func write(
        _ sections: [NegotiatedSection], to offer: SessionDescription, _ parameters: AnswerParameters
    ) -> SessionDescription {
        var answer = SessionDescription(
            origin: SDPOrigin(
                sessionID: String(parameters.sessionID), sessionVersion: String(parameters.sessionVersion)))
        let acceptedMids = Set(sections.filter { $0.content != .rejected }.map(\.mid))
        let bundle = offer.bundle.filter(acceptedMids.contains)
        if !bundle.isEmpty {
            answer.attributes.append(SDPAttribute("group", (["BUNDLE"] + bundle.map(\.value)).joined(separator: " ")))
        }
        for section in sections {
            let offered = offer.media[section.index]
            var answered = MediaSection(
                kind: offered.kind, port: 9, transportProtocol: offered.transportProtocol, formats: offered.formats,
                otherLines: [SDPLine(type: "c", value: "IN IP4 0.0.0.0")])
            if offered.mid != nil { answered.attributes.append(SDPAttribute("mid", section.mid.value)) }
            switch section.content {
            case .rejected:
                answered.port = 0
                answered.attributes.append(SDPAttribute("inactive"))
            case .dataChannels(let sctpPort, _):
                answered.formats = ["webrtc-datachannel"]
                answered.attributes += transportAttributes(parameters)
                answered.attributes.append(SDPAttribute("sctp-port", String(sctpPort)))
                answered.attributes.append(SDPAttribute("max-message-size", String(parameters.maximumMessageSize)))
            case .media(let media):
                answered.formats = media.payloads.flatMap { payload in
                    [payload.payloadType, payload.retransmissionPayloadType].compactMap { $0.map { String($0) } }
                }
                answered.attributes.append(SDPAttribute(media.direction.rawValue))
                answered.attributes += transportAttributes(parameters)
                answered.attributes.append(SDPAttribute("rtcp-mux"))
                answered.attributes += mediaAttributes(media, offered)
            }
            answer.media.append(answered)
        }
        return answer
    }

    private static func transportAttributes(_ parameters: AnswerParameters) -> [SDPAttribute] {
        [
            SDPAttribute("ice-ufrag", parameters.iceCredentials.usernameFragment),
            SDPAttribute("ice-pwd", parameters.iceCredentials.password), SDPAttribute("ice-options", "trickle"),
            SDPAttribute("fingerprint", parameters.fingerprint.description),
            SDPAttribute("setup", SetupRole.active.rawValue),
        ]
    }

    private static func mediaAttributes(_ media: NegotiatedMedia, _ offered: MediaSection) -> [SDPAttribute] {
        var attributes = media.extensions.sorted { $0.value < $1.value }.map { name, id in
            SDPAttribute("extmap", "\(id) \(name.rawValue)")
        }
        let maps = offered.rtpMaps
        for payload in media.payloads {
            let type = payload.payloadType
            if let map = maps.first(where: { $0.payloadType == type }) {
                attributes.append(SDPAttribute("rtpmap", map.text))
            }
            for feedback in NegotiatedPayload.Feedback.allCases where payload.feedback.contains(feedback) {
                attributes.append(SDPAttribute("rtcp-fb", "\(type) \(feedback.rawValue)"))
            }
            var format = offered.formatParameters(of: type)
            if payload.codec == .opus {
                // What we would like to get (RFC 7587 section 6.1): both channels, and help against loss.
                format["useinbandfec"] = "1"
                format["stereo"] = "1"
            }
            if !format.parameters.isEmpty { attributes.append(SDPAttribute("fmtp", "\(type) \(format.text)")) }
            if let retransmission = payload.retransmissionPayloadType {
                if let map = maps.first(where: { $0.payloadType == retransmission }) {
                    attributes.append(SDPAttribute("rtpmap", map.text))
                }
                attributes.append(SDPAttribute("fmtp", "\(retransmission) apt=\(type)"))
            }
        }
        return attributes
    }
}
