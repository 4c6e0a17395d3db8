/// The days that an expression names within a month.
struct CronDays: Hashable, Sendable {
    /// One field of days: plain ones, and those that depend on the month.
    struct Field: Hashable, Sendable {
        /// Days of the month (bits 1...31) or of the week (bits 0...6).
        var plain: UInt64 = 0
        var special: [Special] = []
    }

    enum Special: Hashable, Sendable {
        /// `L-3`: so many days before the last of the month.
        case beforeLast(Int)
        /// `15W`: the working day nearest to this one.
        case workingDay(nearest: Int)
        /// `LW`
        case lastWorkingDay
        /// `5L`: the last such day of the month.
        case last(Weekday)
        /// `5#2`: the second, third, ... such day.
        case ordinal(Int, Weekday)
    }

    let ofMonth: Field
    let ofWeek: Field
    /// Whether a day is taken that fits one of the fields, or only one that fits both.
    let eitherSuffices: Bool

    /// The days of a month of this length that begins on this day of the week: bits 1...31.
    func mask(monthLength: Int, firstWeekday: Weekday) -> UInt64 {
        let month = Month(length: monthLength, first: firstWeekday)
        var byMonth = ofMonth.plain & month.all
        for special in ofMonth.special { byMonth |= month.mask(special) }
        var byWeek: UInt64 = 0
        for weekday in Weekday.allCases where ofWeek.plain >> UInt64(weekday.rawValue) & 1 == 1 {
            byWeek |= month.mask(every: weekday)
        }
        for special in ofWeek.special { byWeek |= month.mask(special) }
        return eitherSuffices ? byMonth | byWeek : byMonth & byWeek
    }

    private struct Month {
        let length: Int
        let first: Weekday

        var all: UInt64 { (1 << UInt64(length + 1)) - 2 }

        func bit(_ day: Int) -> UInt64 { 1...length ~= day ? 1 << UInt64(day) : 0 }

        func isWorkingDay(_ day: Int) -> Bool {
            let weekday = (first.rawValue + day - 1) % 7
            return weekday != 0 && weekday != 6
        }

        func mask(every weekday: Weekday) -> UInt64 {
            stride(from: 1 + weekday.daysAfter(first), through: length, by: 7).reduce(0) { $0 | bit($1) }
        }

        func mask(_ special: Special) -> UInt64 {
            switch special {
            case .beforeLast(let days): bit(length - days)
            case .lastWorkingDay: bit((1...length).last(where: isWorkingDay) ?? length)
            case .workingDay(let day):
                day > length ? 0 : bit(nearest(to: day))
            case .last(let weekday): bit(length - (length - 1 - weekday.daysAfter(first)) % 7)
            case .ordinal(let ordinal, let weekday): bit(1 + weekday.daysAfter(first) + (ordinal - 1) * 7)
            }
        }

        /// A Saturday goes to the Friday before it, a Sunday to the Monday after it, but neither leaves the month.
        private func nearest(to day: Int) -> Int {
            [day, day - 1, day + 1, day + 2, day - 2].first { 1...length ~= $0 && isWorkingDay($0) } ?? day
        }
    }
}
