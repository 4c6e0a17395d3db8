/// The table at a file's start that says where its parts are (RFC 9559 section 5.1.1). Its space is reserved as a Void
/// and filled in when the file is finished.
struct SeekHead {
    /// Enough for five entries of 21 bytes and a Void behind them.
    static let reserved = 120

    /// Elements at the top of the Segment, with their positions counted from the first byte of the Segment's body.
    private(set) var entries: [(element: EBMLElement, position: Int64)] = []

    mutating func append(_ element: EBMLElement, at position: Int64) { entries.append((element, position)) }

    /// Exactly `reserved` bytes.
    var bytes: [UInt8] { bytes(filling: Self.reserved) }

    /// Exactly so many bytes, of which 21 are needed for an entry, and 8 besides.
    func bytes(filling reserved: Int) -> [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.seekHead) { head in
            for entry in entries {
                head.append(.seek) { seek in
                    var id = EBMLBytes()
                    id.append(id: entry.element)
                    seek.append(.seekID, binary: id.bytes)
                    seek.append(.seekPosition, binary: bigEndian(UInt64(entry.position), count: 8))
                }
            }
        }
        bytes.appendVoid(total: reserved - bytes.bytes.count)
        return bytes.bytes
    }
}
