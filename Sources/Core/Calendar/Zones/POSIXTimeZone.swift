package import MediaTypes

/// A zone as POSIX writes it in the variable TZ, `CET-1CEST,M3.5.0,M10.5.0/3`: two offsets and the days of the year on
/// which one follows the other, for ever.
package struct POSIXTimeZone: TimeZoneRules, Hashable {
    package let name: String
    private var standard: Int
    private let daylight: Daylight?

    /// The other half of the year.
    private struct Daylight: Hashable {
        var offset: Int
        var start: YearlyMoment
        var end: YearlyMoment
    }

    /// When in a year the clocks change: a day, and the seconds after its midnight, which may be before or after the
    /// day.
    private struct YearlyMoment: Hashable {
        enum Day: Hashable {
            /// `J60`: 1...365, where 29 February is never counted.
            case julian(Int)
            /// `59`: 0...365, where it is.
            case zeroBased(Int)
            /// `M10.5.0`: the weekday of a month's week; the fifth is the last.
            case weekday(month: Int, week: Int, weekday: Int)
        }
        var day: Day
        var seconds: Int

        func clockSeconds(in year: Int) -> Int {
            let newYear = CivilDate.firstDayNumber(of: year)
            let dayNumber: Int
            switch day {
            case .julian(let day): dayNumber = newYear + day - (day >= 60 && CivilDate.isLeap(year) ? 0 : 1)
            case .zeroBased(let day): dayNumber = newYear + day
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(checkedYear: year, month: month, day: 1)
                let length = CivilDate.days(inMonth: month, of: year)
                var day = 1 + (weekday - first.weekday.rawValue + 7) % 7 + (week - 1) * 7
                while day > length { day -= 7 }
                dayNumber = first.dayNumber + day - 1
            }
            return dayNumber * 86_400 + seconds
        }
    }

    /// Nil when the text is no such zone.
    package init?(_ text: some StringProtocol) {
        var reader = Reader(text: Array(text.utf8.prefix(256)))
        guard text.utf8.count <= 256, reader.skipName(), let west = reader.time(maximumHours: 24) else { return nil }
        name = String(text)
        standard = -west
        guard !reader.isAtEnd else {
            daylight = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = standard + 3600
        if reader.peek != UInt8(ascii: ",") {
            guard let west = reader.time(maximumHours: 24) else { return nil }
            offset = -west
        }
        guard let start = reader.moment(), let end = reader.moment(), reader.isAtEnd else { return nil }
        // Daylight saving all year is written as an end that is the next year's start.
        let isAllYear = end.clockSeconds(in: 2001) - offset == start.clockSeconds(in: 2002) - standard
        if isAllYear { standard = offset }
        daylight = isAllYear || offset == standard ? nil : Daylight(offset: offset, start: start, end: end)
    }

    package func offset(at instant: WallTime) -> Int {
        let seconds = instant.wholeSeconds
        return changes(around: seconds).last { $0.instant <= seconds }?.offset ?? standard
    }

    package func transition(after instant: WallTime) -> WallTime? {
        let seconds = instant.wholeSeconds
        guard reckonedSeconds.contains(seconds) else { return nil }
        return changes(around: seconds).first { $0.instant > seconds }.map { WallTime(seconds: $0.instant) }
    }

    /// The changes of the year of an instant and of those around it, in order.
    private func changes(around seconds: Int) -> [TransitionTable.Change] {
        guard let daylight, reckonedSeconds.contains(seconds) else { return [] }
        let year = CivilDate(dayNumber: seconds.flooredQuotient(86_400)).year
        var changes: [TransitionTable.Change] = []
        for year in year - 1...year + 1 {
            changes.append(
                .init(instant: daylight.start.clockSeconds(in: year) - standard, offset: daylight.offset))
            changes.append(
                .init(instant: daylight.end.clockSeconds(in: year) - daylight.offset, offset: standard))
        }
        return changes.sorted { $0.instant < $1.instant }
    }

    /// Reads the parts one after the other.
    private struct Reader {
        let text: [UInt8]
        var index = 0

        init(text: [UInt8]) { self.text = text }

        var isAtEnd: Bool { index == text.count }
        var peek: UInt8? { index < text.count ? text[index] : nil }

        mutating func take(_ character: Character) -> Bool {
            guard let byte = peek, byte == character.asciiValue else { return false }
            index += 1
            return true
        }

        /// `CET` or `<+0330>`
        mutating func skipName() -> Bool {
            let start = index
            if take("<") {
                while let byte = peek, byte != UInt8(ascii: ">") { index += byte > 0x20 ? 1 : text.count }
                return index <= text.count && take(">") && index - start > 2
            }
            while let byte = peek, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20, byte > 0x40 { index += 1 }
            return index - start >= 3
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let start = index
            var value = 0
            while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, index - start < 4 {
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                index += 1
            }
            return index > start && range.contains(value) ? value : nil
        }

        /// `-3:30` or `2`, in seconds.
        mutating func time(maximumHours: Int) -> Int? {
            let sign = take("-") ? -1 : 1
            if sign == 1 { _ = take("+") }
            guard let hours = number(0...maximumHours) else { return nil }
            var seconds = hours * 3600
            if take(":") {
                guard let minutes = number(0...59) else { return nil }
                seconds += minutes * 60
                if take(":") {
                    guard let rest = number(0...59) else { return nil }
                    seconds += rest
                }
            }
            return sign * seconds
        }

        /// `,M3.5.0/2`
        mutating func moment() -> YearlyMoment? {
            guard take(",") else { return nil }
            let day: YearlyMoment.Day
            if take("M") {
                guard let month = number(1...12), take("."), let week = number(1...5), take("."),
                    let weekday = number(0...6)
                else { return nil }
                day = .weekday(month: month, week: week, weekday: weekday)
            } else if take("J") {
                guard let number = number(1...365) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(0...365) else { return nil }
                day = .zeroBased(number)
            }
            guard take("/") else { return YearlyMoment(day: day, seconds: 2 * 3600) }
            guard let seconds = time(maximumHours: 167) else { return nil }
            return YearlyMoment(day: day, seconds: seconds)
        }
    }
}
