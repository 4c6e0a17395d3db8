package import JSON
import MediaTypes

extension Scheduler {
    static let version = 1

    /// All that must outlive a restart: the schedules, how far they are settled, and what runs.
    package var json: JSONValue {
        [
            "version": JSONValue(Self.version),
            "schedules": .array(entries.values.sorted { $0.schedule.id < $1.schedule.id }.map(\.json)),
            "runs": .array(runs.values.sorted { $0.event < $1.event }.map(\.json)),
        ]
    }

    /// The state as it was kept. Nothing is due until the schedules are added again, each with the rules of its zone.
    package init(restoring json: JSONValue, maximumRuns: Int? = nil) throws(SchedulingError) {
        self.init(maximumRuns: maximumRuns)
        guard json["version"]?.int == Self.version else {
            throw SchedulingError("the kept state is not of version \(Self.version), which this program reads")
        }
        for value in json["schedules"]?.array ?? [] {
            let entry = try ScheduleEntry(value)
            entries[entry.schedule.id] = entry
        }
        for value in json["runs"]?.array ?? [] {
            let run = try ScheduledRun(value)
            table[run.event] = run
        }
        knowsStops = table.all.isEmpty
    }
}

extension ScheduleEntry {
    var json: JSONValue {
        var json: JSONValue = [
            "schedule": schedule.json, "added": .integer(added.microseconds), "settled": .integer(settled.microseconds),
            "started": JSONValue(started),
            "decisions": .array(
                decisions.map { decision in
                    var json: JSONValue = ["due": .integer(decision.due.microseconds)]
                    json["event"] = decision.event.map { .string($0) }
                    if decision.isMissed { json["missed"] = true }
                    return json
                }),
        ]
        if forgotten.microseconds != .min { json["forgotten"] = .integer(forgotten.microseconds) }
        json["accounted"] = accounted.map { .integer($0.microseconds) }
        return json
    }

    init(_ json: JSONValue) throws(SchedulingError) {
        guard let added = json.moment("added"), let settled = json.moment("settled") else {
            throw SchedulingError("the kept state says of a schedule not how far it is settled")
        }
        self.init(restored: try Schedule(json["schedule"] ?? .null), added: added, settled: settled)
        started = json["started"]?.int ?? 0
        if let moment = json.moment("forgotten") { forgotten = moment }
        accounted = json.moment("accounted")
        decisions = (json["decisions"]?.array ?? []).compactMap { decision in
            decision.moment("due").map {
                Decision(due: $0, event: decision["event"]?.string, isMissed: decision["missed"]?.bool ?? false)
            }
        }
    }
}

extension ScheduledRun {
    var json: JSONValue {
        var json: JSONValue = [
            "event": event.json, "recipe": .string(recipe), "state": .string(state.rawValue),
        ]
        json["callEnd"] = callEnd.map { .integer($0.microseconds) }
        json["stop"] = stop.map { .integer($0.microseconds) }
        json["started"] = started.map { .integer($0.microseconds) }
        if isResumption { json["resumption"] = true }
        if let details {
            var object: JSONValue = [:]
            object["summary"] = details.summary.map { .string($0) }
            object["location"] = details.location.map { .string($0) }
            object["url"] = details.url.map { .string($0) }
            json["details"] = object
        }
        return json
    }

    init(_ json: JSONValue) throws(SchedulingError) {
        guard let event = EventID(json["event"] ?? .null), let recipe = json["recipe"]?.string,
            let state = json["state"]?.string.flatMap(State.init)
        else { throw SchedulingError("the kept state has a run that it does not say what it is of") }
        self.init(
            event: event, recipe: recipe,
            details: json["details"].map {
                Details(summary: $0["summary"]?.string, location: $0["location"]?.string, url: $0["url"]?.string)
            },
            callEnd: json.moment("callEnd"), stop: json.moment("stop"))
        self.state = state
        started = json.moment("started")
        isResumption = json["resumption"]?.bool ?? false
    }
}

extension EventID {
    package var json: JSONValue {
        var json: JSONValue = ["schedule": .string(schedule.value), "due": .integer(due.microseconds)]
        json["event"] = event.map { .string($0) }
        return json
    }

    package init?(_ json: JSONValue) {
        guard let schedule = json["schedule"]?.string, let due = json.moment("due") else { return nil }
        self.init(schedule: ScheduleID(schedule), due: due, event: json["event"]?.string)
    }
}

extension HistoryEntry {
    /// One line of the history: what happened, in words and in parts.
    package var json: JSONValue {
        var json: JSONValue = ["time": .integer(time.microseconds), "event": event.json]
        switch outcome {
        case .ran(let from, let to):
            json["outcome"] = "ran"
            json["from"] = .integer(from.microseconds)
            json["to"] = .integer(to.microseconds)
        case .failed: json["outcome"] = "failed"
        case .missed: json["outcome"] = "missed"
        case .missedUntil(let end, _):
            json["outcome"] = "missed"
            json["until"] = .integer(end.microseconds)
        case .skipped: json["outcome"] = "skipped"
        case .skippedUntil(let end, _):
            json["outcome"] = "skipped"
            json["until"] = .integer(end.microseconds)
        case .refused: json["outcome"] = "refused"
        }
        json["text"] = .string(outcome.description)
        return json
    }
}

extension JSONValue {
    /// Microseconds since 1970.
    fileprivate func moment(_ key: String) -> WallTime? { self[key]?.integer.map { WallTime(microseconds: $0) } }
}
