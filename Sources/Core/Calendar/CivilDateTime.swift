package import MediaTypes

/// What a clock on a wall shows: a day and a time of day, without saying where. Only with a zone does it mean an
/// instant, and then none, one or two of them.
package struct CivilDateTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let date: CivilDate
    /// 0...23
    package let hour: Int
    /// 0...59
    package let minute: Int
    /// 0...59; leap seconds are not told apart.
    package let second: Int

    /// A time that a clock can show; nil for 24:00 and the like.
    package init?(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The time so many seconds after 1970-01-01 00:00 by the same clock.
    package init(clockSeconds: Int) {
        let days = clockSeconds.flooredQuotient(86_400)
        let rest = clockSeconds - days * 86_400
        date = CivilDate(dayNumber: days)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// Seconds since 1970-01-01 00:00 by the same clock, had it never been put forward or back.
    package var clockSeconds: Int { date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second }

    package static func < (a: Self, b: Self) -> Bool { a.clockSeconds < b.clockSeconds }

    /// `2026-11-30 04:07:28`
    package var description: String { "\(date) \(hour.padded(2)):\(minute.padded(2)):\(second.padded(2))" }
}

extension WallTime {
    /// Whole seconds since 1970-01-01T00:00:00Z.
    package init(seconds: Int) { self.init(microseconds: Int64(seconds) &* 1_000_000) }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package var wholeSeconds: Int { Int(microseconds).flooredQuotient(1_000_000) }
}

/// The instants that are reckoned with: the years 1 to 9999, in seconds since 1970. What lies outside has no
/// occurrences.
let reckonedSeconds = -62_135_596_800..<253_402_300_800
