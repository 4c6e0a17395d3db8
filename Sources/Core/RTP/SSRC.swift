/// A synchronization source: who sends one stream of RTP packets (RFC 3550 section 3). `a=ssrc` in SDP.
package struct SSRC: Hashable, Sendable, CustomStringConvertible {
    package let value: UInt32
    package init(_ value: UInt32) { self.value = value }
    package var description: String { String(value) }
}

/// The number that names a payload format within one media section, 0...127 (RFC 3550 section 5.1). `a=rtpmap` in SDP.
package struct PayloadType: Hashable, Sendable, CustomStringConvertible {
    package let value: UInt8

    /// Takes the low seven bits: the eighth is the marker in an RTP header.
    package init(_ value: UInt8) { self.value = value & 0x7f }
    package var description: String { String(value) }
}
