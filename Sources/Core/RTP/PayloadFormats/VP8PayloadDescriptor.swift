/// What stands before the VP8 data in each packet (RFC 7741 section 4.2).
package struct VP8PayloadDescriptor: Sendable, Equatable {
    /// N: no other frame refers to this one.
    package var isNonReference: Bool
    /// S: the payload begins a VP8 partition.
    package var startsPartition: Bool
    /// PID: 0 is the first partition, with the frame's header.
    package var partition: UInt8
    /// Counts frames; 7 or 15 bits.
    package var pictureID: PictureID?
    /// TL0PICIDX: counts frames of the lowest temporal layer.
    package var temporalLayerZeroIndex: UInt8?
    /// TID: the temporal layer, 0 the lowest.
    package var temporalLayer: UInt8?
    /// Y: the frame depends on the lowest layer alone.
    package var isLayerSync: Bool
    /// Bytes of this descriptor; the VP8 data follows. At least one byte of it.
    package var length: Int

    package struct PictureID: Sendable, Hashable {
        package var value: UInt16
        /// Whether 15 bits count instead of 7.
        package var isLong: Bool
        package var next: Self { Self(value: (value &+ 1) & (isLong ? 0x7fff : 0x7f), isLong: isLong) }

        package init(value: UInt16, isLong: Bool) {
            self.value = value
            self.isLong = isLong
        }
    }

    /// Whether this packet begins a frame.
    package var startsFrame: Bool { startsPartition && partition == 0 }

    package enum ParseError: Error, Equatable {
        /// The payload ends within the descriptor or right behind it.
        case truncated
    }

    package init(parsing bytes: [UInt8], _ payload: Range<Int>) throws(ParseError) {
        guard payload.lowerBound >= 0, payload.upperBound <= bytes.count else { throw .truncated }
        var offset = payload.lowerBound
        func byte() throws(ParseError) -> UInt8 {
            guard offset < payload.upperBound else { throw .truncated }
            defer { offset += 1 }
            return bytes[offset]
        }
        let head = try byte()
        isNonReference = head & 0x20 != 0
        startsPartition = head & 0x10 != 0
        partition = head & 0x07
        isLayerSync = false
        if head & 0x80 != 0 {
            let present = try byte()
            if present & 0x80 != 0 {
                let high = try byte()
                pictureID =
                    high & 0x80 == 0
                    ? PictureID(value: UInt16(high), isLong: false)
                    : PictureID(value: UInt16(high & 0x7f) << 8 | UInt16(try byte()), isLong: true)
            }
            if present & 0x40 != 0 { temporalLayerZeroIndex = try byte() }
            if present & 0x30 != 0 {
                let layer = try byte()
                if present & 0x20 != 0 {
                    temporalLayer = layer >> 6
                    isLayerSync = layer & 0x20 != 0
                }
            }
        }
        guard offset < payload.upperBound else { throw .truncated }
        length = offset - payload.lowerBound
    }
}
