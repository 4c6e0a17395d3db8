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
    static let lookInterval = Duration.seconds(1)
    /// How long after its planned end a recorder may take to end by itself: it knows that end, and may have a composite to
    /// finish, which it would leave if it was asked to end once more.
    private static let endPatience = Duration.seconds(600)

    var settings: DaemonSettings
    let logger: Logger
    let zones = SystemTimeZones()
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
    var server: LocalServer?
    var web: WebServer?
    private var kept: [UInt8] = []
    var known: [ScheduleID: Schedule] = [:]
    var calendars: [ScheduleID: FileStatus] = [:]
    var faults: Set<ScheduleStore.Fault> = []
    /// The schedules' files as they were when they were read last.
    var files: [String: FileStatus] = [:]
    var nextLook = HostClock.now()
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

    func setTimer() {
        let deadline = overdue.values.reduce(earliest(scheduler.nextDeadline, nextLook)) { earliest($0, $1) }
        timer?.set(deadline)
    }

    func handle(_ input: Scheduler.Input) {
        scheduler.handle(input, at: moment)
        if !isGathering { gather {} }
    }

    /// Does what was decided once all has happened: the state is kept once for hundreds of schedules, and not once for each.
    func gather(_ body: () -> Void) {
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

    // MARK: - Runs

    private func start(_ run: ScheduledRun) {
        let id = RunID(run.event)
        events[id] = run.event
        guard let refusal = begin(RunOrder(id: id, until: run.stop), [run.recipe]) else { return }
        events[id] = nil
        handle(.runRefused(run.event, refusal))
    }

    /// - Returns: why it is not begun; nil when it is.
    func begin(_ order: RunOrder, _ arguments: [String]) -> String? {
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
}
