/// The head of an element as it stands in a file: its ID and its size (RFC 8794 sections 5 and 6).
struct ElementHead: Hashable, Sendable {
    /// Bytes that a head has at most: an ID of four and a size of eight.
    static let longest = 12

    let id: UInt32
    /// Bytes of ID and size.
    let length: Int
    /// Bytes of the body; nil when it says that it does not know.
    let size: Int64?

    /// Nil for bytes that are no head, or end within one.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard let (size, sizeLength) = variableSizeInteger(bytes.dropFirst(idLength)) else { return nil }
        id = bytes.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
        length = idLength + sizeLength
        self.size = size == (1 << (7 * UInt64(sizeLength))) - 1 ? nil : Int64(size)
    }

    /// What it is; nil for what is not known here.
    var element: EBMLElement? { EBMLElement(rawValue: id) }
}

/// A variable-size integer (RFC 8794 section 4) at the start of bytes, and how many of them it takes. Nil when it is none,
/// or is not all there.
func variableSizeInteger(_ bytes: ArraySlice<UInt8>) -> (value: UInt64, length: Int)? {
    guard let first = bytes.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard bytes.count >= length else { return nil }
    let value = bytes.dropFirst().prefix(length - 1).reduce(UInt64(first) & 0xFF >> UInt64(length)) {
        $0 << 8 | UInt64($1)
    }
    return (value, length)
}

/// The elements in the body of a master element that is in memory, one after the other. Ends where they make no sense.
struct ElementSequence: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ body: ArraySlice<UInt8>) { rest = body }

    /// `bytes` is the whole element, `body` what is in it.
    mutating func next() -> (id: UInt32, body: ArraySlice<UInt8>, bytes: ArraySlice<UInt8>)? {
        guard let head = ElementHead(rest), let size = head.size, size <= Int64(rest.count - head.length) else {
            return nil
        }
        let bytes = rest.prefix(head.length + Int(size))
        rest = rest.dropFirst(bytes.count)
        return (head.id, bytes.dropFirst(head.length), bytes)
    }

    /// The body of the first element of a kind.
    func first(_ element: EBMLElement) -> ArraySlice<UInt8>? { first { $0.id == element.rawValue }?.body }
}

/// An unsigned integer's body (RFC 8794 section 7.2); nil when it is longer than one can be.
func unsignedInteger(_ body: ArraySlice<UInt8>) -> UInt64? {
    body.count <= 8 ? body.reduce(0) { $0 << 8 | UInt64($1) } : nil
}

/// A float's body (RFC 8794 section 7.3): of no, four or eight bytes.
func floatingPoint(_ body: ArraySlice<UInt8>) -> Double? {
    guard let bits = unsignedInteger(body) else { return nil }
    switch body.count {
    case 0: return 0
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: return nil
    }
}

/// A string's body; zeros at its end are padding (RFC 8794 section 7.4).
func text(_ body: ArraySlice<UInt8>) -> String { String(decoding: body.prefix { $0 != 0 }, as: UTF8.self) }
