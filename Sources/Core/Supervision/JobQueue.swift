package import MediaTypes

/// Decides what is done next with recordings that have ended, when there is room for it beside those that are being made. Pure:
/// what happened and time in, actions out.
///
/// Recordings come first: a job is stopped where it is (SIGSTOP) while the machine is needed, and goes on from there. It has the
/// least priority of all, so that it costs a recording that begins only the moment until then; ended, a long one would
/// never be done where calls come one after the other.
package struct JobQueue: Sendable {
    package enum Input: Hashable, Sendable {
        /// One that waits or runs already is the same.
        case add(Job)
        /// One that was under way before this queue was.
        case found(Job, attempts: Int, isRunning: Bool)
        /// Whether the machine and the disk have room for a job beside the recordings.
        case room(Bool)
        /// How many jobs may run at once.
        case limit(Int)
        case exited(Job, RecorderExit)
        case notStarted(Job, reason: String)
        /// A recording is gone: nothing is to be done with it any more.
        case gone(folder: String)
    }

    package enum Output: Hashable, Sendable {
        case start(Job)
        case suspend(Job)
        case goOn(Job)
        case ended(Job, JobResult)
    }

    package struct Entry: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            /// Nil: whenever there is room.
            case waiting(until: MonotonicTime?)
            case running
            case suspended
        }

        package var job: Job
        package var state = State.waiting(until: nil)
        /// How many times it was started.
        package var attempts = 0
        var crashes = 0
    }

    /// How long one is left alone that crashed, or whose recording somebody works on.
    package static let crashPause = Duration.seconds(5)
    package static let lockedPause = Duration.seconds(30)
    /// So many crashes are too many.
    static let mostCrashes = 2
    /// So often one is tried whose recording somebody works on, or for which the disk is full.
    static let mostDelays = 2000

    /// In the order in which they came.
    package private(set) var entries: [Entry] = []
    private var hasRoom = false
    private var most: Int
    private var unknown: Set<Job.Kind> = []
    private var outputs = OutputQueue<Output>()

    /// - Parameter most: so many run at once.
    package init(most: Int = 1) { self.most = most }

    package mutating func nextOutput() -> Output? { outputs.next() }

    /// When to wake it.
    package var nextDeadline: MonotonicTime? {
        entries.reduce(nil) { first, entry in
            if case .waiting(let until?) = entry.state { earliest(first, until) } else { first }
        }
    }

    package mutating func handle(_ input: Input, at now: MonotonicTime) {
        switch input {
        case .add(let job):
            if index(of: job) == nil, !unknown.contains(job.kind) { entries.append(Entry(job: job)) }
        case .found(let job, let attempts, let isRunning):
            guard index(of: job) == nil else { return }
            entries.append(Entry(job: job, state: isRunning ? .running : .waiting(until: nil), attempts: attempts))
        case .room(let hasRoom):
            self.hasRoom = hasRoom
            if !hasRoom { suspend() }
        case .limit(let most): self.most = most
        case .exited(let job, let exit): exited(job, exit, at: now)
        case .notStarted(let job, let reason): end(job, .notStarted(reason))
        case .gone(let folder):
            for entry in entries where entry.job.folder == folder {
                if case .waiting = entry.state { end(entry.job, .needless) }
            }
        }
        startNext(at: now)
    }

    package mutating func wake(at now: MonotonicTime) { startNext(at: now) }

    private func index(of job: Job) -> Int? { entries.firstIndex { $0.job == job } }

    private mutating func suspend() {
        for index in entries.indices where entries[index].state == .running {
            entries[index].state = .suspended
            outputs.append(.suspend(entries[index].job))
        }
    }

    private mutating func startNext(at now: MonotonicTime) {
        guard hasRoom else { return }
        for index in entries.indices where entries[index].state == .suspended {
            entries[index].state = .running
            outputs.append(.goOn(entries[index].job))
        }
        var running = entries.count { $0.state == .running }
        for index in entries.indices where running < most {
            guard case .waiting(let until) = entries[index].state, until ?? now <= now, isFirst(index) else { continue }
            entries[index].state = .running
            entries[index].attempts += 1
            running += 1
            outputs.append(.start(entries[index].job))
        }
    }

    /// Whether nothing is to be done with the same recording before: pictures are of its composite.
    private func isFirst(_ index: Int) -> Bool {
        !entries[..<index].contains { $0.job.folder == entries[index].job.folder }
    }

    private mutating func exited(_ job: Job, _ exit: RecorderExit, at now: MonotonicTime) {
        guard let index = index(of: job), entries[index].state == .running || entries[index].state == .suspended else {
            return
        }
        switch exit {
        case .code(0): end(job, .done)
        case .code(64):
            // A program that is older or newer than this one.
            unknown.insert(job.kind)
            for entry in entries where entry.job.kind == job.kind { end(entry.job, .unknownHere) }
        case .code(41), .code(43), .code(143), .code(130):
            // Somebody works on the recording, the disk is full, or somebody ended it: that is no fault of the job's.
            guard entries[index].attempts < Self.mostDelays else { return end(job, .failed(nil)) }
            entries[index].state = .waiting(until: now + Self.lockedPause)
        case .signal, .unknown, .code(70):
            entries[index].crashes += 1
            guard entries[index].crashes < Self.mostCrashes else { return end(job, .failed(nil)) }
            entries[index].state = .waiting(until: now + Self.crashPause)
        case .code(66): end(job, .needless)
        case .code(let code): end(job, .failed(code))
        }
    }

    private mutating func end(_ job: Job, _ result: JobResult) {
        entries.removeAll { $0.job == job }
        outputs.append(.ended(job, result))
    }
}
