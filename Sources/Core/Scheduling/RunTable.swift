import MediaTypes

/// The runs that there are: found by event and by schedule, and the first that is to be stopped, without going through
/// all.
struct RunTable: Sendable {
    private(set) var all: [EventID: ScheduledRun] = [:]
    private var bySchedule: [ScheduleID: [EventID]] = [:]
    /// No run is to be stopped before this; nil when none is to be stopped at all.
    private(set) var firstStop: MonotonicTime?

    /// Setting a run that is there changes it.
    subscript(event: EventID) -> ScheduledRun? {
        get { all[event] }
        set {
            guard let newValue else {
                if all.removeValue(forKey: event) != nil { bySchedule[event.schedule]?.removeAll { $0 == event } }
                if bySchedule[event.schedule]?.isEmpty ?? false { bySchedule[event.schedule] = nil }
                return
            }
            if all.updateValue(newValue, forKey: event) == nil { bySchedule[event.schedule, default: []].append(event) }
            if newValue.state != .stopping { firstStop = earliest(firstStop, newValue.steadyStop) }
        }
    }

    func runs(of schedule: ScheduleID) -> [ScheduledRun] {
        (bySchedule[schedule] ?? []).compactMap { all[$0] }.sorted { $0.event < $1.event }
    }

    /// Those that are to be stopped by now, in order; `firstStop` then is of the others.
    mutating func due(at now: MonotonicTime) -> [EventID] {
        guard let stop = firstStop, stop <= now else { return [] }
        firstStop = nil
        var due: [EventID] = []
        for run in all.values where run.state != .stopping {
            if let stop = run.steadyStop, stop <= now {
                due.append(run.event)
            } else {
                firstStop = earliest(firstStop, run.steadyStop)
            }
        }
        return due.sorted()
    }
}
