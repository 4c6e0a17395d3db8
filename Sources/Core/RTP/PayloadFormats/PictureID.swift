/// The number of a picture in VP8 and VP9, which goes up by one from picture to picture and wraps (RFC 7741 section 4.2,
/// RFC 9628 section 4.2).
package struct PictureID: Sendable, Hashable {
    package var value: UInt16
    /// Whether 15 bits count instead of 7.
    package var isLong: Bool
    package var next: Self { Self(value: (value &+ 1) & (isLong ? 0x7fff : 0x7f), isLong: isLong) }

    package init(value: UInt16, isLong: Bool) {
        self.value = value
        self.isLong = isLong
    }

    /// One byte, or two where the first one's highest bit (M) is set.
    init(from reader: inout PayloadDescriptorReader) throws(PayloadDescriptorError) {
        let high = try reader.byte()
        isLong = high & 0x80 != 0
        value = isLong ? UInt16(high & 0x7f) << 8 | UInt16(try reader.byte()) : UInt16(high)
    }
}
