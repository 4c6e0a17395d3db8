/// Bytes that arrive in pieces, as lines.
struct LineBuffer {
    /// Bytes of a line without its line feed.
    let limit: Int
    private var waiting: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    mutating func append(_ bytes: some Sequence<UInt8>) { waiting += bytes }

    /// The next whole line, without its line feed.
    mutating func next() -> [UInt8]? {
        guard let end = waiting.firstIndex(of: 0x0A), end <= limit else { return nil }
        defer { waiting.removeFirst(end + 1) }
        return Array(waiting[..<end])
    }

    /// Whether the line that has begun is too long already. Once it is, there is no next one.
    var isOverfull: Bool { (waiting.firstIndex(of: 0x0A) ?? waiting.count) > limit }
}
