import Calendar
import MediaTypes

extension Scheduler {
    /// How many missed times of one schedule are told one by one.
    private static let longestTale = 100
    /// How many times of one schedule are looked at in one step beyond those.
    private static let longestStep = 5000
    private static let calendarPace = Duration.seconds(3600)

    /// Decides on all that is due by now.
    mutating func settleAll(at now: Moment) {
        guard now.wall < settledAt || quietUntil.map({ $0 <= now.wall }) ?? false else { return }
        quietUntil = nil
        for id in entries.keys.sorted() { settle(only: id, at: now) }
        settledAt = now.wall
    }

    /// Decides on what is due of one schedule.
    mutating func settle(only id: ScheduleID, at now: Moment) {
        if isDue(id, at: now) { settle(id, at: now) }
        settledAt = max(settledAt, now.wall)
        guard let entry = entries[id], entry.isReady else { return }
        var wake = entry.next.time.map { $0 - entry.schedule.earlyJoin }
        // What a calendar holds is worked out only so far ahead.
        if entry.isCalendar { wake = min(wake ?? now.wall + Self.calendarPace, now.wall + Self.calendarPace) }
        if let wake { quietUntil = min(quietUntil ?? wake, wake) }
    }

    /// Whether there is anything to decide; moves on what is settled when there is not.
    private mutating func isDue(_ id: ScheduleID, at now: Moment) -> Bool {
        guard let entry = entries[id], entry.isReady else { return false }
        let horizon = now.wall + entry.schedule.earlyJoin
        if horizon < entry.settled.earlier { entries[id]?.goBack(to: horizon) }
        if entries[id]?.next == .unknown { entries[id]?.findNext() }
        if let next = entries[id]?.next.time, next <= horizon { return true }
        if horizon > entry.settled { entries[id]?.settled = horizon }
        if entry.isCalendar { entries[id]?.findNext() }
        entries[id]?.lateness = nil
        return false
    }

    private mutating func settle(_ id: ScheduleID, at now: Moment) {
        guard let entry = entries[id] else { return }
        let schedule = entry.schedule
        let horizon = now.wall + schedule.earlyJoin
        let reason = entry.lateness ?? lateness
        var wanted: [ScheduleEntry.Due] = []
        var told = 0
        var position = entry.settled
        var looked = 0
        var settledThrough = horizon
        while let first = entries[id]?.nextDue(after: position), first.time <= horizon {
            let isTooLate = first.time < earliestJoin(schedule, entry, at: now)
            if isTooLate, let accounted = entry.accounted, first.time <= accounted {
                position = max(first.time, min(accounted, earliestJoin(schedule, entry, at: now).earlier))
                continue
            }
            if schedule.isPaused, told >= Self.longestTale {
                record(EventID(schedule: id, due: first.time), .skippedUntil(now.wall, .paused), at: now)
                break
            }
            if isTooLate, told >= Self.longestTale, !entry.isCalendar {
                // From here on in one entry; the search goes on where something may be left.
                let end = earliestJoin(schedule, entry, at: now)
                record(EventID(schedule: id, due: first.time), .missedUntil(end, reason), at: now)
                position = max(first.time, end.earlier)
                continue
            }
            if looked >= Self.longestStep {
                // The rest when the time is told again, which is soon.
                settledThrough = position
                break
            }
            position = first.time
            looked += 1
            for due in entries[id]?.allDue(at: first) ?? [] where !(entries[id]?.isDecided(due) ?? true) {
                if schedule.isPaused {
                    told += 1
                    skip(due, of: id, .paused, at: now)
                } else if isOnTime(due, at: now) || plan(due, schedule, at: now) != nil {
                    wanted.append(due)
                } else {
                    told += 1
                    miss(due, of: id, reason, at: now)
                }
            }
        }
        entries[id]?.settled = settledThrough
        if settledThrough == horizon { entries[id]?.lateness = nil }
        for due in withoutSuperseded(wanted, schedule, at: now) { begin(due, of: id, at: now) }
        entries[id]?.findNext()
    }

    /// What was due earlier than this is missed whatever it was.
    private func earliestJoin(_ schedule: Schedule, _ entry: ScheduleEntry, at now: Moment) -> WallTime {
        let span: Duration =
            switch schedule.missedRuns {
            case .skip: .zero
            case .remainder: (schedule.duration ?? Self.unknownLength) + schedule.lateStop
            case .late(let limit): limit
            }
        return now.wall - max(span, Self.tolerance)
    }

    private func isOnTime(_ due: ScheduleEntry.Due, at now: Moment) -> Bool {
        now.wall <= due.time + Self.tolerance
    }

