package import Calendar
package import MediaTypes

/// Decides which recordings are to start and to stop when. A value without a clock: it is told what the time is, and
/// says what is to be done and when it wants to be asked again.
///
/// Every time at which a schedule is due is started once, or an entry of the history says why not, through restarts and
/// changes of the clock:
/// - How far each schedule is settled is part of the state. Whoever keeps it takes `json` after each `handle` and
///   stores it before the outputs are acted upon; then a crash in between leaves a run that is `starting`, which
///   `restored` settles.
/// - When the wall clock is put forward, what was due meanwhile was missed, and the policy of the schedule says what
///   becomes of it. When it is put back, what was missed comes again; what was started, skipped or refused does not.
/// - A recording's planned end is kept on the steady clock.
package struct Scheduler: Sendable {
    /// What the clocks say.
    package struct Moment: Hashable, Sendable {
        package var wall: WallTime
        package var steady: MonotonicTime

        package init(wall: WallTime, steady: MonotonicTime) {
            self.wall = wall
            self.steady = steady
        }
    }

    package enum Input: Sendable {
        case timePassed
        /// A schedule is there, a new one or one with changes; after a restart, each is added again. With the rules of
        /// the zone that it names. What was due before a change of the timing is owed no more.
        case added(Schedule, zone: any TimeZoneRules)
        /// Its runs go on to their planned ends.
        case removed(ScheduleID)
        case paused(ScheduleID)
        case resumed(ScheduleID)
        /// The calendar of a schedule, whenever it was read anew.
        case calendarRead(ScheduleID, ICalendar)
        case runStarted(EventID)
        case runEnded(EventID)
        case runFailed(EventID, String)
        /// Nobody would start it: no space, no licence, no room.
        case runRefused(EventID, String)
        /// After a restart: which runs are still there. Those that are not are started again for what is left of them,
        /// unless their schedule says otherwise.
        case restored(live: Set<EventID>)
    }

    package enum StopReason: String, Hashable, Sendable {
        case planned
        /// A later call of the schedule takes its place.
        case replaced
    }

    package enum Output: Hashable, Sendable {
        case start(ScheduledRun)
        case stop(EventID, StopReason)
        case history(HistoryEntry)
    }

    /// Later than this, a call is not joined in time.
    static let tolerance = Duration.seconds(60)
    /// How long a call of unknown length is taken to go on.
    static let unknownLength = Duration.seconds(3600)
    /// The wall clock may be set at any time, so it is looked at this often.
    static let longestSleep = Duration.seconds(60)

    /// More runs than this at the same time are refused; nil for no limit.
    package let maximumRuns: Int?
    var entries: [ScheduleID: ScheduleEntry] = [:]
    var table = RunTable()
    private var outputs = OutputQueue<Output>()
    private var last: Moment?
    /// Whether all planned ends are known on the steady clock, which is another one after a restart.
    var knowsStops = true
    /// Why something may have been missed since the last moment.
    var lateness = HistoryEntry.MissedReason.wokeTooLate

    /// When the first of the schedules has something to decide, if the clock is not put back before `settledAt`; nil
    /// when none has. So what is told of a run costs nothing for each schedule.
    var quietUntil: WallTime?
    var settledAt = WallTime(microseconds: .min)

    package init(maximumRuns: Int? = nil) { self.maximumRuns = maximumRuns }

    /// What runs, or is about to.
    package var runs: [EventID: ScheduledRun] { table.all }

    package var schedules: [Schedule] { entries.values.map(\.schedule).sorted { $0.id < $1.id } }

    /// When a schedule is due next, as far as is known.
    package func nextDue(_ id: ScheduleID) -> WallTime? { entries[id]?.next.time }

    package mutating func nextOutput() -> Output? { outputs.next() }

    /// When to say the time again at the latest; nil when only other inputs can change anything.
    package var nextDeadline: MonotonicTime? {
        guard let last else { return nil }
        guard let quietUntil else { return table.firstStop }
        let wait = Duration.microseconds(max(0, quietUntil.microseconds - last.wall.microseconds))
        return earliest(table.firstStop, last.steady + min(wait, Self.longestSleep))
    }

    /// Takes in what happened, and what is due by now.
    package mutating func handle(_ input: Input, at now: Moment) {
        noteTime(now)
        if !knowsStops { findStops(at: now) }
        switch input {
        case .timePassed: break
        case .added(let schedule, let zone):
            settleAll(at: now)
            add(schedule, zone, at: now)
            settle(only: schedule.id, at: now)
        case .removed(let id):
            settleAll(at: now)
            entries[id] = nil
        case .paused(let id):
            settleAll(at: now)
            entries[id]?.schedule.isPaused = true
        case .resumed(let id):
            settleAll(at: now)
            entries[id]?.schedule.isPaused = false
        case .calendarRead(let id, let calendar):
            entries[id]?.read(calendar, at: now.wall)
            settle(only: id, at: now)
        case .runStarted(let event): started(event, at: now)
        case .runEnded(let event): ended(event, at: now)
        case .runFailed(let event, let why): finish(event, .failed(why), at: now)
        case .runRefused(let event, let why): finish(event, .refused(why), at: now)
        case .restored(let live): restore(live, at: now)
        }
        settleAll(at: now)
        stopRuns(at: now)
    }

    mutating func put(_ output: Output) { outputs.append(output) }

    mutating func record(_ event: EventID, _ outcome: HistoryEntry.Outcome, at now: Moment) {
        put(.history(HistoryEntry(time: now.wall, event: event, outcome: outcome)))
    }

    private mutating func noteTime(_ now: Moment) {
        if let last {
            let jump =
                Duration.microseconds(now.wall.microseconds - last.wall.microseconds) - (now.steady - last.steady)
            lateness = jump > Self.tolerance ? .clockWasSetForward : .wokeTooLate
        }
        last = now
    }

    private mutating func add(_ schedule: Schedule, _ zone: any TimeZoneRules, at now: Moment) {
        if entries[schedule.id] != nil {
            entries[schedule.id]?.change(to: schedule, zone, at: now.wall)
        } else {
            entries[schedule.id] = ScheduleEntry(schedule, zone, at: now.wall)
        }
    }
}
