package import MediaTypes

extension MediaSection {
    /// The encodings of the payload types (`a=rtpmap`, and RFC 3551 for those that need none), in the order in which
    /// the section prefers them. A payload type nothing is said about is left out.
    package var rtpMaps: [RTPMap] {
        let written = (RTPMap.assigned + values(of: "rtpmap").compactMap(RTPMap.init(parsing:))).map {
            ($0.payloadType, $0)
        }
        let maps = Dictionary(written, uniquingKeysWith: { _, last in last })
        var seen: Set<UInt8> = []
        return formats.compactMap(parsePayloadType).compactMap { seen.insert($0).inserted ? maps[$0] : nil }
    }

    /// The parameters of a payload type (`a=fmtp`); none when there is no such line.
    package func formatParameters(of payloadType: UInt8) -> FormatParameters {
        for value in values(of: "fmtp") {
            let parts = value.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parsePayloadType(parts[0]) == payloadType {
                return FormatParameters(parsing: String(parts[1]))
            }
        }
        return FormatParameters()
    }

    /// The feedback that may be sent about a payload type (RFC 4585 section 4.2), such as `nack pli`.
    package func feedback(of payloadType: UInt8) -> [String] {
        values(of: "rtcp-fb").compactMap { value in
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0] == "*" || parsePayloadType(parts[0]) == payloadType else { return nil }
            return String(parts[1])
        }
    }

    /// The RTP header extensions (RFC 8285 section 5).
    package var headerExtensions: [HeaderExtension] {
        values(of: "extmap").compactMap(HeaderExtension.init(parsing:))
    }

    /// The SSRCs that are announced, each with the SSRC of its retransmissions where it has one (RFC 5576, and RFC 4588
    /// for the group FID).
    package var mediaSources: [MediaSource] {
        var retransmissions: [UInt32: UInt32] = [:]
        for value in values(of: "ssrc-group") {
            let words = value.split(separator: " ")
            let group = words.dropFirst().compactMap { UInt32($0) }
            if words.first == "FID", group.count == 2 { retransmissions[group[0]] = group[1] }
        }
        var seen = Set(retransmissions.values)
        return values(of: "ssrc").compactMap { value in
            guard let ssrc = value.split(separator: " ").first.flatMap({ UInt32($0) }), seen.insert(ssrc).inserted
            else {
                return nil
            }
            return MediaSource(ssrc: ssrc, retransmissionSSRC: retransmissions[ssrc])
        }
    }

    /// Stream and track of the section (RFC 8830), as in `a=msid:stream track`.
    package var mediaStream: (stream: String, track: String?)? {
        guard let words = value(of: "msid")?.split(separator: " "), let stream = words.first else { return nil }
        return (String(stream), words.count > 1 ? String(words[1]) : nil)
    }

    /// Where SCTP listens inside DTLS (RFC 8841 section 5).
    package var sctpPort: UInt16? { value(of: "sctp-port").flatMap { UInt16($0) } }

    /// The largest message in bytes that the other side takes (RFC 8841 section 6); 0 is any, and 64 KiB when unsaid.
    package var maximumMessageSize: UInt64 { value(of: "max-message-size").flatMap { UInt64($0) } ?? 65536 }

    /// ICE candidates as ICE writes them, each beginning with `candidate:` (RFC 8839 section 5.1).
    package var candidates: [String] { values(of: "candidate").map { "candidate:" + $0 } }
}

/// A payload type's encoding (RFC 8866 section 6.6).
package struct RTPMap: Hashable, Sendable {
    package var payloadType: UInt8
    /// As it was written: `opus`, `VP8`, `rtx`.
    package var encodingName: String
    /// In Hz.
    package var clockRate: UInt32
    /// For audio; 1 when unsaid.
    package var channels: Int

    package init(payloadType: UInt8, encodingName: String, clockRate: UInt32, channels: Int = 1) {
        self.payloadType = payloadType
        self.encodingName = encodingName
        self.clockRate = clockRate
        self.channels = channels
    }

    /// Reads `111 opus/48000/2`.
    init?(parsing text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let payloadType = parsePayloadType(words[0]) else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, !parts[0].isEmpty, let clockRate = UInt32(parts[1]), clockRate > 0 else {
            return nil
        }
        var channels = 1
        if parts.count == 3 {
            guard let number = UInt8(parts[2]), number > 0 else { return nil }
            channels = Int(number)
        }
        self.init(
            payloadType: payloadType, encodingName: String(parts[0]), clockRate: clockRate, channels: channels)
    }

    /// The codec, where it is one we have a name for.
    package var codec: Codec? { Codec(rawValue: encodingName.lowercased()) }

    package var isRetransmission: Bool { encodingName.lowercased() == "rtx" }

    /// The payload types that RFC 3551 assigns and WebRTC still meets.
    static let assigned = [
        RTPMap(payloadType: 0, encodingName: "PCMU", clockRate: 8000),
        RTPMap(payloadType: 8, encodingName: "PCMA", clockRate: 8000),
        RTPMap(payloadType: 9, encodingName: "G722", clockRate: 8000),
    ]

    /// The line's value.
    package var text: String { "\(payloadType) \(encodingName)/\(clockRate)" + (channels > 1 ? "/\(channels)" : "") }
}

/// The parameters of a format: `minptime=10;useinbandfec=1`.
package struct FormatParameters: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: String?
    }

    package var parameters: [Parameter] = []

    package init() {}

    init(parsing text: String) {
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].trimmingSpaces()
            if !name.isEmpty {
                parameters.append(Parameter(name: name, value: pair.count == 2 ? pair[1].trimmingSpaces() : nil))
            }
        }
    }

    /// The value of a parameter; names are compared without regard to case. Setting appends what is not there.
    package subscript(name: String) -> String? {
        get { parameters.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            if let index = parameters.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
                parameters[index].value = newValue
            } else {
                parameters.append(Parameter(name: name, value: newValue))
            }
        }
    }

    package var text: String {
        parameters.map { $0.name + ($0.value.map { "=\($0)" } ?? "") }.joined(separator: ";")
    }
}

/// What an RTP header extension's small number stands for in a section (RFC 8285).
package struct HeaderExtension: Hashable, Sendable {
    package var id: UInt8
    package var uri: String

    package init(id: UInt8, uri: String) {
        self.id = id
        self.uri = uri
    }

    /// Reads `4 urn:…`, also with a direction after the number and attributes after the name, which are not kept.
    init?(parsing text: String) {
        let words = text.split(separator: " ")
        guard words.count >= 2, let number = words[0].split(separator: "/").first, let id = UInt8(number), id > 0 else {
            return nil
        }
        self.init(id: id, uri: String(words[1]))
    }
}

/// An SSRC of media, and the one that its packets come under when they are sent again.
package struct MediaSource: Hashable, Sendable {
    package var ssrc: UInt32
    package var retransmissionSSRC: UInt32?

    package init(ssrc: UInt32, retransmissionSSRC: UInt32? = nil) {
        self.ssrc = ssrc
        self.retransmissionSSRC = retransmissionSSRC
    }
}

/// An RTP payload type, 7 bits (RFC 3550).
func parsePayloadType(_ text: some StringProtocol) -> UInt8? { UInt8(text).flatMap { $0 < 128 ? $0 : nil } }

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
