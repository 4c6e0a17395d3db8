/// An RRULE of RFC 5545 (section 3.3.10): how an event comes again.
package struct RecurrenceRule: Hashable, Sendable {
    package enum Frequency: Int, Hashable, Sendable, Comparable {
        case secondly, minutely, hourly, daily, weekly, monthly, yearly

        package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// `MO`, `2MO` (the second), `-1FR` (the last).
    package struct WeekdayRule: Hashable, Sendable {
        package var ordinal: Int?
        package var weekday: Weekday
    }

    package enum End: Hashable, Sendable {
        case never
        /// So many times, the first of them the event's own.
        case count(Int)
        /// At this time at the latest; a day counts to its end.
        case until(EventTime)
    }

    package var frequency: Frequency
    /// Every so many years, months, ...: 1 or more.
    package var interval = 1
    package var end = End.never
    package var bySecond: [Int] = []
    package var byMinute: [Int] = []
    package var byHour: [Int] = []
    package var byDay: [WeekdayRule] = []
    /// -31...31 without 0; as in the next two, what is negative is counted from the end.
    package var byMonthDay: [Int] = []
    package var byYearDay: [Int] = []
    package var byWeekNumber: [Int] = []
    package var byMonth: [Int] = []
    package var bySetPosition: [Int] = []
    package var weekStart = Weekday.monday

    /// Why a text is no such rule: a part of a sentence.
    package struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }
}
