import Calendar
package import JSON
import MediaTypes

/// What is wrong with a schedule or with the kept state, in a sentence.
package struct SchedulingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension Schedule {
    package var json: JSONValue {
        var json: JSONValue = [
            "id": .string(id.value), "name": .string(name), "zone": .string(zone), "recipe": .string(recipe),
        ]
        switch timing {
        case .cron(let cron): json["cron"] = .string(cron.description)
        case .once(let time): json["once"] = .string(time.description)
        case .calendar(let source): json["calendar"] = .string(source)
        case .any(let timings): json["when"] = .array(timings.compactMap(\.spelled).map { .string($0) })
        }
        json["duration"] = duration.map { .span($0) }
        if earlyJoin != .zero { json["earlyJoin"] = .span(earlyJoin) }
        if lateStop != .zero { json["lateStop"] = .span(lateStop) }
        switch missedRuns {
        case .skip: json["missedRuns"] = "skip"
        case .remainder: json["missedRuns"] = "remainder"
        case .late(let limit): json["missedRuns"] = ["late": .span(limit)]
        }
        json["overlap"] = .string(overlap.rawValue)
        if isPaused { json["paused"] = true }
        json["until"] = until.map { .string($0.iso8601) }
        json["count"] = count.map { JSONValue($0) }
        return json
    }

    /// Reads a schedule. Spans of time are seconds or texts such as `1h30m`.
    package init(_ json: JSONValue) throws(SchedulingError) {
        func text(_ key: String) throws(SchedulingError) -> String {
            guard let text = json[key]?.string else { throw SchedulingError("a schedule has no \(key)") }
            return text
        }
        let id = ScheduleID(try text("id"))
        func span(_ key: String, of object: JSONValue) throws(SchedulingError) -> Duration? {
            guard let value = object[key], !value.isNull else { return nil }
            let span =
                value.string.map { Duration(spelled: $0) } ?? value.double.flatMap { Duration(secondsInJSON: $0) }
            guard let span, span >= .zero, span <= .seconds(366 * 86_400) else {
                throw SchedulingError(
                    "the \(key) of schedule '\(id)' must be a time such as 90s or 1h30m, of a year at most")
            }
            return span
        }
        let timings = ["cron", "once", "calendar", "when"].filter { json[$0].map { !$0.isNull } ?? false }
        guard timings.count == 1 else {
            throw SchedulingError("schedule '\(id)' must have one of cron, once, calendar and when")
        }
        let timing: Timing
        do {
            if let text = json["cron"]?.string {
                timing = .cron(try CronExpression(text))
            } else if let text = json["once"]?.string {
                timing = .once(try OneOffTime(text))
            } else if let when = json["when"] {
                timing = .any(
                    try (when.array ?? [when]).map { (value) throws(SchedulingError) in
                        try Timing(spelled: value.string ?? "")
                    })
            } else {
                timing = .calendar(source: try text("calendar"))
            }
        } catch { throw SchedulingError("schedule '\(id)': \(error)") }
        self.init(id: id, timing: timing, zone: try text("zone"), recipe: try text("recipe"))
        name = json["name"]?.string ?? ""
        duration = try span("duration", of: json)
        earlyJoin = try span("earlyJoin", of: json) ?? .zero
        lateStop = try span("lateStop", of: json) ?? .zero
        switch json["missedRuns"] {
        case nil, .string("remainder"): missedRuns = .remainder
        case .string("skip"): missedRuns = .skip
        case let policy?:
            guard let limit = try span("late", of: policy) else {
                throw SchedulingError("missedRuns of schedule '\(id)' must be skip, remainder or {late: 15m}")
            }
            missedRuns = .late(upTo: limit)
        }
        if let text = json["overlap"]?.string {
            guard let policy = OverlapPolicy(rawValue: text) else {
                throw SchedulingError("overlap of schedule '\(id)' must be skip, both or stopEarlier")
            }
            overlap = policy
        }
        isPaused = json["paused"]?.bool ?? false
        if let text = json["until"]?.string {
            guard let time = WallTime(iso8601: text) else {
                throw SchedulingError("until of schedule '\(id)' must be a time such as 2026-12-31T23:00:00Z")
            }
            until = time
        }
        if let value = json["count"] {
            guard let number = value.int, number > 0 else {
                throw SchedulingError("count of schedule '\(id)' must be a whole number above 0")
            }
            count = number
        }
    }
}

extension JSONValue {
    /// In seconds, a whole number where it is one.
    static func span(_ span: Duration) -> JSONValue {
        let (seconds, rest) = span.components
        return rest == 0 ? .integer(seconds) : .number(span.seconds)
    }
}

extension Duration {
    /// To the microsecond, so that what was written is read as the same.
    fileprivate init?(secondsInJSON seconds: Double) {
        guard abs(seconds) < 1e10 else { return nil }
        self = .microseconds(Int64((seconds * 1e6).rounded()))
    }
}
