package import MediaTypes

/// What stands before the VP9 data in each packet (RFC 9628 section 4.2).
package struct VP9PayloadDescriptor: Sendable, Equatable {
    /// P: the picture refers to earlier ones.
    package var isPredicted: Bool
    /// B and E: the payload begins, ends a frame, which is one spatial layer of a picture.
    package var startsLayerFrame: Bool
    package var endsLayerFrame: Bool
    /// Counts pictures; 7 or 15 bits.
    package var pictureID: PictureID?
    /// TID and SID: the temporal and the spatial layer, 0 the lowest.
    package var temporalLayer: UInt8?
    package var spatialLayer: UInt8?
    package var temporalLayerZeroIndex: UInt8?
    /// The largest spatial layer's size, where the packet states the layers' structure.
    package var size: PixelSize?
    /// Bytes of this descriptor; the VP9 data follows. At least one byte of it.
    package var length: Int

    /// Whether this packet begins a picture: the lowest spatial layer's first.
    package var startsPicture: Bool { startsLayerFrame && spatialLayer ?? 0 == 0 }

    package init(parsing bytes: [UInt8], _ payload: Range<Int>) throws(PayloadDescriptorError) {
        var reader = try PayloadDescriptorReader(bytes, payload)
        let head = try reader.byte()
        let isFlexible = head & 0x10 != 0
        isPredicted = head & 0x40 != 0
        startsLayerFrame = head & 0x08 != 0
        endsLayerFrame = head & 0x04 != 0
        if head & 0x80 != 0 { pictureID = try PictureID(from: &reader) }
        if head & 0x20 != 0 {
            let layers = try reader.byte()
            temporalLayer = layers >> 5
            spatialLayer = layers >> 1 & 7
            if !isFlexible { temporalLayerZeroIndex = try reader.byte() }
        }
        if isFlexible, isPredicted {
            var count = 1
            while try reader.byte() & 1 != 0 {
                count += 1
                guard count <= 3 else { throw .tooManyReferences }
            }
        }
        if head & 0x02 != 0 {
            let structure = try reader.byte()
            if structure & 0x10 != 0 {
                for _ in 0...(structure >> 5) {
                    let width = UInt16(try reader.byte()) << 8 | UInt16(try reader.byte())
                    let height = UInt16(try reader.byte()) << 8 | UInt16(try reader.byte())
                    size = PixelSize(width: Int(width), height: Int(height))
                }
            }
            if structure & 0x08 != 0 {
                for _ in 0..<(try reader.byte()) {
                    let references = try reader.byte() >> 2 & 3
                    for _ in 0..<references { _ = try reader.byte() }
                }
            }
        }
        length = try reader.length()
    }
}
