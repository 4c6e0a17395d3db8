/// One member of a compound RTCP packet (RFC 3550 section 6.1).
package enum RTCPPacket: Sendable, Equatable {
    case senderReport(SenderReport)
    case receiverReport(ReceiverReport)
    case sourceDescription(SourceDescription)
    case goodbye(Goodbye)
    case genericNACK(GenericNACK)
    case pictureLossIndication(PictureLossIndication)
    case fullIntraRequest(FullIntraRequest)
    case receiverEstimatedMaximumBitrate(ReceiverEstimatedMaximumBitrate)
    case transportFeedback(TransportFeedback)
    /// Well-formed, and nothing that callbot reads. `format` is the count or feedback message type in the header.
    case other(packetType: UInt8, format: UInt8)

    /// Why a member of a compound packet cannot be read.
    package enum ParseError: Error, Equatable {
        case tooShort(Int)
        case unsupportedVersion(UInt8)
        case lengthExceedsPacket
        case invalidPadding(UInt8)
        /// The body is shorter than this packet type needs.
        case truncatedBody(packetType: UInt8)
    }

    /// Packet types (RFC 3550 section 12.1, RFC 4585 section 6.1).
    enum Kind {
        static let senderReport: UInt8 = 200
        static let receiverReport: UInt8 = 201
        static let sourceDescription: UInt8 = 202
        static let goodbye: UInt8 = 203
        static let transportFeedback: UInt8 = 205
        static let payloadFeedback: UInt8 = 206
    }

    /// Reads the body of one member.
    init(packetType: UInt8, format: UInt8, bytes: [UInt8], body: Range<Int>) throws(ParseError) {
        let parsed: RTCPPacket? =
            switch (packetType, format) {
            case (Kind.senderReport, _):
                SenderReport(parsing: bytes, body, count: Int(format)).map(RTCPPacket.senderReport)
            case (Kind.receiverReport, _):
                ReceiverReport(parsing: bytes, body, count: Int(format)).map(RTCPPacket.receiverReport)
            case (Kind.sourceDescription, _):
                SourceDescription(parsing: bytes, body, count: Int(format)).map(RTCPPacket.sourceDescription)
            case (Kind.goodbye, _):
                Goodbye(parsing: bytes, body, count: Int(format)).map(RTCPPacket.goodbye)
            case (Kind.transportFeedback, GenericNACK.format):
                GenericNACK(parsing: bytes, body).map(RTCPPacket.genericNACK)
            case (Kind.payloadFeedback, PictureLossIndication.format):
                PictureLossIndication(parsing: bytes, body).map(RTCPPacket.pictureLossIndication)
            case (Kind.payloadFeedback, FullIntraRequest.format):
                FullIntraRequest(parsing: bytes, body).map(RTCPPacket.fullIntraRequest)
            case (Kind.payloadFeedback, ReceiverEstimatedMaximumBitrate.format)
            where ReceiverEstimatedMaximumBitrate.isIdentified(bytes, body):
                ReceiverEstimatedMaximumBitrate(parsing: bytes, body).map(RTCPPacket.receiverEstimatedMaximumBitrate)
            case (Kind.transportFeedback, TransportFeedback.format):
                TransportFeedback(parsing: bytes, body).map(RTCPPacket.transportFeedback)
            default:
                .other(packetType: packetType, format: format)
            }
        guard let parsed else { throw .truncatedBody(packetType: packetType) }
        self = parsed
    }

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .senderReport(let report): report.append(to: &bytes)
        case .receiverReport(let report): report.append(to: &bytes)
        case .sourceDescription(let description): description.append(to: &bytes)
        case .goodbye(let goodbye): goodbye.append(to: &bytes)
        case .genericNACK(let nack): nack.append(to: &bytes)
        case .pictureLossIndication(let indication): indication.append(to: &bytes)
        case .fullIntraRequest(let request): request.append(to: &bytes)
        case .receiverEstimatedMaximumBitrate(let estimate): estimate.append(to: &bytes)
        case .transportFeedback(let feedback): feedback.append(to: &bytes)
        case .other: break  // nothing of it was kept
        }
    }
}
