/// A moment in UTC, as the host's wall clock told it. Good for naming and for showing; never for measuring, since the
/// wall clock may be set.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
    package static func + (time: Self, span: Duration) -> Self {
        Self(microseconds: time.microseconds &+ span.microseconds)
    }

    /// Year, month and day in UTC (proleptic Gregorian calendar).
    package var civilDate: (year: Int, month: Int, day: Int) {
        // Days since 0000-03-01, in eras of 400 years: the leap day is then the last day of a year.
        let days = Int((microseconds >= 0 ? microseconds : microseconds - 86_399_999_999) / 86_400_000_000) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Microseconds since the UTC midnight before this moment.
    package var microsecondsOfDay: Int64 {
        let rest = microseconds % 86_400_000_000
        return rest < 0 ? rest + 86_400_000_000 : rest
    }

    /// Hours, minutes and seconds in UTC: `04:07:28`.
    package var timeOfDay: String {
        let second = microsecondsOfDay / 1_000_000
        return "\((second / 3600).padded(2)):\((second / 60 % 60).padded(2)):\((second % 60).padded(2))"
    }

    /// ISO 8601 with milliseconds, in UTC: `2026-11-30T04:07:28.123Z`.
    package var iso8601: String {
        let (year, month, day) = civilDate
        return "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))T\(timeOfDay)"
            + ".\((microsecondsOfDay / 1000 % 1000).padded(3))Z"
    }
}