    /// When the call and the recording of it would end if it was joined now; nil when it is not to be.
    private func plan(
        _ due: ScheduleEntry.Due, _ schedule: Schedule, at now: Moment
    ) -> (callEnd: WallTime?, stop: WallTime?)? {
        let length = length(due, schedule)
        func times(from start: WallTime) -> (callEnd: WallTime?, stop: WallTime?) {
            (length.map { start + $0 }, length.map { start + $0 + schedule.lateStop })
        }
        let planned = times(from: due.time)
        if isOnTime(due, at: now) { return planned.stop.map { $0 > now.wall } ?? true ? planned : nil }
        switch schedule.missedRuns {
        case .skip: return nil
        case .remainder:
            let end = planned.stop ?? due.time + Self.unknownLength
            return end > now.wall ? planned : nil
        case .late(let limit):
            return now.wall <= due.time + limit ? times(from: now.wall) : nil
        }
    }

    private func length(_ due: ScheduleEntry.Due, _ schedule: Schedule) -> Duration? {
        if let occurrence = due.occurrence, let end = occurrence.end {
            return .microseconds(end.microseconds - occurrence.start.microseconds)
        }
        return schedule.duration
    }

    /// Of several that would be joined at once and belong to the same series, those that later ones take the place of
    /// are missed. Events of a calendar are different calls.
    private mutating func withoutSuperseded(
        _ wanted: [ScheduleEntry.Due], _ schedule: Schedule, at now: Moment
    ) -> [ScheduleEntry.Due] {
        guard schedule.overlap != .both, wanted.count > 1, wanted.allSatisfy({ $0.occurrence == nil }) else {
            return wanted
        }
        var kept: [ScheduleEntry.Due] = []
        for due in wanted.reversed() {
            let end = plan(due, schedule, at: now).flatMap(\.callEnd)
            if let later = kept.last, end.map({ $0 > later.time }) ?? true {
                miss(due, of: schedule.id, .superseded(by: EventID(schedule: schedule.id, due: later.time)), at: now)
            } else {
                kept.append(due)
            }
        }
        return kept.reversed()
    }

    /// Starts a run, if neither another one nor a limit stands against it.
    private mutating func begin(_ due: ScheduleEntry.Due, of id: ScheduleID, at now: Moment) {
        guard let entry = entries[id], !entry.isFinished else { return }
        let schedule = entry.schedule
        let event = EventID(schedule: id, due: due.time, event: due.occurrence?.uid)
        guard table[event] == nil else { return }
        guard let plan = plan(due, schedule, at: now) else {
            return miss(due, of: id, entry.lateness ?? lateness, at: now)
        }
        let overlapping = table.runs(of: id).filter { run in
            run.state != .stopping && run.callEnd.map { $0 > due.time } ?? true
        }
        if let other = overlapping.first, schedule.overlap == .skip {
            return skip(due, of: id, .overlap(with: other.event), at: now)
        }
        if let maximumRuns, runs.count - (schedule.overlap == .stopEarlier ? overlapping.count : 0) >= maximumRuns {
            entries[id]?.decide(due, isMissed: false)
            return record(event, .refused("\(runs.count) recordings run already, the most that may"), at: now)
        }
        if schedule.overlap == .stopEarlier { for other in overlapping { stop(other.event, .replaced) } }
        var run = ScheduledRun(
            event: event, recipe: schedule.recipe,
            details: due.occurrence.map { .init(summary: $0.summary, location: $0.location, url: $0.url) },
            callEnd: plan.callEnd, stop: plan.stop)
        run.setSteadyStop(at: now)
        table[event] = run
        entries[id]?.decide(due, isMissed: false)
        entries[id]?.started += 1
        if isOnTime(due, at: now) { entries[id]?.accounted = nil }
        put(.start(run))
    }

    private mutating func miss(
        _ due: ScheduleEntry.Due, of id: ScheduleID, _ reason: HistoryEntry.MissedReason, at now: Moment
    ) {
        guard entries[id]?.accounted.map({ $0 < due.time }) ?? true else { return }
        entries[id]?.decide(due, isMissed: true)
        record(EventID(schedule: id, due: due.time, event: due.occurrence?.uid), .missed(reason), at: now)
    }

    private mutating func skip(
        _ due: ScheduleEntry.Due, of id: ScheduleID, _ reason: HistoryEntry.SkipReason, at now: Moment
    ) {
        entries[id]?.decide(due, isMissed: false)
        record(EventID(schedule: id, due: due.time, event: due.occurrence?.uid), .skipped(reason), at: now)
    }
}
