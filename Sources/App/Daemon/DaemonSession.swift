import Calendar
package import EventLoop
import Glibc
import JSON
import LocalSocket
package import Logging
import MediaTypes
import Processes
import Scheduling
import Storage
import Supervision
import TimeZones
import WebServer

/// The daemon: starts what is scheduled, keeps it running, and answers those who ask. Only wires: the scheduler says what is due,
/// the fleet has the processes. Recorders outlive it, and the next daemon finds them again.
package actor DaemonSession {
    package nonisolated let loop: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How often it is looked whether schedules were changed on disk.
    private static let lookInterval = Duration.seconds(1)
    /// How long after its planned end a recorder may take to end by itself: it knows that end, and may have a composite to
    /// finish, which it would leave if it was asked to end once more.
    private static let endPatience = Duration.seconds(600)

    var settings: DaemonSettings
    let logger: Logger
    private let zones = SystemTimeZones()
    var store: ScheduleStore
    let history: HistoryLog
    private let manager = ServiceManager()

    private var lock: FileLock?
    var scheduler: Scheduler
    var fleet: RecorderFleet?
    var webhooks: WebhookSender?
    var upkeep: Upkeep?
    var admission: Admission
    private var timer: LoopTimer?
    private var watchdog: LoopTimer?
    private var signals: [SignalSource] = []
    private var server: LocalServer?
    var web: WebServer?
    private var kept: [UInt8] = []
    var known: [ScheduleID: Schedule] = [:]
    private var calendars: [ScheduleID: FileStatus] = [:]
    private var faults: Set<ScheduleStore.Fault> = []
    /// The schedules' files as they were when they were read last.
    var files: [String: FileStatus] = [:]
    private var nextLook = HostClock.now()
    /// Whether what is decided waits for the rest of what happens now.
    private var isGathering = false
    /// Runs of the scheduler, by their names.
    var events: [RunID: EventID] = [:]
    /// Runs whose time is over, and by when they must have ended by themselves.
    private var overdue: [RunID: MonotonicTime] = [:]
    /// Who listens over HTTP to what goes on.
    var live: LiveBroadcast?
    /// The site's own address; nil when there is none.
    var listensAt: String?
    private(set) lazy var links = LinkSigner(settings.place)
    /// When it was seen last that the daemon is at work.
    let pulse = Locked(HostClock.now())
    private var whenDone: CheckedContinuation<Void, Never>?

    /// - Throws: when the state cannot be read or written, or another daemon goes by it.
    package init(_ settings: DaemonSettings, loop: LoopExecutor, logger: Logger) throws {
        self.settings = settings
        self.loop = loop
        self.logger = logger
        store = ScheduleStore(settings.place, recipes: settings.recipes)
        history = HistoryLog(settings.place)
        admission = Admission(processors: settings.processors, most: settings.mostRecordings)
        try settings.place.prepare()
        lock = try FileLock(file: settings.place.lock)
        if Folder.exists(settings.place.scheduler) {
            let bytes = try SmallFile.read(settings.place.scheduler)
            scheduler = try Scheduler(restoring: JSONValue(parsing: bytes))
        } else {
            scheduler = Scheduler()
        }
    }

    // What it owns belongs to the loop's thread, to the end.
    isolated deinit { close() }

    private func close() {
        timer = nil
        watchdog = nil
        server = nil
        upkeep?.close()
        upkeep = nil
        fleet = nil
        webhooks = nil
        signals = []
    }

    /// Runs until it is asked to end (SIGTERM, SIGINT).
    package func run() async throws {
        fleet = try RecorderFleet(
            program: settings.program, archive: settings.archive, state: settings.place.folder, loop: loop,
            logger: logger
        ) { [weak self] event in self?.assumeIsolated { $0.take(event) } }
        try noteRecipes()
        openWebhooks()
        upkeep = try Upkeep(
            settings, loop: loop, logger: logger, upkeepDoor,
            removed: { [weak self] lines, problem in Task { await self?.take(lines, problem) } })
        if let web = settings.web { try await open(web.server, web.token) }
        await withCheckedContinuation { done in
            whenDone = done
            start()
        }
        await web?.stop()
    }

    private func start() {
        timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.wake() } }
        watchdog = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.signOfLife() } }
        for signal in [SIGINT, SIGTERM] {
            signals.append(SignalSource(signal, on: loop) { [weak self] in self?.assumeIsolated { $0.end() } })
        }
        signals.append(SignalSource(SIGHUP, on: loop) { [weak self] in self?.assumeIsolated { $0.reread() } })
        listen()
        for (event, _) in scheduler.runs { events[RunID(event)] = event }
        fleet?.findRuns()
        upkeep?.begin()
        let live = Set((fleet?.ids ?? []).compactMap { events[$0] })
        handle(.restored(live: live))
        look()
        logger.notice(
            "the daemon is there", ["schedules": .init(known.count), "runs": .init(fleet?.ids.count ?? 0)])
        manager.notify("READY=1")
        signOfLife()
    }

    private func end() {
        guard let whenDone else { return }
        self.whenDone = nil
        manager.notify("STOPPING=1")
        let count = fleet?.ids.count ?? 0
        logger.notice(
            count == 0 ? "the daemon ends" : "the daemon ends; recorders run on", ["runs": .init(count)])
        close()
        whenDone.resume()
    }

    /// Every ten seconds or so: tells the service manager, and learns what recordings take.
    private func signOfLife() {
        pulse.withLock { $0 = HostClock.now() }
        for id in fleet?.ids ?? [] {
            guard let load = fleet?.load(of: id), let record = fleet?.record(of: id) else { continue }
            admission.measured(
                record.wantsComposite ? .live : .captureOnly, processors: load)
        }
        manager.notify("WATCHDOG=1\nSTATUS=\(fleet?.ids.count ?? 0) recordings, \(known.count) schedules")
        watchdog?.set(HostClock.now() + min((manager.watchdogInterval ?? .seconds(20)) / 2, .seconds(10)))
    }

    // MARK: - Time

    private var moment: Scheduler.Moment { .init(wall: HostClock.wallTime(), steady: HostClock.now()) }

    private func wake() {
        let now = HostClock.now()
        for (id, deadline) in overdue where deadline <= now {
            overdue[id] = nil
            fleet?.stop(id)
        }
        if now >= nextLook { look() }
        handle(.timePassed)
    }

    private func setTimer() {
        let deadline = overdue.values.reduce(earliest(scheduler.nextDeadline, nextLook)) { earliest($0, $1) }
        timer?.set(deadline)
    }

    private func handle(_ input: Scheduler.Input) {
        scheduler.handle(input, at: moment)
        if !isGathering { gather {} }
    }

    /// Does what was decided once all has happened: the state is kept once for hundreds of schedules, and not once for each.
    private func gather(_ body: () -> Void) {
        guard !isGathering else { return body() }
        isGathering = true
        body()
        perform()
        isGathering = false
        setTimer()
    }

    /// What was decided is on disk before it is done: after a crash in between, the next daemon does it.
    private func perform() {
        while true {
            var outputs: [Scheduler.Output] = []
            while let output = scheduler.nextOutput() { outputs.append(output) }
            keep()
            if outputs.isEmpty { return }
            for output in outputs {
                switch output {
                case .start(let run): start(run)
                case .stop(let event, let reason): stop(event, reason)
                case .history(let entry): note(entry)
                }
            }
        }
    }

    private func keep() {
        let bytes = scheduler.json.compactUTF8
        guard bytes != kept else { return }
        do {
            try AtomicFile.replace(settings.place.scheduler, with: bytes)
            kept = bytes
        } catch {
            logger.error("the schedules' state cannot be kept: \(error)")
        }
    }

    private func note(_ entry: HistoryEntry) {
        let facts: LogMetadata = ["event": .string(entry.event.description)]
        switch entry.outcome {
        case .ran: logger.notice(entry.outcome.description, facts)
        default: logger.warning(entry.outcome.description, facts)
        }
        if case .ran = entry.outcome {} else { tell("schedule-not-run", entry) }
        live?.tell(history: entry.json)
        do { try history.append(entry.json) } catch { logger.error("the history cannot be written: \(error)") }
    }

    private func tell(_ event: String, _ entry: HistoryEntry) {
        webhooks?.tell(
            event, about: RunID(entry.event).value,
            [
                "schedule": .string(entry.event.schedule.value), "due": .string(entry.event.due.iso8601),
                "reason": .string(entry.outcome.description),
            ])
    }

    // MARK: - Schedules

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

    // MARK: - Runs

    private func start(_ run: ScheduledRun) {
        let id = RunID(run.event)
        events[id] = run.event
        guard let refusal = begin(RunOrder(id: id, until: run.stop), [run.recipe]) else { return }
        events[id] = nil
        handle(.runRefused(run.event, refusal))
    }

    /// - Returns: why it is not begun; nil when it is.
    private func begin(_ order: RunOrder, _ arguments: [String]) -> String? {
        guard let fleet else { return "the daemon ends" }
        if let refusal = upkeep?.refusal { return refusal }
        var arguments = arguments
        switch admission.decide(loads: fleet.loads, wantsComposite: RunRecord.wantsComposite(arguments)) {
        case .admitted: break
        case .captureOnly(let reason):
            logger.warning(reason, ["run": .string(order.id.value)])
            arguments.append(RunRecord.deferral)
        case .refused(let reason): return reason
        }
        do {
            try fleet.start(order, arguments: arguments)
            // Whatever else runs may have to give way.
            upkeep?.hurry()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func stop(_ event: EventID, _ reason: Scheduler.StopReason) {
        let id = RunID(event)
        switch reason {
        // It knows its end itself, and ends as one whose time is over.
        case .planned: overdue[id] = HostClock.now() + Self.endPatience
        case .replaced: fleet?.stop(id)
        }
        setTimer()
    }

    private func take(_ event: RecorderFleet.Event) {
        live?.nudge()
        switch event {
        case .began(let id, let folder):
            logger.notice("recording", ["run": .string(id.value), "folder": .string(folder)])
            webhooks?.tell(
                "recording-started", about: id.value, ["run": .string(id.value), "folder": .string(folder)])
            if let event = events[id] { handle(.runStarted(event)) }
        case .waiting(let id, let exit, let pause):
            logger.warning(
                "the recorder ended and is started again",
                ["run": .string(id.value), "exit": .string("\(exit)"), "in": .string("\(pause.seconds.rounded()) s")])
        case .ended(let id, let result, let message):
            overdue[id] = nil
            if let folder = result.folder { upkeep?.ended(folder) }
            upkeep?.hurry()
            webhooks?.tell(
                "recording-ended", about: id.value,
                [
                    "run": .string(id.value), "folder": result.folder.map { .string($0) } ?? .null,
                    "end": .string(result.words(message)), "attempts": JSONValue(result.attempts),
                ])
            logger.notice(
                "a run is over",
                [
                    "run": .string(id.value), "folder": .string(result.folder ?? "none"),
                    "end": .string(result.words(message)),
                ])
            guard let event = events.removeValue(forKey: id) else { return }
            switch result.reason {
            case .done, .stopped: handle(.runEnded(event))
            default: handle(.runFailed(event, result.words(message)))
            }
        }
    }

    // MARK: - Those who ask

    private func listen() {
        let complaint = DaemonAnswer.refused("a request is at most \(LocalServer.longestLine) bytes long")
        do {
            server = try LocalServer(
                in: settings.place.folder, named: StatePlace.socket, on: loop, complaint: complaint.json.compactUTF8
            ) { [weak self] line in
                let answer = self?.assumeIsolated { $0.answer(line) } ?? .refused("the daemon ends")
                return answer.json.compactUTF8
            }
        } catch {
            logger.error("nobody can speak to the daemon: \(error)")
        }
    }

    private func answer(_ line: [UInt8]) -> DaemonAnswer {
        guard let request = (try? JSONValue(parsing: line)).flatMap(DaemonRequest.init) else {
            return .refused("this is no request")
        }
        return answer(request)
    }

    func answer(_ request: DaemonRequest) -> DaemonAnswer {
        switch request {
        case .status: return .done(status)
        case .run(let name):
            look()
            guard let schedule = known[ScheduleID(name)] else { return .refused("there is no schedule '\(name)'") }
            return begin(name, [schedule.recipe], for: schedule.duration.map(\.seconds))
        case .start(let arguments, let name, let duration): return begin(name, arguments, for: duration)
        case .stop(let run):
            guard fleet?.record(of: RunID(run)) == nil else { return stop(RunID(run)) }
            let ids = (fleet?.ids ?? []).filter { $0.value.hasPrefix(run) }
            guard let id = ids.first, ids.count == 1 else {
                return .refused(ids.isEmpty ? "there is no run '\(run)'" : "'\(run)' may be one of \(ids.count) runs")
            }
            return stop(id)
        case .link(let recording, let seconds): return link(recording, seconds)
        case .revokeLinks: return revokeLinks()
        }
    }

    private func stop(_ id: RunID) -> DaemonAnswer {
        fleet?.stop(id)
        return .done(["run": .string(id.value)])
    }

    private func begin(_ name: String, _ arguments: [String], for seconds: Double?) -> DaemonAnswer {
        guard ScheduleStore.isGood(ScheduleID(name)) else { return .refused("'\(name)' cannot name a run") }
        let now = HostClock.wallTime()
        if let seconds, !(1...31_536_000).contains(seconds) { return .refused("it must last from a second to a year") }
        let order = RunOrder(
            id: RunID(asked: name, at: now), until: seconds.map { now + .microseconds(Int64($0 * 1_000_000)) })
        if let reason = begin(order, arguments) { return .refused(reason) }
        return .done(["run": .string(order.id.value)])
    }
}

extension RunResult {
    /// The end in words.
    func words(_ message: String?) -> String {
        let said = message.map { ": " + $0 } ?? exit.map { ": \($0.words)" } ?? ""
        return switch reason {
        case .done: "done" + said
        case .stopped: "stopped" + said
        case .failed: "failed" + said
        case .tooLate: "its time was over before it could begin" + said
        case .crashedTooOften: "the recorder crashed \(attempts) times" + said
        case .notStarted(let why): "the recorder could not be started: " + why
        }
    }
}

extension RecorderExit {
    /// How the process ended, in words.
    fileprivate var words: String {
        switch self {
        case .code(let code): "the recorder ended with exit code \(code)"
        case .signal(let number): "the recorder was ended by signal \(number)"
        case .unknown: "the recorder ended unseen"
        }
    }
}
