import Calendar
import EventLoop
import Logging
import MediaTypes
import Scheduling
import Storage
import TimeZones

/// How the daemon follows the schedules on disk.
extension DaemonSession {
    /// Takes over what was changed on disk.
    func look() {
        nextLook = HostClock.now() + Self.lookInterval
        let files = store.files
        if files != self.files {
            self.files = files
            gather { follow(store.all()) }
        }
        for id in known.keys.sorted() { if let schedule = known[id] { readCalendar(of: schedule) } }
        setTimer()
    }

    private func follow(_ read: (schedules: [Schedule], faults: [ScheduleStore.Fault])) {
        live?.nudge()
        let (schedules, found) = read
        for fault in found where !faults.contains(fault) { logger.error("a schedule cannot be followed: \(fault)") }
        faults = Set(found)
        for schedule in schedules where known[schedule.id] != schedule { add(schedule) }
        let ids = Set(schedules.map(\.id))
        // One that cannot be read just now goes on as it was.
        let unread = Set(
            found.map { ScheduleID(String($0.path.split(separator: "/").last?.prefix { $0 != "." } ?? "")) })
        for id in known.keys.sorted() where !ids.contains(id) && !unread.contains(id) {
            known[id] = nil
            calendars[id] = nil
            logger.notice("a schedule is removed", ["schedule": .string(id.value)])
            handle(.removed(id))
        }
    }

    private func add(_ schedule: Schedule) {
        let isNew = known[schedule.id] == nil
        known[schedule.id] = schedule
        do {
            let zone = try zones.zone(named: schedule.zone)
            handle(.added(schedule, zone: zone))
            logger.notice(
                isNew ? "a schedule is there" : "a schedule has changed",
                [
                    "schedule": .string(schedule.id.value),
                    "next": .string(scheduler.nextDue(schedule.id)?.iso8601 ?? "never"),
                ])
        } catch {
            logger.error("a schedule cannot be followed: \(error)", ["schedule": .string(schedule.id.value)])
        }
    }

    private func readCalendar(of schedule: Schedule) {
        guard case .calendar(let path) = schedule.timing else { return }
        let signature = FileStatus(path)
        guard calendars[schedule.id] != signature else { return }
        calendars[schedule.id] = signature
        do {
            let bytes = try SmallFile.read(path, limit: ICalendar.Limits.bytes)
            let calendar = try ICalendar(parsing: bytes) { try? self.zones.zone(named: $0) }
            for problem in calendar.problems { logger.warning("the calendar \(path): \(problem)") }
            handle(.calendarRead(schedule.id, calendar))
        } catch {
            logger.error("the calendar \(path) cannot be read: \(error)", ["schedule": .string(schedule.id.value)])
        }
    }
}
