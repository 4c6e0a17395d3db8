package import MediaTypes

/// One moment, as people write it: `2026-12-01 09:00` by the clocks of whatever zone the reader says, or ISO 8601 with
/// its own zone, `2026-12-01T09:00:00Z` and `2026-12-01T09:00+01:00`.
package enum OneOffTime: Hashable, Sendable, CustomStringConvertible {
    /// What a clock shows.
    case clock(CivilDateTime)
    /// Written with a zone.
    case instant(WallTime)

    /// Why a text is no such time: one sentence.
    package struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Seconds and fractions of one may be left out; the fraction is read to microseconds.
    package init(_ text: String) throws(Invalid) {
        let fault = Invalid(
            description: "'\(text.quotable)' is no time: write it as 2026-12-01 09:00, 2026-12-01T09:00:00Z or "
                + "2026-12-01T09:00+01:00")
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2)
        else { throw fault }
        guard let date = CivilDate(year: year, month: month, day: day), year > 0 else {
            throw Invalid(description: "'\(text.quotable)' is no time: there is no such day")
        }
        guard !reader.isAtEnd else {
            throw Invalid(description: "'\(text.quotable)' has no time of day: write it as \(date) 09:00")
        }
        guard reader.take("T") || reader.take("t") || reader.take(" "), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2)
        else { throw fault }
        var second = 0
        var fraction: Int64 = 0
        if reader.take(":") {
            guard let number = reader.number(2) else { throw fault }
            second = number
            if reader.take(".") {
                guard let number = reader.microseconds() else { throw fault }
                fraction = number
            }
        }
        guard let clock = CivilDateTime(date, hour: hour, minute: minute, second: second) else {
            throw Invalid(
                description: "'\(text.quotable)' is no time: hours are 00 to 23, minutes and seconds 00 to 59")
        }
        if reader.isAtEnd, fraction == 0 {
            self = .clock(clock)
            return
        }
        guard let offset = reader.offset(), reader.isAtEnd else { throw fault }
        self = .instant(
            WallTime(microseconds: WallTime(seconds: clock.clockSeconds - offset).microseconds + fraction))
    }

    /// The instant that is meant where these rules hold. A time that the clocks skip is the moment at which they are
    /// put forward, of one that they show twice it is the first: as with a cron job of fixed times.
    package func instant(in zone: some TimeZoneRules) -> WallTime {
        switch self {
        case .clock(let clock): zone.instant(of: clock, skipped: .rightAfter)
        case .instant(let instant): instant
        }
    }

    /// In the form in which it can be read again.
    package var description: String {
        switch self {
        case .clock(let clock): clock.description
        case .instant(let instant): instant.iso8601
        }
    }
}

/// Reads numbers of a known width from a short text.
private struct DigitReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8.prefix(64)) }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Character) -> Bool {
        guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
        index += 1
        return true
    }

    mutating func number(_ width: Int) -> Int? {
        guard index + width <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + width] {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += width
        return value
    }

    /// A fraction of a second, whatever its length.
    mutating func microseconds() -> Int64? {
        var value: Int64 = 0
        var digits = 0
        while let digit = number(1) {
            if digits < 6 { value = value * 10 + Int64(digit) }
            digits += 1
        }
        while digits > 0, digits < 6 {
            value *= 10
            digits += 1
        }
        return digits == 0 ? nil : value
    }

    /// `Z`, `+01:00`, `+0100` or `+01`, in seconds; a space may stand before it.
    mutating func offset() -> Int? {
        _ = take(" ")
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2), hours <= 23 else { return nil }
        var minutes = 0
        if !isAtEnd {
            _ = take(":")
            guard let number = number(2), number < 60 else { return nil }
            minutes = number
        }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
