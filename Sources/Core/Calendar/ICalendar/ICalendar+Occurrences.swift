package import MediaTypes

extension ICalendar {
    /// What takes place in a span of time.
    package struct Occurrences: Hashable, Sendable {
        /// By their start; of the same start, by uid.
        package var occurrences: [EventOccurrence] = []
        /// False when there were more than could be looked at.
        package var isComplete = true
    }

    /// The events that start within a span of time, moved ones where they are moved to, cancelled ones left out. Times
    /// without a zone are those of `zone`, unless the calendar names one for them. At most `limit` are given, the
    /// earliest, and at most `effort` days and times are looked at for them.
    ///
    /// A time that the clocks skip is taken as though they had not been put forward, as RFC 5545 says: an event at
    /// 02:30 is then at 03:30. Of a time that they show twice, it is the first.
    package func occurrences(
        startingIn span: Range<WallTime>, floatingIn zone: any TimeZoneRules, limit: Int = 10_000,
        effort: Int = Limits.effort
    ) -> Occurrences {
        var result = Occurrences()
        var budget = effort
        let placing = Placing(zones: zones, floating: ownZone ?? zone)
        let (masters, replacements) = grouped(placing)
        for master in masters {
            var expansion = EventExpansion(master, placing: placing)
            let starts = expansion.starts(in: span, limit: limit, budget: &budget)
            if !expansion.isComplete { result.isComplete = false }
            guard !master.isCancelled else { continue }
            for start in starts {
                if replacements[master.uid]?[start] != nil { continue }
                result.occurrences.append(placing.occurrence(of: master, originalStart: start, start: start))
            }
        }
        for (_, byStart) in replacements {
            for (originalStart, event) in byStart where !event.isCancelled {
                let start = placing.instant(event.start)
                guard span.contains(start) else { continue }
                result.occurrences.append(placing.occurrence(of: event, originalStart: originalStart, start: start))
            }
        }
        result.occurrences.sort { ($0.start, $0.uid, $0.originalStart) < ($1.start, $1.uid, $1.originalStart) }
        if result.occurrences.count > limit {
            result.occurrences.removeLast(result.occurrences.count - limit)
            result.isComplete = false
        }
        return result
    }

    /// Events by what they are: those that are of their own, of each uid the newest; and those that replace one time of
    /// them, by uid and that time.
    private func grouped(_ placing: Placing) -> ([CalendarEvent], [String: [WallTime: CalendarEvent]]) {
        var masters: [String: CalendarEvent] = [:]
        var replacements: [String: [WallTime: CalendarEvent]] = [:]
        for event in events {
            if let replaces = event.replaces {
                let instant = placing.instant(replaces)
                if let other = replacements[event.uid]?[instant], other.sequence > event.sequence { continue }
                replacements[event.uid, default: [:]][instant] = event
            } else {
                if let other = masters[event.uid], other.sequence > event.sequence { continue }
                masters[event.uid] = event
            }
        }
        return (masters.values.sorted { $0.line < $1.line }, replacements)
    }
}

/// Where the times of events are.
private struct Placing {
    let zones: [String: any TimeZoneRules]
    let floating: any TimeZoneRules

    func rules(_ place: EventTime.Place) -> any TimeZoneRules {
        switch place {
        case .floating: floating
        case .utc: FixedOffset.utc
        case .zone(let name): zones[name] ?? floating
        }
    }

    func instant(_ time: EventTime) -> WallTime {
        rules(time.place).instant(of: time.clock, skipped: .asThoughNotSkipped)
    }

    func occurrence(of event: CalendarEvent, originalStart: WallTime, start: WallTime) -> EventOccurrence {
        EventOccurrence(
            uid: event.uid, originalStart: originalStart, start: start, end: end(of: event, start: start),
            isAllDay: event.start.isDate, summary: event.summary, location: event.location, url: event.url,
            details: event.details)
    }

    /// The end of an occurrence: the event's own length later.
    private func end(of event: CalendarEvent, start: WallTime) -> WallTime? {
        let rules = rules(event.start.place)
        func later(_ length: EventLength) -> WallTime {
            guard length.days > 0 else { return start + .seconds(length.seconds) }
            let clock = rules.clock(at: start).clockSeconds + length.days * 86_400
            return rules.instant(of: CivilDateTime(clockSeconds: clock), skipped: .asThoughNotSkipped)
                + .seconds(length.seconds)
        }
        if let length = event.length { return later(length) }
        guard let end = event.endTime else { return event.start.isDate ? later(EventLength(days: 1)) : nil }
        if event.start.isDate {
            return later(EventLength(days: max(1, end.clock.date.dayNumber - event.start.clock.date.dayNumber)))
        }
        let seconds = instant(end).wholeSeconds - instant(event.start).wholeSeconds
        // What ends before it starts says nothing of its end.
        return seconds > 0 ? start + .seconds(seconds) : nil
    }
}

/// The times of one event.
private struct EventExpansion {
    private let event: CalendarEvent
    private let placing: Placing
    private let rules: any TimeZoneRules
    private(set) var isComplete = true

    init(_ event: CalendarEvent, placing: Placing) {
        self.event = event
        self.placing = placing
        rules = placing.rules(event.start.place)
    }

    /// The instants at which the event starts within a span, without those that are excluded.
    mutating func starts(in span: Range<WallTime>, limit: Int, budget: inout Int) -> Set<WallTime> {
        var starts: Set<WallTime> = []
        func take(_ instant: WallTime) { if span.contains(instant) { starts.insert(instant) } }
        take(placing.instant(event.start))
        for time in event.additional { take(placing.instant(time)) }
        // A day's slack on both sides, since the clock and UTC are not the same.
        let first = span.lowerBound.wholeSeconds - 2 * 86_400
        let last =
            min(max(span.upperBound.wholeSeconds, reckonedSeconds.lowerBound), reckonedSeconds.upperBound) + 2 * 86_400
        for rule in event.rules {
            let limitOfRule = starts.count + limit
            guard budget > 0 else {
                isComplete = false
                break
            }
            var expansion = RecurrenceExpansion(
                rule, start: event.start.clock, from: first, until: min(last, until(rule) ?? .max))
            budget -= expansion.cost
            while starts.count <= limitOfRule, let clock = expansion.next(budget: &budget) {
                take(rules.instant(of: CivilDateTime(clockSeconds: clock), skipped: .asThoughNotSkipped))
            }
            if budget <= 0 || starts.count > limitOfRule { isComplete = false }
        }
        guard !event.excluded.isEmpty, !starts.isEmpty else { return starts }
        starts.subtract(event.excluded.map { placing.instant($0) })
        // A day excludes all that starts on it.
        let days = Set(event.excluded.filter(\.isDate).map(\.clock.date))
        if !days.isEmpty { starts = starts.filter { !days.contains(rules.clock(at: $0).date) } }
        return starts
    }

    /// The last second on the event's clock that a rule's UNTIL allows.
    private func until(_ rule: RecurrenceRule) -> Int? {
        guard case .until(let time) = rule.end else { return nil }
        if time.isDate { return time.clock.clockSeconds + 86_399 }
        return time.place == .utc && event.start.place != .utc
            ? rules.clock(at: WallTime(seconds: time.clock.clockSeconds)).clockSeconds : time.clock.clockSeconds
    }
}
