import Calendar
import MediaTypes

/// A schedule, and how far it is settled.
struct ScheduleEntry: Sendable {
    /// One time at which it is due.
    struct Due: Hashable, Sendable {
        var time: WallTime
        /// Of a calendar.
        var occurrence: EventOccurrence?
    }

    enum Next: Hashable, Sendable {
        case unknown
        case at(WallTime)
        case never

        var time: WallTime? { if case .at(let time) = self { time } else { nil } }
    }

    /// What was decided, so that it is not decided again.
    struct Decision: Hashable, Sendable {
        var due: WallTime
        var event: String?
        /// A missed one comes again when the clock is put back before it.
        var isMissed: Bool
    }

    var schedule: Schedule
    /// Nil after a restart, until the schedule is added again: so long nothing is due.
    var zone: (any TimeZoneRules)?
    /// Of calendars: since when its events are owed.
    var added: WallTime
    /// All that was due until here is decided.
    var settled: WallTime
    var decisions: [Decision] = []
    /// Decisions until here are no longer known one by one.
    var forgotten = WallTime(microseconds: .min)
    /// After the clock was put back: how far it had come. What is missed again on the way there, as when a host starts
    /// with its clock at 1970 and then learns the time, has been told. Nil once something was due in time again.
    var accounted: WallTime?
    /// How many runs were started.
    var started = 0
    var next = Next.unknown
    /// Why what it was due since the last look may be missed, if it is not what holds for all.
    var lateness: HistoryEntry.MissedReason?
    private var calendar: ICalendar?
    /// The calendar's events from `settled` until `known`.
    private var upcoming: [Due] = []
    private var known = WallTime(microseconds: .min)

    /// How far calendars are worked out ahead, and looked back when they are read anew.
    private static let ahead = Duration.seconds(8 * 86_400)
    private static let back = Duration.seconds(86_400)
    private var capacity: Int { isCalendar ? 2000 : 128 }

    init(_ schedule: Schedule, _ zone: any TimeZoneRules, at now: WallTime) {
        self.schedule = schedule
        self.zone = zone
        added = now
        settled = now.earlier
        // Of a single time that has passed something may be left.
        if case .once(let time) = schedule.timing, time.instant(in: zone) < now {
            settled = time.instant(in: zone).earlier
            lateness = .enteredTooLate
        }
    }

    /// As it was before a restart.
    init(restored schedule: Schedule, added: WallTime, settled: WallTime) {
        self.schedule = schedule
        self.added = added
        self.settled = settled
    }

    var isCalendar: Bool { if case .calendar = schedule.timing { true } else { false } }

    /// Whether it is known what is due.
    var isReady: Bool { zone != nil && (!isCalendar || calendar != nil) }

    mutating func findNext() { next = nextDue(after: settled).map { .at($0.time) } ?? .never }

    var isFinished: Bool { schedule.count.map { started >= $0 } ?? false }

    mutating func change(to changed: Schedule, _ zone: any TimeZoneRules, at now: WallTime) {
        if self.zone == nil { lateness = .daemonWasNotRunning }
        if changed.timing != schedule.timing || changed.zone != schedule.zone {
            self = ScheduleEntry(changed, zone, at: now).with(decisions, forgotten, started)
            return
        }
        schedule = changed
        self.zone = zone
        next = .unknown
        known = WallTime(microseconds: .min)
    }

    private func with(_ decisions: [Decision], _ forgotten: WallTime, _ started: Int) -> ScheduleEntry {
        var entry = self
        entry.decisions = decisions
        entry.forgotten = forgotten
        entry.started = started
        return entry
    }

    /// A calendar may have events by now that began a while ago, as far back as they are owed.
    mutating func read(_ calendar: ICalendar, at now: WallTime) {
        if self.calendar != nil || lateness == nil { lateness = .enteredTooLate }
        self.calendar = calendar
        settled = max(min(settled, max(now - Self.back, added.earlier)), forgotten)
        next = .unknown
        known = WallTime(microseconds: .min)
    }

    /// Goes back with the clock, and opens again what was missed and is to come.
    mutating func goBack(to horizon: WallTime) {
        decisions.removeAll { $0.isMissed && $0.due > horizon }
        if !isCalendar { accounted = max(accounted ?? settled, settled) }
        settled = max(horizon, forgotten)
        next = .unknown
        known = WallTime(microseconds: .min)
    }

    /// The first time after another one, no later than the schedule allows.
    mutating func nextDue(after time: WallTime) -> Due? {
        guard let zone, !isFinished else { return nil }
        let due: Due?
        switch schedule.timing {
        case .cron, .once, .any: due = schedule.timing.next(after: time, in: zone).map { Due(time: $0) }
        case .calendar:
            look(from: time, zone)
            due = upcoming.first { $0.time > time }
        }
        guard let due, schedule.until.map({ due.time <= $0 }) ?? true else { return nil }
        return due
    }

    /// All of the next times that are the same: a calendar may have several events at once.
    mutating func allDue(at due: Due) -> [Due] { isCalendar ? upcoming.filter { $0.time == due.time } : [due] }

    /// Works out the calendar's events from a moment on, if that was not done.
    private mutating func look(from time: WallTime, _ zone: any TimeZoneRules) {
        guard let calendar, time + Self.ahead - .seconds(86_400) > known else { return }
        let end = time + Self.ahead
        let found = calendar.occurrences(startingIn: min(settled, time)..<end, floatingIn: zone)
        upcoming = found.occurrences.filter { !$0.isAllDay }.map { Due(time: $0.start, occurrence: $0) }
        known = found.isComplete ? end : upcoming.last.map { min($0.time, end) } ?? end
    }

    func isDecided(_ due: Due) -> Bool {
        decisions.contains { $0.due == due.time && $0.event == due.occurrence?.uid }
    }

    mutating func decide(_ due: Due, isMissed: Bool) {
        // What a cron job missed is not asked for again: it is settled.
        guard isCalendar || !isMissed else { return }
        decisions.append(Decision(due: due.time, event: due.occurrence?.uid, isMissed: isMissed))
        guard decisions.count > capacity else { return }
        decisions.sort { $0.due < $1.due }
        forgotten = max(forgotten, decisions.removeFirst().due)
    }
}

extension WallTime {
    /// The moment just before.
    var earlier: WallTime { WallTime(microseconds: microseconds - 1) }

    static func - (time: Self, span: Duration) -> Self { time + (.zero - span) }
}
