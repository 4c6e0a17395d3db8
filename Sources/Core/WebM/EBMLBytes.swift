/// Bytes in the making: elements of EBML (RFC 8794), one after the other or one inside the other.
struct EBMLBytes {
    private(set) var bytes: [UInt8] = []

    /// An unsigned integer element, in as few bytes as it needs, at least one (RFC 8794 section 7.2).
    mutating func append(_ id: EBMLElement, unsigned value: UInt64) {
        let count = max(1, (64 - value.leadingZeroBitCount + 7) / 8)
        append(id, binary: bigEndian(value, count: count))
    }

    /// A float element of eight bytes (RFC 8794 section 7.3).
    mutating func append(_ id: EBMLElement, float value: Double) {
        append(id, binary: bigEndian(value.bitPattern, count: 8))
    }

    /// A date element: nanoseconds since 2001-01-01T00:00:00 UTC (RFC 8794 section 7.6).
    mutating func append(_ id: EBMLElement, date nanoseconds: Int64) {
        append(id, binary: bigEndian(UInt64(bitPattern: nanoseconds), count: 8))
    }

    /// A string element, in UTF-8.
    mutating func append(_ id: EBMLElement, string: String) {
        append(id, binary: Array(string.utf8))
    }

    mutating func append(_ id: EBMLElement, binary: [UInt8]) {
        append(id: id)
        append(size: binary.count)
        bytes += binary
    }

    /// A master element with the children that `body` appends.
    mutating func append(_ id: EBMLElement, _ body: (inout EBMLBytes) -> Void) {
        var children = EBMLBytes()
        body(&children)
        append(id, binary: children.bytes)
    }

    /// Space for later use, a Void element of `total` bytes altogether: from 2 to 128.
    mutating func appendVoid(total: Int) {
        append(.void, binary: [UInt8](repeating: 0, count: total - 2))
    }

    mutating func append(id: EBMLElement) {
        let value = UInt64(id.rawValue)
        bytes += bigEndian(value, count: (64 - value.leadingZeroBitCount + 7) / 8)
    }

    /// An element's size in as few bytes as it needs (RFC 8794 section 6.2).
    mutating func append(size: Int) {
        let count = Self.length(ofSize: size)
        bytes += bigEndian(UInt64(size) | 1 << UInt64(7 * count), count: count)
    }

    mutating func append(raw: [UInt8]) { bytes += raw }

    mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

    /// How many bytes `append(size:)` takes. A size of all ones would mean "unknown", so each length ends one below it.
    static func length(ofSize size: Int) -> Int {
        var count = 1
        while count < 8, size >= (1 << (7 * count)) - 1 { count += 1 }
        return count
    }
}

/// The low `count` bytes of a value, most significant first.
func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}
