/// Which part of something is asked for (RFC 9110 section 14).
enum ByteRange: Hashable {
    /// All of it: nothing else was asked for, or nothing that is understood, or several parts at once.
    case whole
    /// These bytes, at least one.
    case part(Range<Int64>)
    /// Nothing that is there.
    case unsatisfiable

    /// - Parameter field: the value of `Range`.
    init(_ field: String?, length: Int64) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let range = field.dropFirst("bytes=".count).filter { $0 != " " && $0 != "\t" }
        let sides = range.split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else { return }
        // More digits than a number has are more than any file has.
        let first = sides[0].isEmpty ? nil : Int64(sides[0]) ?? .max
        let last = sides[1].isEmpty ? nil : Int64(sides[1]) ?? .max
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?): self = count == 0 ? .unsatisfiable : .of(max(0, length - count)..<length)
        case (let first?, let last):
            if let last, last < first { return }
            self =
                first < length
                ? .of(first..<min(length, last.map { $0 == .max ? $0 : $0 + 1 } ?? length)) : .unsatisfiable
        }
    }

    private static func of(_ range: Range<Int64>) -> ByteRange { range.isEmpty ? .unsatisfiable : .part(range) }
}
