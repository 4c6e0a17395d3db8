/// Which days a rule takes, once what it leaves open is filled in from the event's start (RFC 5545, section 3.3.10).
struct RecurrenceDays: Sendable {
    private let byMonth: [Int]
    private let byMonthDay: [Int]
    private let byYearDay: [Int]
    private let byWeekNumber: [Int]
    private let byDay: [RecurrenceRule.WeekdayRule]
    private let weekStart: Weekday
    /// Whether `2MO` is the second Monday of the month or that of the year.
    private let countsInMonth: Bool

    init(_ rule: RecurrenceRule, start: CivilDate) {
        var months = rule.byMonth
        var monthDays = rule.byMonthDay
        var weekdays = rule.byDay
        let isOpen =
            rule.byMonthDay.isEmpty && rule.byYearDay.isEmpty && rule.byWeekNumber.isEmpty && rule.byDay.isEmpty
        switch rule.frequency {
        case .yearly where isOpen:
            if months.isEmpty { months = [start.month] }
            monthDays = [start.day]
        case .yearly
        where !rule.byWeekNumber.isEmpty && monthDays.isEmpty && rule.byYearDay.isEmpty && weekdays.isEmpty:
            weekdays = [.init(ordinal: nil, weekday: start.weekday)]
        case .monthly where isOpen: monthDays = [start.day]
        case .weekly where isOpen: weekdays = [.init(ordinal: nil, weekday: start.weekday)]
        default: break
        }
        byMonth = months
        byMonthDay = monthDays
        byYearDay = rule.byYearDay
        byWeekNumber = rule.byWeekNumber
        byDay = weekdays
        weekStart = rule.weekStart
        countsInMonth = rule.frequency == .monthly || !rule.byMonth.isEmpty
    }

    /// The days of a year that are taken, and how many were looked at.
    func taken(inYear year: Int) -> (days: [Int], looked: Int) {
        guard !byMonth.isEmpty else {
            let length = CivilDate.days(inYear: year)
            return (taken(from: CivilDate.firstDayNumber(of: year), count: length), length)
        }
        var days: [Int] = []
        var looked = 0
        for month in byMonth {
            let length = CivilDate.days(inMonth: month, of: year)
            days += taken(from: CivilDate(checkedYear: year, month: month, day: 1).dayNumber, count: length)
            looked += length
        }
        return (days, looked)
    }

    /// Of the days from one number on, so many, those that are taken.
    func taken(from first: Int, count: Int) -> [Int] { (first..<first + count).filter(isTaken) }

    func isTaken(_ number: Int) -> Bool {
        let date = CivilDate(dayNumber: number)
        guard byMonth.isEmpty || byMonth.contains(date.month) else { return false }
        let monthLength = CivilDate.days(inMonth: date.month, of: date.year)
        guard byMonthDay.isEmpty || byMonthDay.contains(date.day) || byMonthDay.contains(date.day - monthLength - 1)
        else { return false }
        let weekday = CivilDate.weekday(ofDayNumber: number)
        guard byDay.isEmpty || byDay.contains(where: { $0.weekday == weekday }) else { return false }
        let yearLength = CivilDate.days(inYear: date.year)
        let dayOfYear = number - CivilDate.firstDayNumber(of: date.year) + 1
        if !byYearDay.isEmpty, !byYearDay.contains(dayOfYear), !byYearDay.contains(dayOfYear - yearLength - 1) {
            return false
        }
        if !byWeekNumber.isEmpty, !isInTakenWeek(number, year: date.year) { return false }
        guard !byDay.isEmpty else { return true }
        let day = countsInMonth ? date.day : dayOfYear
        let length = countsInMonth ? monthLength : yearLength
        return byDay.contains { rule in
            guard rule.weekday == weekday else { return false }
            guard let ordinal = rule.ordinal else { return true }
            return ordinal > 0 ? (day - 1) / 7 + 1 == ordinal : (length - day) / 7 + 1 == -ordinal
        }
    }

    /// Weeks are numbered as in ISO 8601, but begin on the day that the rule says: the first is the one of which four
    /// days are in the year.
    private func isInTakenWeek(_ number: Int, year: Int) -> Bool {
        let weekYear = [year + 1, year].first { number >= firstWeek(of: $0) } ?? year - 1
        let first = firstWeek(of: weekYear)
        let week = (number - first) / 7 + 1
        let weeks = (firstWeek(of: weekYear + 1) - first) / 7
        return byWeekNumber.contains(week) || byWeekNumber.contains(week - weeks - 1)
    }

    /// The day number on which a year's first week begins.
    private func firstWeek(of year: Int) -> Int {
        // The week that 4 January is in.
        let fourth = CivilDate.firstDayNumber(of: year) + 3
        return fourth - CivilDate.weekday(ofDayNumber: fourth).daysAfter(weekStart)
    }
}
