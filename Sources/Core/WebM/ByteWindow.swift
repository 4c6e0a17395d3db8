/// The bytes of a file that somebody else reads, piece by piece: as much as is looked at, and some that follow.
struct ByteWindow<Failure: Error> {
    /// Reads at an offset; fewer bytes than asked for only at the file's end.
    typealias Read = (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]

    /// Bytes in the file.
    let length: Int64
    private let read: Read
    private let piece: Int
    private var start: Int64 = 0
    private var held: [UInt8] = []

    /// - Parameter piece: how many bytes are read at least, if there are as many.
    init(length: Int64, piece: Int = 128 << 10, read: @escaping Read) {
        self.length = length
        self.piece = piece
        self.read = read
    }

    /// So many bytes at an offset; fewer where the file ends.
    mutating func bytes(at offset: Int64, count: Int) throws(Failure) -> ArraySlice<UInt8> {
        let wanted = Int(min(Int64(count), max(0, length - offset)))
        guard wanted > 0 else { return [] }
        if offset < start || offset + Int64(wanted) > start + Int64(held.count) {
            start = offset
            held = try read(offset, Int(min(Int64(max(wanted, piece)), length - offset)))
        }
        // A file that was cut meanwhile has less than it had.
        let first = min(Int(offset - start), held.count)
        return held[first..<min(first + wanted, held.count)]
    }

    /// The head of the element at an offset; nil where there is none.
    mutating func head(at offset: Int64) throws(Failure) -> ElementHead? {
        ElementHead(try bytes(at: offset, count: ElementHead.longest))
    }
}
