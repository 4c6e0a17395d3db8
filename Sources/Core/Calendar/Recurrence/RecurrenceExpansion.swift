/// The times of a rule, one after the other, by the clock of the event.
///
/// Goes from period to period (year, month, week, day, hour, minute, second, as the frequency says), and gives what of
/// each period the rule takes. What never comes ends: after a while without any time, and at the latest with the year
/// 9999.
struct RecurrenceExpansion: Sendable {
    /// How many days or periods are looked at without any that is taken, until none is expected any more: the days of
    /// the 400 years after which the calendar begins anew.
    private static let longestSearch = 146_097

    private let rule: RecurrenceRule
    private let days: RecurrenceDays
    private let start: Int
    /// What a period has of times: seconds from its start, or of the day when it is a day or longer.
    private let times: [Int]
    /// Times later than this on the clock are not given.
    private let until: Int
    /// How many more are to come by the rule's COUNT.
    private var remaining: Int
    private var index = 0
    private var period: Period?

    /// What of one period is still to come.
    private struct Period {
        /// Day numbers, and what is added to each of the times.
        var days: [Int]
        var base: Int
        /// Places in the days' times that BYSETPOS leaves.
        var positions: [Int]?
        var next = 0
    }

    /// Times after the event's own start; those before `first` may be left out where nothing depends on their number.
    init(_ rule: RecurrenceRule, start: CivilDateTime, from first: Int?, until: Int?) {
        self.rule = rule
        self.start = start.clockSeconds
        days = RecurrenceDays(rule, start: start.date)
        let hours = rule.byHour.isEmpty ? [start.hour] : rule.byHour
        let minutes = rule.byMinute.isEmpty ? [start.minute] : rule.byMinute
        // There are no leap seconds on the clock.
        let seconds = rule.bySecond.isEmpty ? [start.second] : rule.bySecond.filter { $0 < 60 }
        switch rule.frequency {
        case .secondly: times = [0]
        case .minutely: times = seconds
        case .hourly: times = minutes.flatMap { minute in seconds.map { minute * 60 + $0 } }
        default:
            times = hours.flatMap { hour in
                minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
            }
        }
        self.until = min(until ?? .max, reckonedSeconds.upperBound - maximumOffset)
        remaining = .max
        if case .count(let count) = rule.end {
            remaining = count - 1
        } else if let first {
            index = max(0, periods(until: first) - 1)
        }
    }

    /// What it took to begin, in the measure of `next`.
    var cost: Int { times.count }

    /// The next time, in seconds on the clock. Takes from the budget what was looked at; ends when it is used up.
    mutating func next(budget: inout Int) -> Int? {
        var searched = 0
        while remaining > 0, searched < Self.longestSearch, budget > 0 {
            while let time = nextInPeriod() {
                budget -= 1
                guard time <= until else { return nil }
                guard time > start else { continue }
                remaining -= 1
                return time
            }
            let before = index
            guard let cost = loadPeriod() else { return nil }
            budget -= cost
            // What skips a part of a day costs one, what looks at a year's days costs as many.
            searched += max(1, cost)
            if index == before { index += 1 }
        }
        return nil
    }

    private mutating func nextInPeriod() -> Int? {
        guard let period else { return nil }
        let count = period.positions?.count ?? period.days.count * times.count
        guard period.next < count else { return nil }
        let place = period.positions?[period.next] ?? period.next
        self.period?.next += 1
        return period.days[place / times.count] * 86_400 + period.base + times[place % times.count]
    }

    /// How many periods of the rule lie wholly before a time on the clock, nearly.
    private func periods(until clock: Int) -> Int {
        guard clock > start else { return 0 }
        let from = CivilDateTime(clockSeconds: start).date
        let to = CivilDateTime(clockSeconds: clock).date
        let units =
            switch rule.frequency {
            case .yearly: to.year - from.year
            case .monthly: (to.year - from.year) * 12 + to.month - from.month
            case .weekly: (to.dayNumber - from.dayNumber) / 7
            case .daily: to.dayNumber - from.dayNumber
            case .hourly: (clock - start) / 3600
            case .minutely: (clock - start) / 60
            case .secondly: clock - start
            }
        return units / rule.interval - 1
    }

    /// Makes the period at `index` the one that times are taken from, or moves `index` over periods of which the rule
    /// takes nothing. Returns how much was looked at; nil when there are no more periods.
    private mutating func loadPeriod() -> Int? {
        period = nil
        let steps = index * rule.interval
        let date = CivilDateTime(clockSeconds: start).date
        guard !times.isEmpty else { return nil }
        switch rule.frequency {
        case .yearly:
            let year = date.year + steps
            guard year <= 9999 else { return nil }
            guard CivilDate.firstDayNumber(of: year) * 86_400 <= until else { return nil }
            let (taken, looked) = days.taken(inYear: year)
            fill(Period(days: taken, base: 0))
            return looked
        case .monthly:
            let month = date.year * 12 + date.month - 1 + steps
            guard month < 10_000 * 12 else { return nil }
            let first = CivilDate(checkedYear: month / 12, month: month % 12 + 1, day: 1)
            return load(
                from: first.dayNumber, count: CivilDate.days(inMonth: first.month, of: first.year))
        case .weekly:
            let week = date.dayNumber - date.weekday.daysAfter(rule.weekStart)
            return load(from: week + steps * 7, count: 7)
        case .daily: return load(from: date.dayNumber + steps, count: 1)
        case .hourly: return load(unit: 3600, steps)
        case .minutely: return load(unit: 60, steps)
        case .secondly: return load(unit: 1, steps)
        }
    }

    private mutating func load(from day: Int, count: Int) -> Int? {
        guard day * 86_400 <= until else { return nil }
        fill(Period(days: days.taken(from: day, count: count), base: 0))
        return count
    }

    /// A period of an hour, a minute or a second.
    private mutating func load(unit: Int, _ steps: Int) -> Int? {
        let clock = (start.flooredQuotient(unit) + steps) * unit
        guard clock <= until else { return nil }
        let day = clock.flooredQuotient(86_400)
        let rest = clock - day * 86_400
        if !days.isTaken(day) {
            skip(to: (day + 1) * 86_400, unit: unit)
        } else if !rule.byHour.isEmpty, !rule.byHour.contains(rest / 3600) {
            skip(to: clock - rest % 3600 + 3600, unit: unit)
        } else if unit <= 60, !rule.byMinute.isEmpty, !rule.byMinute.contains(rest / 60 % 60) {
            skip(to: clock - rest % 60 + 60, unit: unit)
        } else if unit > 1 || rule.bySecond.isEmpty || rule.bySecond.contains(rest % 60) {
            fill(Period(days: [day], base: rest))
        }
        return 1
    }

    /// Moves on to the first period that does not begin before a time on the clock.
    private mutating func skip(to clock: Int, unit: Int) {
        let first = start.flooredQuotient(unit) * unit
        let units = (clock - first) / unit
        index = max(index + 1, (units + rule.interval - 1) / rule.interval)
    }

    private mutating func fill(_ filled: Period) {
        var filled = filled
        if !rule.bySetPosition.isEmpty {
            let count = filled.days.count * times.count
            let places = rule.bySetPosition.map { $0 > 0 ? $0 - 1 : count + $0 }
            filled.positions = Set(places.filter { 0..<count ~= $0 }).sorted()
        }
        period = filled
    }
}
