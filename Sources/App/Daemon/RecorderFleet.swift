package import EventLoop
import Glibc
package import Logging
import MediaTypes
import Processes
package import Storage
package import Supervision

/// The recorders of a daemon: does what the supervisor decides to real processes, and keeps on disk what a daemon needs that
/// comes after this one. Recorders run on when it ends. Used on its loop's thread only.
package final class RecorderFleet {
    package enum Event: Sendable {
        /// The recorder has begun a recording.
        case began(RunID, folder: String)
        case waiting(RunID, for: RecorderExit, Duration)
        case ended(RunID, RunResult, message: String?)
    }

    /// How often what recorders say of themselves is looked at.
    private static let interval = Duration.milliseconds(500)
    /// How often it is looked at how much of the processors each takes.
    private static let loadInterval = Duration.seconds(10)

    /// After so many runs that have ended it is looked how many logs are kept.
    private static let pruneInterval = 100

    private struct Recorder {
        var record: RunRecord
        var watch: ProcessWatch?
        var status: RecorderStatus?
        /// Processor time at the last look, and what it took since the one before, in processors.
        var measured: (time: Duration, at: MonotonicTime)?
        var load: Double?
    }

    private let program: String
    private let archive: String
    private let folders: RunFolders
    private let loop: LoopExecutor
    private let logger: Logger
    private let happened: (Event) -> Void
    private let boot = MachineBoot.identifier

    private var supervisor = Supervisor()
    private var recorders: [RunID: Recorder] = [:]
    private var timer: LoopTimer?
    /// Runs that have ended.
    private var retired = 0
    private var nextLook = HostClock.now()
    private var nextMeasurement = HostClock.now()

    /// - Parameters:
    ///   - program: the path of callbot itself.
    ///   - archive: where recordings go.
    ///   - state: the folder in which the runs are kept.
    ///   - happened: called on the loop's thread.
    package init(
        program: String, archive: String, state: String, loop: LoopExecutor, logger: Logger,
        happened: @escaping (Event) -> Void
    ) throws(StorageError) {
        self.program = program
        self.archive = archive
        self.loop = loop
        self.logger = logger
        self.happened = happened
        folders = try RunFolders(in: state)
        timer = LoopTimer(on: loop) { [weak self] in self?.wake() }
    }

    // MARK: - What can be asked for

    /// Finds the runs again that were under way when the last daemon ended.
    package func findRuns() {
        folders.prune()
        for record in folders.records() where recorders[record.order.id] == nil {
            let id = record.order.id
            var recorder = Recorder(record: record, status: folders.status(of: id))
            // What says how it ended needs no other judge.
            let isOver = recorder.status?.state == .ended && recorder.status?.process == record.process?.number
            let isRunning = record.boot == boot && folders.hasRecorder(id) && !isOver
            let identity =
                isRunning
                ? recorder.status.map { ProcessIdentity(number: $0.process, start: $0.processStart) } ?? record.process
                : nil
            recorder.watch = identity.flatMap { watch($0, of: id) }
            recorders[id] = recorder
            logger.notice(
                recorder.watch == nil ? "a run was under way, and its recorder is gone" : "a recorder runs on",
                ["run": .string(id.value)])
            let exit = isOver ? recorder.status?.exitCode.map(RecorderExit.code) : nil
            handle(
                .found(record.order, folder: recorder.status?.folder, isRunning: recorder.watch != nil || exit != nil))
            if let exit { handle(.exited(id, exit)) }
        }
    }

    /// Starts a run.
    /// - Parameter arguments: a room's address or a recipe's path, and options of `callbot record`.
    /// - Throws: when it cannot be kept on disk, without which it is not started.
    package func start(_ order: RunOrder, arguments: [String]) throws(StorageError) {
        guard recorders[order.id] == nil else { return }
        let record = RunRecord(order: order, arguments: arguments, ordered: HostClock.wallTime(), boot: boot)
        try folders.keep(record)
        recorders[order.id] = Recorder(record: record)
        handle(.start(order))
    }

    /// Ends a run; asked again, it hurries.
    package func stop(_ id: RunID) { handle(.stop(id)) }

    package var ids: [RunID] { supervisor.ids }

    package func record(of id: RunID) -> RunRecord? { recorders[id]?.record }

    /// How a run's recorder is doing; nil when it has not said yet.
    package func status(of id: RunID) -> RecorderStatus? { recorders[id]?.status }

    /// Whether a run has no recorder just now, and is to have one again.
    package func isWaiting(_ id: RunID) -> Bool { recorders[id]?.watch == nil }

    /// Whether a run was asked to end.
    package func isEnding(_ id: RunID) -> Bool { supervisor.isStopped(id) }
    /// The folder that a run records to, or will go on with; nil before there is one.
    package func folder(of id: RunID) -> String? { supervisor.folder(of: id) }

    /// Processors that a run takes; nil before that has been measured.
    package func load(of id: RunID) -> Double? { recorders[id]?.load }

    /// What each takes, in no order.
    package var loads: [Double?] { recorders.values.map(\.load) }

    /// Processors that all take together.
    package var load: Double { recorders.values.reduce(0) { $0 + ($1.load ?? 0) } }

    // MARK: - What happens

    private func handle(_ input: Supervisor.Input) {
        supervisor.handle(input, at: HostClock.now(), wall: HostClock.wallTime())
        perform()
        setTimer()
    }

    private func setTimer() {
        timer?.set(recorders.isEmpty ? nil : earliest(supervisor.nextDeadline, nextLook))
    }

    private func wake() {
        let now = HostClock.now()
        supervisor.wake(at: now, wall: HostClock.wallTime())
        perform()
        if now >= nextLook {
            for id in recorders.keys.sorted() { look(at: id) }
            nextLook = now + Self.interval
        }
        if now >= nextMeasurement {
            for id in recorders.keys { measure(id, at: now) }
            nextMeasurement = now + Self.loadInterval
        }
        setTimer()
    }

    /// Reads what the recorder says of itself.
    private func look(at id: RunID) {
        guard let recorder = recorders[id], recorder.watch != nil, let status = folders.status(of: id),
            status.process == recorder.watch?.identity.number
        else { return }
        let isNew = recorder.status?.folder != status.folder
        recorders[id]?.status = status
        if isNew, let folder = status.folder {
            handle(.began(id, folder: folder))
            happened(.began(id, folder: folder))
        }
    }

    private func measure(_ id: RunID, at now: MonotonicTime) {
        guard let time = recorders[id]?.watch?.identity.processorTime else { return }
        if let last = recorders[id]?.measured, now > last.at {
            recorders[id]?.load = (time - last.time).seconds / (now - last.at).seconds
        }
        recorders[id]?.measured = (time, now)
    }

    private func watch(_ identity: ProcessIdentity, of id: RunID) -> ProcessWatch? {
        try? ProcessWatch(identity, on: loop) { [weak self] exit in self?.exited(id, exit) }
    }

    private func exited(_ id: RunID, _ exit: ProcessWatch.Exit) {
        guard let recorder = recorders[id], let watch = recorder.watch else { return }
        look(at: id)
        recorders[id]?.watch = nil
        recorders[id]?.load = nil
        let status = folders.status(of: id)
        let said = status?.process == watch.identity.number ? status?.exitCode : nil
        switch exit {
        case .code(let code): handle(.exited(id, .code(code)))
        case .signal(let number): handle(.exited(id, .signal(number)))
        // Not this daemon's child: what it said before it ended is all there is.
        case .unknown: handle(.exited(id, said.map(RecorderExit.code) ?? .unknown))
        }
    }

    private func perform() {
        while let output = supervisor.nextOutput() {
            switch output {
            case .spawn(let order, let folder): spawn(order, resuming: folder)
            case .terminate(let id): recorders[id]?.watch?.signal(SIGTERM)
            case .kill(let id):
                logger.error("a recorder does not end and is killed", ["run": .string(id.value)])
                recorders[id]?.watch?.signal(SIGKILL)
            case .waiting(let id, let exit, let until): happened(.waiting(id, for: exit, until - HostClock.now()))
            case .ended(let id, let result):
                let message = recorders[id]?.status?.message
                recorders[id] = nil
                // Whoever is told keeps what follows from it; a daemon that is killed in between is told again.
                happened(.ended(id, result, message: message))
                folders.retire(id)
                retired += 1
                if retired % Self.pruneInterval == 0 { folders.prune() }
            }
        }
    }

    private func spawn(_ order: RunOrder, resuming folder: String?) {
        let id = order.id
        guard var record = recorders[id]?.record else { return }
        var arguments = ["record"] + record.arguments
        arguments += folder.map { ["--resume", $0] } ?? ["--archive", archive]
        arguments += ["--status", folders.statusPath(of: id), "--log-format", "plain"]
        // What can be made later does not keep the recorder.
        arguments.append("--no-pictures")
        if let until = order.until {
            // Rather a moment longer than one too short.
            let left = max(1000, (until.microseconds - HostClock.wallTime().microseconds + 999) / 1000)
            arguments += ["--duration", "\(left / 1000).\((left % 1000).padded(3))s"]
        }
        do {
            var launch = ProgramLaunch(program, arguments, log: folders.logPath(of: id))
            launch.folder = "/"
            let identity = try launch.start()
            record.process = identity
            record.boot = boot
            recorders[id]?.record = record
            recorders[id]?.status = nil
            recorders[id]?.measured = nil
            recorders[id]?.watch = watch(identity, of: id)
            // What it says of itself makes up for it where this fails.
            try? folders.keep(record)
            logger.notice(
                folder == nil ? "a recorder is started" : "a recorder is started to go on with a recording",
                ["run": .string(id.value), "process": .init(identity.number)])
            handle(.spawned(id))
            if recorders[id]?.watch == nil { handle(.exited(id, .unknown)) }
        } catch {
            logger.error("a recorder cannot be started: \(error)", ["run": .string(id.value)])
            handle(.notSpawned(id, reason: "\(error)"))
        }
    }
}
