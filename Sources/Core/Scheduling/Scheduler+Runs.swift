import MediaTypes

extension Scheduler {
    mutating func started(_ event: EventID, at now: Moment) {
        guard let run = table[event] else { return }
        if run.state == .starting { table[event]?.state = .running }
        if run.started == nil { table[event]?.started = now.wall }
    }

    mutating func ended(_ event: EventID, at now: Moment) {
        guard let run = table[event] else { return }
        finish(event, .ran(from: run.started ?? now.wall, to: now.wall), at: now)
    }

    /// A run is over; what it came to goes into the history.
    mutating func finish(_ event: EventID, _ outcome: HistoryEntry.Outcome, at now: Moment) {
        guard table[event] != nil else { return }
        table[event] = nil
        record(event, outcome, at: now)
    }

    mutating func stop(_ event: EventID, _ reason: StopReason) {
        table[event]?.state = .stopping
        put(.stop(event, reason))
    }

    /// Asks for the end of all whose planned end has come.
    mutating func stopRuns(at now: Moment) {
        for event in table.due(at: now.steady) { stop(event, .planned) }
    }

    mutating func findStops(at now: Moment) {
        for event in table.all.keys { table[event]?.setSteadyStop(at: now) }
        knowsStops = true
    }

    /// Settles after a restart what ran before it.
    mutating func restore(_ live: Set<EventID>, at now: Moment) {
        for event in runs.keys.sorted() {
            guard var run = table[event] else { continue }
            run.setSteadyStop(at: now)
            if live.contains(event) {
                if run.state == .starting { run.state = .running }
                run.started = run.started ?? now.wall
                // Its end may have been asked for in vain.
                if run.state == .stopping { put(.stop(event, .planned)) }
                table[event] = run
            } else if run.state != .stopping, isLeft(run, at: now) {
                run.isResumption = run.started != nil
                run.state = .starting
                table[event] = run
                put(.start(run))
            } else if let started = run.started {
                finish(
                    event,
                    run.state == .stopping
                        ? .ran(from: started, to: min(run.stop ?? now.wall, now.wall))
                        : .failed("the recording ended while the daemon was not running"), at: now)
            } else {
                finish(event, .missed(.interrupted), at: now)
            }
        }
    }

    /// Whether there is something left of a call, and its schedule wants it.
    private func isLeft(_ run: ScheduledRun, at now: Moment) -> Bool {
        guard entries[run.event.schedule]?.schedule.missedRuns != .skip else { return false }
        return now.wall < run.stop ?? max(run.started ?? run.event.due, run.event.due) + Self.unknownLength
    }
}

extension ScheduledRun {
    mutating func setSteadyStop(at now: Scheduler.Moment) {
        steadyStop = stop.map { now.steady + .microseconds($0.microseconds - now.wall.microseconds) }
    }
}
