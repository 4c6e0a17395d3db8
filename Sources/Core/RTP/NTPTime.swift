/// A moment as sender reports state it: seconds since 1900 with a 32-bit fraction (RFC 3550 section 4).
package struct NTPTime: Hashable, Sendable {
    /// Seconds in the upper half, their fraction in the lower.
    package var value: UInt64

    package init(_ value: UInt64) { self.value = value }

    /// The moment `nanoseconds` after 1900-01-01T00:00Z; wraps in 2036.
    package init(nanoseconds: Int64) {
        let seconds = UInt64(truncatingIfNeeded: nanoseconds / 1_000_000_000)
        let rest = UInt64(truncatingIfNeeded: nanoseconds % 1_000_000_000)
        value = seconds &<< 32 | (rest &<< 32) / 1_000_000_000
    }

    /// Nanoseconds since 1900.
    package var nanoseconds: Int64 {
        Int64(value >> 32) * 1_000_000_000 + Int64(((value & 0xffff_ffff) &* 1_000_000_000) >> 32)
    }

    /// Nanoseconds since another moment, whichever way round is shorter: right across the wrap.
    package func nanoseconds(since other: Self) -> Int64 {
        let difference = Int64(bitPattern: value &- other.value)
        let rest = (UInt64(bitPattern: difference) & 0xffff_ffff) &* 1_000_000_000
        return (difference >> 32) &* 1_000_000_000 &+ Int64(rest >> 32)
    }

    /// The middle half, which report blocks send back as LSR (RFC 3550 section 6.4.1).
    package var middle: UInt32 { UInt32(truncatingIfNeeded: value >> 16) }
}
