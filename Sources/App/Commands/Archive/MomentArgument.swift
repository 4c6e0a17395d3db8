import MediaTypes

/// A moment: `2026-11-30`, `2026-11-30T14:00`, in UTC; or how long ago, `36h`, `7d`, `2w`, `1y`.
enum MomentArgument: ArgumentValue, Hashable {
    case day(WallTime)
    case moment(WallTime)
    case ago(Duration)

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> MomentArgument {
        if let day = WallTime(iso8601: text + "T00:00:00Z"), text.utf8.count == 10 { return .day(day) }
        for end in ["", "Z", ":00Z"] {
            if let moment = WallTime(iso8601: text + end) { return .moment(moment) }
        }
        if let span = try? Age.parse(text, in: environment) { return .ago(span.span) }
        throw InvalidValue("must be a day (2026-11-30), a time in UTC (2026-11-30T14:00), or how long ago (36h, 7d)")
    }

    /// From when on; a day begins at midnight.
    func start(at now: WallTime) -> WallTime {
        switch self {
        case .day(let time), .moment(let time): time
        case .ago(let span): now - span
        }
    }

    /// Before when; a day ends at the next midnight.
    func end(at now: WallTime) -> WallTime {
        if case .day(let time) = self { time + .seconds(86_400) } else { start(at: now) }
    }
}

/// How old something is: `36h`, `30d`, `2w`, `1y`.
struct Age: ArgumentValue, Hashable {
    var span: Duration

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Age {
        for (unit, days) in [("w", 7), ("y", 365)] where text.hasSuffix(unit) {
            guard let count = Int(text.dropLast()), (1...1000).contains(count) else { break }
            return Age(span: .seconds(86_400 * days * count))
        }
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...100_000).contains(days) {
            return Age(span: .seconds(86_400 * days))
        }
        do { return Age(span: try Duration.parse(text, in: environment)) } catch {
            throw InvalidValue("must be an age such as 36h, 30d, 2w or 1y")
        }
    }
}

extension WallTime {
    fileprivate static func - (time: Self, span: Duration) -> Self {
        WallTime(microseconds: time.microseconds &- span.microseconds)
    }
}
