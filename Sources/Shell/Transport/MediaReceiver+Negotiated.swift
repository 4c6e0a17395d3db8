import MediaTypes
import RTP
import Reception
import SDP

extension MediaReceiver.Section {
    /// What offer and answer agreed on, in the receiver's terms. Nil for a section on which no media flows.
    init?(_ section: NegotiatedSection) {
        guard let media = section.media, media.direction != .inactive else { return nil }
        var formats: [PayloadType: PayloadFormat] = [:]
        var retransmissions: [PayloadType: PayloadType] = [:]
        var feedback: Set<NegotiatedPayload.Feedback> = []
        for payload in media.payloads {
            let type = PayloadType(payload.payloadType)
            formats[type] = PayloadFormat(
                codec: payload.codec, clockRate: Int(payload.clockRate), channels: payload.channels)
            if let other = payload.retransmissionPayloadType { retransmissions[PayloadType(other)] = type }
            feedback.formUnion(payload.feedback)
        }
        self.init(mid: section.mid, kind: media.kind, payloadTypes: formats)
        rtx = retransmissions
        ssrcs = media.sources.map { SSRC($0.ssrc) }
        rtxSSRCs = media.sources.compactMap { $0.retransmissionSSRC.map(SSRC.init) }
        midExtension = media.extensions[.mid]
        audioLevelExtension = media.extensions[.audioLevel]
        videoOrientationExtension = media.extensions[.videoOrientation]
        transportSequenceExtension = media.extensions[.transportWideCC]
        nack = feedback.contains(.nack)
        pli = feedback.contains(.pictureLoss)
        transportFeedback = feedback.contains(.transportCC)
    }
}
