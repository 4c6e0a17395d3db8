import MediaTypes

/// A day of the proleptic Gregorian calendar, wherever it is.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let year: Int
    /// 1...12
    package let month: Int
    /// 1...31
    package let day: Int

    /// A day that there is; nil for 30 February and the like.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month, day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        self.init(checkedYear: year, month: month, day: day)
    }

    /// A day that is known to be one.
    init(checkedYear year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day so many days after 1970-01-01.
    package init(dayNumber: Int) {
        // Years are taken to begin in March, so that the leap day is the last of its year; 400 of them are an era.
        let days = dayNumber + 719_468
        let era = days.flooredQuotient(146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }

    /// Days since 1970-01-01.
    package var dayNumber: Int {
        let shiftedYear = month > 2 ? year : year - 1
        let era = shiftedYear.flooredQuotient(400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package var weekday: Weekday { Self.weekday(ofDayNumber: dayNumber) }

    /// 1...366
    package var dayOfYear: Int { dayNumber - Self.firstDayNumber(of: year) + 1 }

    package func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func days(inYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

    /// The number of a year's 1 January.
    static func firstDayNumber(of year: Int) -> Int { CivilDate(checkedYear: year, month: 1, day: 1).dayNumber }

    /// 1970-01-01 was a Thursday.
    static func weekday(ofDayNumber number: Int) -> Weekday {
        let index = (number + 4) - (number + 4).flooredQuotient(7) * 7
        return Weekday(rawValue: index) ?? .sunday
    }

    package static func < (a: Self, b: Self) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }

    /// `2026-11-30`
    package var description: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }
}

extension Int {
    /// The quotient rounded down, also below zero.
    func flooredQuotient(_ divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
