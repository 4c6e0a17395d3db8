// All arithmetic with numbers that wrap lives in this file: sequence numbers (16 bits) and RTP timestamps (32 bits).
// A wrapping number is unwrapped to the 64-bit number nearest to the newest one seen, whose low bits are the same.

/// An RTP packet's sequence number as on the wire; wraps after 65535 (RFC 3550 section 5.1).
package struct SequenceNumber: Hashable, Sendable, CustomStringConvertible {
    package let value: UInt16
    package init(_ value: UInt16) { self.value = value }
    package var next: Self { Self(value &+ 1) }
    package var description: String { String(value) }
}

/// A sequence number that never wraps. Its low 16 bits are those on the wire.
package struct ExtendedSequenceNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var value: Int64
    package init(_ value: Int64) { self.value = value }
    package var wire: SequenceNumber { SequenceNumber(UInt16(truncatingIfNeeded: value)) }
    package var description: String { String(value) }

    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    package static func + (number: Self, count: Int64) -> Self { Self(number.value &+ count) }
    package static func - (a: Self, b: Self) -> Int64 { a.value &- b.value }
}

/// Extends the sequence numbers of one source.
package struct SequenceUnwrapper: Sendable {
    private var unwrapper = Unwrapper<UInt16>()

    package init() {}

    /// The number nearest to the highest one seen so far; the first one is itself.
    package mutating func unwrap(_ number: SequenceNumber) -> ExtendedSequenceNumber {
        ExtendedSequenceNumber(unwrapper.unwrap(number.value))
    }

    /// As `unwrap`, without remembering it.
    package func peek(_ number: SequenceNumber) -> ExtendedSequenceNumber {
        ExtendedSequenceNumber(unwrapper.peek(number.value))
    }

    /// Goes on behind everything seen so far, however far away `number` is: the source began a new count.
    package mutating func restart(at number: SequenceNumber) -> ExtendedSequenceNumber {
        ExtendedSequenceNumber(unwrapper.restart(at: number.value))
    }
}

/// Extends the RTP timestamps of one source to 64 bits, in units of its clock rate.
package struct TimestampUnwrapper: Sendable {
    private var unwrapper = Unwrapper<UInt32>()

    package init() {}

    package mutating func unwrap(_ timestamp: UInt32) -> Int64 { unwrapper.unwrap(timestamp) }

    /// As `unwrap`, without remembering it: for the timestamp in a sender report.
    package func peek(_ timestamp: UInt32) -> Int64 { unwrapper.peek(timestamp) }
}

private struct Unwrapper<Wire: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var highest: Int64?

    func peek(_ wire: Wire) -> Int64 {
        guard let highest else { return Int64(wire) }
        let ahead = wire &- Wire(truncatingIfNeeded: highest)
        let span = Int64(1) &<< Int64(Wire.bitWidth)
        return ahead < Wire(1) << (Wire.bitWidth - 1)
            ? highest &+ Int64(ahead) : highest &+ Int64(ahead) &- span
    }

    mutating func unwrap(_ wire: Wire) -> Int64 {
        let extended = peek(wire)
        if extended > highest ?? .min { highest = extended }
        return extended
    }

    mutating func restart(at wire: Wire) -> Int64 {
        guard let last = highest else { return unwrap(wire) }
        let extended = last &+ 1 &+ Int64(wire &- Wire(truncatingIfNeeded: last &+ 1))
        highest = extended
        return extended
    }
}
