package import Calendar
package import MediaTypes
package import Scheduling
import Storage
import TimeZones

/// When schedules are due, without a daemon.
package enum ScheduleForecast {
    /// How far a calendar is looked through.
    private static let horizon = Duration.seconds(366 * 86_400)

    /// The next times of a schedule, as far as it can be read.
    package static func next(_ count: Int, of schedule: Schedule, after now: WallTime) -> [WallTime] {
        guard let zone = try? SystemTimeZones().zone(named: schedule.zone) else { return [] }
        let times: [WallTime]
        switch schedule.timing {
        case .cron, .once, .any:
            times = Array(
                sequence(state: now) { last -> WallTime? in
                    guard let next = schedule.timing.next(after: last, in: zone) else { return nil }
                    last = next
                    return next
                }.prefix(count))
        case .calendar(let path):
            guard let bytes = try? SmallFile.read(path, limit: ICalendar.Limits.bytes),
                let calendar = try? ICalendar(parsing: bytes, zones: { try? SystemTimeZones().zone(named: $0) })
            else { return [] }
            let found = calendar.occurrences(startingIn: now..<now + horizon, floatingIn: zone, limit: count * 2)
            times = Array(found.occurrences.filter { !$0.isAllDay }.map(\.start).prefix(count))
        }
        return times.filter { time in schedule.until.map { time <= $0 } ?? true }
    }

    /// `Tue 2026-12-01 09:00:00 Europe/Berlin`
    package static func words(_ time: WallTime, in zone: (any TimeZoneRules)?) -> String {
        guard let zone else { return time.iso8601 }
        let clock = zone.clock(at: time)
        let day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][((clock.date.dayNumber + 3) % 7 + 7) % 7]
        return "\(day) \(clock) \(zone.name)"
    }
}
