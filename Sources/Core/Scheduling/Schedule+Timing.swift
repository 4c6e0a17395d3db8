package import Calendar
package import MediaTypes

extension Schedule.Timing {
    /// As people write it: a cron expression, or one time.
    package init(spelled text: String) throws(SchedulingError) {
        do {
            // A year in front is a date, which no cron expression begins with.
            let isDate =
                text.prefix(5).count == 5 && text.prefix(4).allSatisfy(\.isNumber) && text.dropFirst(4).first == "-"
            self = isDate ? .once(try OneOffTime(text)) : .cron(try CronExpression(text))
        } catch {
            throw SchedulingError("\(error)")
        }
    }

    /// What it was written as; nil for a calendar and for several.
    var spelled: String? {
        switch self {
        case .cron(let cron): cron.description
        case .once(let time): time.description
        case .calendar, .any: nil
        }
    }

    /// Whether there is a day at all on which it is due.
    package var everMatches: Bool {
        switch self {
        case .cron(let cron): cron.everMatches
        case .once, .calendar: true
        case .any(let timings): timings.contains(where: \.everMatches)
        }
    }

    /// The first time later than another one; nil for none, and for a calendar, which somebody else has read.
    package func next(after time: WallTime, in zone: any TimeZoneRules) -> WallTime? {
        switch self {
        case .cron(let cron): return cron.next(after: time, in: zone)
        case .once(let once):
            let instant = once.instant(in: zone)
            return instant > time ? instant : nil
        case .calendar: return nil
        case .any(let timings): return timings.compactMap { $0.next(after: time, in: zone) }.min()
        }
    }
}

extension Schedule.Timing: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cron(let cron): cron.description
        case .once(let time): time.description
        case .calendar(let path): path
        case .any(let timings): timings.map(\.description).joined(separator: "; ")
        }
    }
}
