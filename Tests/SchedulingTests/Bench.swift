import Calendar
import JSON
import MediaTypes
import Scheduling
import TimeZones

/// A scheduler with clocks that a test moves, and somebody who starts and stops what it asks for.
struct Bench {
    var scheduler: Scheduler
    var wall: WallTime
    var steady = MonotonicTime(nanoseconds: 0)
    /// What happened, in order: `start a@09:00`, `stop a@09:00`, `a@09:00 missed: ...`. Times in UTC, with the day when
    /// it is not that of the bench's beginning.
    var log: [String] = []
    /// Whether runs are said to have started and ended at once when that is asked for.
    var answers = true
    var live: Set<EventID> = []
    let day: String

    init(_ start: String, maximumRuns: Int? = nil) throws {
        scheduler = Scheduler(maximumRuns: maximumRuns)
        wall = try Self.time(start)
        day = String(start.prefix(10))
    }

    var now: Scheduler.Moment { .init(wall: wall, steady: steady) }

    static func time(_ text: String) throws -> WallTime { try OneOffTime(text).instant(in: FixedOffset.utc) }

    mutating func handle(_ input: Scheduler.Input) {
        scheduler.handle(input, at: now)
        drain()
    }

    private mutating func drain() {
        while let output = scheduler.nextOutput() {
            switch output {
            case .start(let run):
                log.append(
                    "\(run.isResumption ? "resume" : "start") \(name(run.event))"
                        + (run.stop.map { " until \(name($0))" } ?? ""))
                guard answers else { continue }
                live.insert(run.event)
                scheduler.handle(.runStarted(run.event), at: now)
            case .stop(let event, let reason):
                log.append("stop \(name(event))" + (reason == .replaced ? " replaced" : ""))
                guard answers else { continue }
                live.remove(event)
                scheduler.handle(.runEnded(event), at: now)
            case .history(let entry):
                if case .ran(let from, let to) = entry.outcome {
                    log.append("\(name(entry.event)) ran \(name(from))-\(name(to))")
                } else {
                    log.append("\(name(entry.event)) \(entry.outcome)")
                }
            }
        }
    }

    /// Lets time pass as it does, waking up when the scheduler wants to.
    mutating func run(until text: String) throws {
        let end = try Self.time(text)
        while wall < end {
            var step = Duration.microseconds(end.microseconds - wall.microseconds)
            if let deadline = scheduler.nextDeadline { step = min(step, max(deadline - steady, .milliseconds(1))) }
            pass(step)
            handle(.timePassed)
        }
    }

    mutating func pass(_ span: Duration) {
        wall = wall + span
        steady = steady + span
    }

    /// Sets the wall clock.
    mutating func set(_ text: String) throws {
        wall = try Self.time(text)
        handle(.timePassed)
    }

    /// The daemon is gone until then, and its state comes back from JSON. Recordings go on, unless they end as well.
    mutating func restart(at text: String, recordingsEnd: Bool = false) throws {
        let schedules = scheduler.schedules
        let kept = scheduler.json.compact
        let maximumRuns = scheduler.maximumRuns
        wall = try Self.time(text)
        steady = MonotonicTime(nanoseconds: Int64.random(in: 0...1_000_000_000_000))
        scheduler = try Scheduler(restoring: try JSONValue(parsing: kept), maximumRuns: maximumRuns)
        if recordingsEnd { live = [] }
        handle(.restored(live: live))
        for schedule in schedules { handle(.added(schedule, zone: try SystemTimeZones().zone(named: schedule.zone))) }
    }

    mutating func add(_ schedule: Schedule) throws {
        handle(.added(schedule, zone: try SystemTimeZones().zone(named: schedule.zone)))
    }

    mutating func takeLog() -> [String] {
        defer { log = [] }
        return log
    }

    private func name(_ event: EventID) -> String {
        "\(event.schedule)@\(name(event.due))" + (event.event.map { "/" + $0 } ?? "")
    }

    private func name(_ time: WallTime) -> String {
        let text = time.iso8601
        let clock = text.dropFirst(11).prefix(text.dropFirst(17).hasPrefix("00") ? 5 : 8)
        return (text.hasPrefix(day) ? "" : text.dropFirst(5).prefix(5) + " ") + clock
    }
}

func cron(_ id: String, _ expression: String, zone: String = "UTC", minutes: Int? = 60) throws -> Schedule {
    Schedule(
        id: ScheduleID(id), timing: .cron(try CronExpression(expression)), zone: zone, recipe: "r",
        duration: minutes.map { .seconds($0 * 60) })
}
