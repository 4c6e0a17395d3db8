/// An RTP packet to be written. callbot sends no media; tests and simulations do.
package struct OutgoingRTPPacket: Sendable {
    package var payloadType: PayloadType
    package var sequenceNumber: SequenceNumber
    package var timestamp: UInt32
    package var ssrc: SSRC
    package var marker: Bool
    package var contributingSources: [SSRC] = []
    /// Elements by local identifier, 1...255, at most 255 bytes each.
    package var headerExtensions: [(identifier: UInt8, value: [UInt8])] = []
    package var payload: [UInt8]
    /// Bytes of padding behind the payload, 0...255.
    package var padding: UInt8 = 0

    package init(
        payloadType: PayloadType, sequenceNumber: SequenceNumber, timestamp: UInt32, ssrc: SSRC, marker: Bool = false,
        payload: [UInt8]
    ) {
        self.payloadType = payloadType
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.ssrc = ssrc
        self.marker = marker
        self.payload = payload
    }

    /// The datagram. Extensions take the one-byte form where they all fit it (RFC 8285 section 4).
    package func serialized() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(40 + payload.count + Int(padding))
        let flags: UInt8 = (padding > 0 ? 0x20 : 0) | (headerExtensions.isEmpty ? 0 : 0x10)
        bytes.append(0x80 | flags | UInt8(contributingSources.count & 0x0f))
        bytes.append((marker ? 0x80 : 0) | payloadType.value)
        bytes.append(bigEndian: sequenceNumber.value)
        bytes.append(bigEndian: timestamp)
        bytes.append(bigEndian: ssrc.value)
        for source in contributingSources.prefix(15) { bytes.append(bigEndian: source.value) }
        if !headerExtensions.isEmpty { appendExtensions(to: &bytes) }
        bytes += payload
        if padding > 0 { bytes += [UInt8](repeating: 0, count: Int(padding) - 1) + [padding] }
        return bytes
    }

    private func appendExtensions(to bytes: inout [UInt8]) {
        let isShort = headerExtensions.allSatisfy { 1...14 ~= $0.identifier && 1...16 ~= $0.value.count }
        var elements: [UInt8] = []
        for (identifier, value) in headerExtensions {
            if isShort {
                elements.append(identifier << 4 | UInt8(value.count - 1))
            } else {
                elements += [identifier, UInt8(clamping: value.count)]
            }
            elements += value.prefix(255)
        }
        while elements.count % 4 != 0 { elements.append(0) }
        bytes.append(bigEndian: UInt16(isShort ? 0xBEDE : 0x1000))
        bytes.append(bigEndian: UInt16(elements.count / 4))
        bytes += elements
    }
}
