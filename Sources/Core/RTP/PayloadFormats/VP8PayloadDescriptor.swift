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

    /// Whether this packet begins a frame.
    package var startsFrame: Bool { startsPartition && partition == 0 }

    package init(parsing bytes: [UInt8], _ payload: Range<Int>) throws(PayloadDescriptorError) {
        var reader = try PayloadDescriptorReader(bytes, payload)
        let head = try reader.byte()
        isNonReference = head & 0x20 != 0
        startsPartition = head & 0x10 != 0
        partition = head & 0x07
        isLayerSync = false
        if head & 0x80 != 0 {
            let present = try reader.byte()
            if present & 0x80 != 0 { pictureID = try PictureID(from: &reader) }
            if present & 0x40 != 0 { temporalLayerZeroIndex = try reader.byte() }
            if present & 0x30 != 0 {
                let layer = try reader.byte()
                if present & 0x20 != 0 {
                    temporalLayer = layer >> 6
                    isLayerSync = layer & 0x20 != 0
                }
            }
        }
        length = try reader.length()
    }
}
