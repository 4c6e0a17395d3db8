/// A cluster that is being filled (RFC 9559 section 5.1.3): it is held in memory and written whole, with its size, so
/// that a file never ends inside one unless the write itself was torn.
struct Cluster {
    struct SimpleBlock {
        var trackNumber: Int
        /// Milliseconds on the file's timeline.
        var time: Int64
        var isKeyframe: Bool
        var payload: [UInt8]
    }

    /// Milliseconds that a cluster spans at most.
    static let span: Int64 = 1000
    /// Milliseconds that a block may lie before its cluster's Timestamp; 16 bits would reach a little further.
    static let reachBack: Int64 = 32_000

    private(set) var blocks: [SimpleBlock] = []
    private(set) var earliest: Int64 = 0
    private(set) var latest: Int64 = 0

    var isEmpty: Bool { blocks.isEmpty }

    /// Whether a block of this time still belongs here.
    func fits(_ time: Int64) -> Bool {
        isEmpty || (time - earliest < Self.span && latest - time < Self.span)
    }

    mutating func append(_ block: SimpleBlock) {
        earliest = isEmpty ? block.time : min(earliest, block.time)
        latest = isEmpty ? block.time : max(latest, block.time)
        blocks.append(block)
    }

    /// The cluster's bytes, its blocks in the order of time, those of equal time in the order they came in.
    /// - Parameter timestamp: the cluster's Timestamp; no block lies more than `reachBack` before it.
    func bytes(timestamp: Int64) -> [UInt8] {
        var header = EBMLBytes()
        header.append(.timestamp, unsigned: UInt64(timestamp))
        var size = header.bytes.count
        for block in blocks { size += Self.length(of: block) }

        var cluster = EBMLBytes()
        cluster.reserveCapacity(size + 12)
        cluster.append(id: .cluster)
        cluster.append(size: size)
        cluster.append(raw: header.bytes)
        // The standard library's sort is stable.
        for block in blocks.sorted(by: { $0.time < $1.time }) {
            let relative = UInt16(bitPattern: Int16(clamping: block.time - timestamp))
            cluster.append(id: .simpleBlock)
            cluster.append(size: 4 + block.payload.count)
            cluster.append(raw: [
                0x80 | UInt8(truncatingIfNeeded: block.trackNumber), UInt8(relative >> 8), UInt8(relative & 0xFF),
                block.isKeyframe ? 0x80 : 0,
            ])
            cluster.append(raw: block.payload)
        }
        return cluster.bytes
    }

    private static func length(of block: SimpleBlock) -> Int {
        let size = 4 + block.payload.count
        return 1 + EBMLBytes.length(ofSize: size) + size
    }
}
