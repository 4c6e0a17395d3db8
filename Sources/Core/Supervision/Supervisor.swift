package import MediaTypes

/// Keeps recorders running, one process a run: starts them, starts them again into the same recording when they crash, comes
/// back to a room that cannot be had yet, and ends them. Pure: what happened and time in, actions out.
///
/// A crash costs no more than the moment until the next recorder is in the room, so that the first ones are answered at once.
/// One that crashes over and over is given up. Who was stopped, or whose time is over, is not started again.
package struct Supervisor: Sendable {
    package enum Input: Sendable {
        case start(RunOrder)
        case stop(RunID)
        /// The recorder was started.
        case spawned(RunID)
        case notSpawned(RunID, reason: String)
        /// The recorder has begun a recording in this folder.
        case began(RunID, folder: String)
        case exited(RunID, RecorderExit)
        /// A run that was under way before this supervisor was: its recorder may still run, or be gone unseen.
        case found(RunOrder, folder: String?, isRunning: Bool)
    }

    package enum Output: Hashable, Sendable {
        /// Start a recorder, to go on with a recording, or with a new one.
        case spawn(RunOrder, resuming: String?)
        /// Ask the recorder to end (SIGTERM); the second time it leaves to a later rendering what it can.
        case terminate(RunID)
        /// It has had its time (SIGKILL).
        case kill(RunID)
        /// Why there is no recorder just now, and when there will be one.
        case waiting(RunID, for: RecorderExit, until: MonotonicTime)
        case ended(RunID, RunResult)
    }

    /// How long a room that cannot be had is left alone.
    package static let roomPause = Duration.seconds(15)
    /// How long after a crash the next recorder begins; the last is for all others.
    package static let crashPauses: [Duration] = [.zero, .seconds(1), .seconds(2), .seconds(5), .seconds(15)]
    /// So many crashes within so long are too many.
    package static let mostCrashes = 8
    package static let crashWindow = Duration.seconds(300)
    /// How long after it was asked to end a recorder is hurried, and then killed. It may have a composite to finish.
    package static let hurryTime = Duration.seconds(60)
    package static let killTime = Duration.seconds(180)

    private enum State: Hashable {
        /// Told to start. Next: running, waiting.
        case starting
        case running
        /// Between two recorders. Next: starting.
        case waiting(until: MonotonicTime)
    }

    private struct Run {
        var order: RunOrder
        var state: State
        var folder: String?
        var attempts = 0
        var crashes: [MonotonicTime] = []
        var lastExit: RecorderExit?
        /// When it was asked to end, and how insistently.
        var stopped: (since: MonotonicTime, insistence: Int)?
    }

    private var runs: [RunID: Run] = [:]
    private var outputs = OutputQueue<Output>()

    package init() {}

    package mutating func nextOutput() -> Output? { outputs.next() }

    /// The runs that there are.
    package var ids: [RunID] { runs.keys.sorted() }

    /// The recording's folder of a run; nil before there is one.
    package func folder(of id: RunID) -> String? { runs[id]?.folder }

    /// How many have a recorder, or are about to.
    package var recorderCount: Int {
        runs.values.count { if case .waiting = $0.state { false } else { true } }
    }

    /// Whether a run was asked to end.
    package func isStopped(_ id: RunID) -> Bool { runs[id]?.stopped != nil }

    /// When to wake it.
    package var nextDeadline: MonotonicTime? {
        runs.values.reduce(nil) { earliest($0, Self.deadline(of: $1)) }
    }

    private static func deadline(of run: Run) -> MonotonicTime? {
        if case .waiting(let until) = run.state { return until }
        guard let (since, insistence) = run.stopped else { return nil }
        switch insistence {
        case 1: return since + hurryTime
        case 2: return since + killTime
        default: return nil
        }
    }

    /// - Parameter wall: the wall clock's time, by which runs end.
    package mutating func handle(_ input: Input, at now: MonotonicTime, wall: WallTime) {
        switch input {
        case .start(let order):
            guard runs[order.id] == nil else { return }
            runs[order.id] = Run(order: order, state: .waiting(until: now))
            attempt(order.id, wall: wall)
        case .found(let order, let folder, let isRunning):
            guard runs[order.id] == nil else { return }
            runs[order.id] = Run(order: order, state: .running, folder: folder, attempts: 1)
            if !isRunning { exited(order.id, .unknown, at: now, wall: wall) }
        case .stop(let id): stop(id, at: now)
        case .spawned(let id):
            guard runs[id]?.state == .starting else { return }
            runs[id]?.state = .running
            // Asked to end while it was being started.
            if runs[id]?.stopped != nil { outputs.append(.terminate(id)) }
        case .notSpawned(let id, let reason):
            if let run = runs[id] { end(run, .notStarted(reason)) }
        case .began(let id, let folder): runs[id]?.folder = folder
        case .exited(let id, let exit): exited(id, exit, at: now, wall: wall)
        }
    }

    package mutating func wake(at now: MonotonicTime, wall: WallTime) {
        for (id, run) in runs.sorted(by: { $0.key < $1.key }) {
            guard let deadline = Self.deadline(of: run), deadline <= now else { continue }
            if case .waiting = run.state {
                attempt(id, wall: wall)
            } else if run.stopped?.insistence == 1 {
                runs[id]?.stopped?.insistence = 2
                outputs.append(.terminate(id))
            } else {
                runs[id]?.stopped?.insistence = 3
                outputs.append(.kill(id))
            }
        }
    }

    private mutating func attempt(_ id: RunID, wall: WallTime) {
        guard var run = runs[id] else { return }
        if let until = run.order.until, until <= wall { return end(run, .tooLate) }
        run.state = .starting
        run.attempts += 1
        runs[id] = run
        outputs.append(.spawn(run.order, resuming: run.folder))
    }

    private mutating func stop(_ id: RunID, at now: MonotonicTime) {
        guard let run = runs[id] else { return }
        switch run.state {
        case .waiting: end(run, .stopped)
        case .starting: runs[id]?.stopped = run.stopped ?? (now, 1)
        case .running:
            // Asked again, it is to hurry.
            runs[id]?.stopped = (run.stopped?.since ?? now, run.stopped == nil ? 1 : 2)
            outputs.append(.terminate(id))
        }
    }

    private mutating func exited(_ id: RunID, _ exit: RecorderExit, at now: MonotonicTime, wall: WallTime) {
        guard var run = runs[id] else { return }
        if case .waiting = run.state { return }
        run.lastExit = exit
        let judgement = ExitJudgement(exit)
        if run.stopped != nil { return end(run, .stopped) }
        switch judgement {
        case .done: return end(run, .done)
        case .hopeless: return end(run, .failed)
        case .notNow:
            // Without a time by which it is over, nobody wants to wait for ever.
            guard run.order.until != nil else { return end(run, .failed) }
            run.state = .waiting(until: now + Self.roomPause)
        case .crashed:
            run.crashes = run.crashes.filter { now - $0 < Self.crashWindow } + [now]
            if run.crashes.count >= Self.mostCrashes { return end(run, .crashedTooOften) }
            let pause = Self.crashPauses[min(run.crashes.count, Self.crashPauses.count) - 1]
            run.state = .waiting(until: now + pause)
        }
        if let until = run.order.until, until <= wall { return end(run, run.folder == nil ? .tooLate : .done) }
        runs[id] = run
        guard case .waiting(let until) = run.state else { return }
        if until <= now { attempt(id, wall: wall) } else { outputs.append(.waiting(id, for: exit, until: until)) }
    }

    private mutating func end(_ run: Run, _ reason: RunResult.Reason) {
        runs[run.order.id] = nil
        outputs.append(
            .ended(
                run.order.id, RunResult(reason, exit: run.lastExit, folder: run.folder, attempts: run.attempts)))
    }
}
