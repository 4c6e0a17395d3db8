package import MediaTypes

/// One time at which a schedule is due. The same through restarts and changes of the clock, so that whoever starts runs
/// can refuse to start one twice.
package struct EventID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let schedule: ScheduleID
    package let due: WallTime
    /// Which of a calendar's events it is, by its uid; several may start at the same time.
    package let event: String?

    package init(schedule: ScheduleID, due: WallTime, event: String? = nil) {
        self.schedule = schedule
        self.due = due
        self.event = event
    }

    package static func < (a: Self, b: Self) -> Bool {
        (a.due, a.schedule, a.event ?? "") < (b.due, b.schedule, b.event ?? "")
    }

    /// `standup@2026-11-30T09:00:00.000Z`
    package var description: String { "\(schedule)@\(due.iso8601)" + (event.map { "/" + $0 } ?? "") }
}
