package import MediaTypes

extension CronExpression {
    /// The first instant later than this one at which it is due; nil when it never is again before the year 10000.
    package func next(after instant: WallTime, in zone: some TimeZoneRules) -> WallTime? {
        guard everMatches else { return nil }
        // It is due at whole seconds only.
        var position = max(instant.wholeSeconds + 1, reckonedSeconds.lowerBound)
        while position < reckonedSeconds.upperBound {
            let offset = zone.offset(at: WallTime(seconds: position))
            let transition = zone.transition(after: WallTime(seconds: position))?.wholeSeconds
            let end = min(transition ?? reckonedSeconds.upperBound, reckonedSeconds.upperBound)
            var clock = position + offset
            while let match = nextMatch(from: clock, before: end + offset) {
                let found = WallTime(seconds: match - offset)
                if isElapsed || zone.instants(ofClockSeconds: match).first == found { return found }
                clock = match + 60
            }
            guard let transition, transition < reckonedSeconds.upperBound else { return nil }
            let skipped = zone.offset(at: WallTime(seconds: transition)) - offset
            if !isElapsed, 1...Self.longestSkip ~= skipped,
                nextMatch(from: transition + offset, before: transition + offset + skipped) != nil
            {
                return WallTime(seconds: transition)
            }
            position = transition
        }
        return nil
    }

    /// The last instant earlier than this one at which it was due; nil when it never was.
    package func previous(before instant: WallTime, in zone: some TimeZoneRules) -> WallTime? {
        let end = WallTime(
            seconds: min(max(instant.wholeSeconds, reckonedSeconds.lowerBound), reckonedSeconds.upperBound))
        let instant = instant > end && instant.wholeSeconds == end.wholeSeconds ? instant : end
        func later(than seconds: Int) -> WallTime? {
            next(after: WallTime(seconds: seconds), in: zone).flatMap { $0 < instant ? $0 : nil }
        }
        // Somewhere between `low`, after which it was due, and `high`, after which it was not.
        let spans = [3600, 2 * 86_400, 63 * 86_400, 3 * 366 * 86_400, 50 * 366 * 86_400, 401 * 366 * 86_400]
        guard var found = spans.lazy.compactMap({ later(than: end.wholeSeconds - $0) }).first else { return nil }
        var high = end.wholeSeconds
        while found.wholeSeconds < high {
            let middle = found.wholeSeconds + (high - found.wholeSeconds) / 2
            if let later = later(than: middle) { found = later } else { high = middle }
        }
        return found
    }

    /// All instants later than this one at which it is due, one after the other as they are asked for.
    package func occurrences<Zone: TimeZoneRules>(
        after instant: WallTime, in zone: Zone
    ) -> some Sequence<WallTime> & Sendable {
        CronOccurrences(expression: self, zone: zone, last: instant)
    }

    /// Clocks that are put forward by more seconds than this are set right, not switched to summer time.
    private static var longestSkip: Int { 3 * 3600 }

    /// The first time from `clock` on and before `end` that fits, in seconds on the clock.
    private func nextMatch(from clock: Int, before end: Int) -> Int? {
        let firstMinute = -(-clock).flooredQuotient(60)
        var date = CivilDate(dayNumber: firstMinute.flooredQuotient(1440))
        var minute = firstMinute - date.dayNumber * 1440
        while true {
            let firstOfMonth = CivilDate(checkedYear: date.year, month: date.month, day: 1)
            guard max(firstOfMonth.dayNumber * 86_400, clock) < end else { return nil }
            if months >> UInt64(date.month) & 1 == 1 {
                let mask = days.mask(
                    monthLength: CivilDate.days(inMonth: date.month, of: date.year), firstWeekday: firstOfMonth.weekday)
                var rest = mask & ~0 << UInt64(date.day)
                while rest != 0 {
                    let day = rest.trailingZeroBitCount
                    let isToday = day == date.day
                    if let time = nextTime(from: isToday ? minute : 0) {
                        let found = ((firstOfMonth.dayNumber + day - 1) * 1440 + time) * 60
                        return found < end ? found : nil
                    }
                    rest &= rest - 1
                }
            }
            minute = 0
            date =
                date.month == 12
                ? CivilDate(checkedYear: date.year + 1, month: 1, day: 1)
                : CivilDate(checkedYear: date.year, month: date.month + 1, day: 1)
        }
    }

    /// The first minute of the day from this one on that fits.
    private func nextTime(from minute: Int) -> Int? {
        let hour = minute / 60
        if hours >> UInt64(hour) & 1 == 1 {
            let rest = minutes & ~0 << UInt64(minute % 60)
            if rest != 0 { return hour * 60 + rest.trailingZeroBitCount }
        }
        let later = hours & ~0 << UInt64(hour + 1)
        return later == 0 ? nil : later.trailingZeroBitCount * 60 + minutes.trailingZeroBitCount
    }
}

/// The instants at which an expression is due; ends when it never is again.
private struct CronOccurrences<Zone: TimeZoneRules>: Sequence, IteratorProtocol, Sendable {
    let expression: CronExpression
    let zone: Zone
    var last: WallTime?

    mutating func next() -> WallTime? {
        last = last.flatMap { expression.next(after: $0, in: zone) }
        return last
    }
}
