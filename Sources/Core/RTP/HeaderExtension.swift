// Header extension elements (RFC 8285) and what callbot reads in them.

package import MediaTypes

extension RTPPacket {
    /// Where the element with this local identifier (`a=extmap`) is in `bytes`; nil if there is none. Elements in the
    /// one-byte and in the two-byte form are found alike; an element that runs past the extension ends the search.
    package func headerExtension(_ identifier: UInt8) -> Range<Int>? {
        if extensionElements.isEmpty { return nil }
        if extensionProfile == 0xBEDE { return oneByteElement(identifier) }
        if extensionProfile & 0xfff0 == 0x1000 { return twoByteElement(identifier) }
        return nil
    }

    /// The sound's level and whether there is speech (RFC 6464).
    package func audioLevel(extension identifier: UInt8) -> AudioLevel? {
        guard let range = headerExtension(identifier), let first = range.first else { return nil }
        return AudioLevel(isVoice: bytes[first] & 0x80 != 0, attenuation: bytes[first] & 0x7f)
    }

    /// How the picture is to be turned (coordination of video orientation, 3GPP TS 26.114 section 7.4.5).
    package func videoOrientation(extension identifier: UInt8) -> PictureRotation? {
        guard let first = headerExtension(identifier)?.first else { return nil }
        return PictureRotation(rawValue: Int(bytes[first] & 0x03) * 90)
    }

    /// The transport-wide sequence number (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 2).
    package func transportSequenceNumber(extension identifier: UInt8) -> SequenceNumber? {
        guard let range = headerExtension(identifier), range.count >= 2 else { return nil }
        return bytes.uint16(at: range.lowerBound).map(SequenceNumber.init)
    }

    /// The text of an SDES item carried as an extension, as the mid is (RFC 7941, RFC 9143 section 15).
    package func text(extension identifier: UInt8) -> String? {
        guard let range = headerExtension(identifier) else { return nil }
        return String(validating: bytes[range], as: UTF8.self)
    }

    private func oneByteElement(_ identifier: UInt8) -> Range<Int>? {
        var offset = extensionElements.lowerBound
        while offset < extensionElements.upperBound {
            let head = bytes[offset]
            if head == 0 {  // padding
                offset += 1
                continue
            }
            if head >> 4 == 15 { return nil }  // reserved: stop here (RFC 8285 section 4.2)
            let element = (offset + 1)..<(offset + 2 + Int(head & 0x0f))
            guard element.upperBound <= extensionElements.upperBound else { return nil }
            if head >> 4 == identifier, identifier != 0 { return element }
            offset = element.upperBound
        }
        return nil
    }

    private func twoByteElement(_ identifier: UInt8) -> Range<Int>? {
        var offset = extensionElements.lowerBound
        while offset < extensionElements.upperBound {
            if bytes[offset] == 0 {  // padding
                offset += 1
                continue
            }
            guard offset + 1 < extensionElements.upperBound else { return nil }
            let element = (offset + 2)..<(offset + 2 + Int(bytes[offset + 1]))
            guard element.upperBound <= extensionElements.upperBound else { return nil }
            if bytes[offset] == identifier { return element }
            offset = element.upperBound
        }
        return nil
    }
}

/// How loud a packet's sound is (RFC 6464).
package struct AudioLevel: Hashable, Sendable {
    /// Whether the sender believes that there is speech in it.
    package var isVoice: Bool
    /// How far below the loudest sound: -dBov, 0 (loudest) ... 127 (silence).
    package var attenuation: UInt8

    package init(isVoice: Bool, attenuation: UInt8) {
        self.isVoice = isVoice
        self.attenuation = attenuation
    }
}
