import EventLoop
import JSON
import Logging
import MediaTypes
import Retention
import Storage
import Supervision

/// How the daemon looks after what it has recorded: finishes what was left for later, removes what has had its time, and watches
/// the disk. Used on its loop's thread only.
final class Upkeep {
    /// How the upkeep gets at the daemon.
    struct Door {
        /// Whether the machine has room for something beside the recordings.
        var hasRoom: () -> Bool
        /// Recordings that are being made, or gone on with soon.
        var busy: () -> Set<String>
        /// Tells those who listen on the web.
        var tell: (_ event: String, _ subject: String, _ facts: JSONValue) -> Void
        /// Puts a line into the history.
        var note: (JSONValue) -> Void
    }

    private static let interval = Duration.seconds(2)
    private static let pruneInterval = Duration.seconds(3600)
    /// How long nothing more is removed for the disk's sake once it has been tried.
    private static let prunePause = Duration.seconds(60)

    private var settings: DaemonSettings
    private let door: Door
    private let logger: Logger
    private let keeper = RetentionKeeper()
    private var jobs: JobRunner?
    private var space: SpaceWatch
    private var timer: LoopTimer?
    private var nextPrune = HostClock.now()
    private var lastPrune: MonotonicTime?
    private var isPruning = false
    /// What this program does not know how to do, which is said once.
    private var unknown: Set<Job.Kind> = []
    private let loop: LoopExecutor
    /// Takes what was removed back to the loop's thread.
    private let removed: @Sendable ([RetentionKeeper.Line], String?) -> Void

    /// - Parameter removed: called from any thread with what `take` is to be given on the loop's.
    init(
        _ settings: DaemonSettings, loop: LoopExecutor, logger: Logger, _ door: Door,
        removed: @escaping @Sendable ([RetentionKeeper.Line], String?) -> Void
    ) throws(StorageError) {
        self.settings = settings
        self.door = door
        self.logger = logger
        self.loop = loop
        self.removed = removed
        space = SpaceWatch(low: settings.lowSpace, reserve: settings.reserve)
        timer = LoopTimer(on: loop) { [weak self] in self?.look() }
        jobs = try JobRunner(
            program: settings.program, place: settings.place, most: settings.jobs, loop: loop, logger: logger
        ) { [weak self] in self?.jobEnded($0, $1, $2) }
    }

    /// From now on it is known what runs.
    func begin() { look() }

    func close() {
        jobs?.close()
        jobs = nil
        timer = nil
    }

    /// Goes by other settings from now on.
    func apply(_ settings: DaemonSettings) {
        if settings.retention != self.settings.retention { nextPrune = HostClock.now() }
        self.settings = settings
        space.low = settings.lowSpace
        space.reserve = settings.reserve
        jobs?.setLimit(settings.jobs)
        look()
    }

    /// A recording has ended: what is left to do with it is done when there is room.
    func ended(_ folder: String) {
        guard settings.jobs > 0, Folder.isFolder(folder) else { return }
        if CompositeDebt.isOwed(by: folder) { jobs?.add(Job(.render, of: folder)) }
        jobs?.add(Job(.pictures, of: folder))
    }

    /// Why no recording can begin; nil when one can.
    var refusal: String? {
        lookAtDisk()
        guard space.level == .exhausted, let free = space.free else { return nil }
        return
            "only \(Self.words(free)) of the disk are free, less than the reserve of \(Self.words(settings.reserve)): remove recordings, or let --keep-free do it"
    }

    /// What waits and runs.
    var json: JSONValue { jobs?.json ?? .array([]) }

    // MARK: - Looking

    private func look() {
        lookAtDisk()
        let now = HostClock.now()
        let isShort = settings.retention.freeSpace.map { space.free ?? .max < $0 } ?? false
        let mayAgain = lastPrune.map { now - $0 >= Self.prunePause } ?? true
        if now >= nextPrune || isShort && mayAgain { prune() }
        jobs?.setRoom(space.level == .ample && door.hasRoom())
        timer?.set(HostClock.now() + Self.interval)
    }

    /// The next look is soon: something has changed.
    func hurry() { timer?.set(HostClock.now() + .milliseconds(50)) }

    private func lookAtDisk() {
        var folder = settings.archive
        while !Folder.isFolder(folder), folder != "/" { folder = Folder.parent(of: folder) }
        guard let free = try? Folder.freeSpace(of: folder), let level = space.update(free: free) else { return }
        let facts: JSONValue = [
            "free": .integer(free), "lowSpace": .integer(settings.lowSpace), "reserve": .integer(settings.reserve),
            "archive": .string(settings.archive),
        ]
        switch level {
        case .ample:
            logger.notice("the disk has room again: \(Self.words(free)) are free")
            door.tell("disk-ample", "disk", facts)
        case .low:
            logger.warning(
                "the disk has little room: \(Self.words(free)) are free", ["archive": .string(settings.archive)])
            door.tell("disk-low", "disk", facts)
        case .exhausted:
            logger.error(
                "the disk is full: \(Self.words(free)) are free, and no recording begins before there is more",
                ["archive": .string(settings.archive)])
            door.tell("disk-exhausted", "disk", facts)
        }
        if level != .ample { nextPrune = HostClock.now() }
    }

    private static func words(_ bytes: Int64) -> String {
        bytes >= 10_000_000_000 ? "\(bytes / 1_000_000_000) GB" : "\(bytes / 1_000_000) MB"
    }

    // MARK: - What has had its time

    private func prune() {
        guard !isPruning else { return }
        nextPrune = HostClock.now() + Self.pruneInterval
        guard !settings.retention.isEmpty else { return }
        lastPrune = HostClock.now()
        isPruning = true
        let (keeper, archive, rules, removed) = (keeper, settings.archive, settings.retention, removed)
        let busy = door.busy().union(jobs?.folders ?? [])
        Task {
            do {
                removed(try await keeper.prune(archive, by: rules, sparing: busy), nil)
            } catch {
                removed([], "\(error)")
            }
        }
    }

    /// Takes in what was removed.
    func take(_ lines: [RetentionKeeper.Line], _ problem: String?) {
        isPruning = false
        if let problem { logger.error("recordings cannot be removed: \(problem)") }
        for line in lines {
            let facts: LogMetadata = ["recording": .string(line.id), "folder": .string(line.folder)]
            guard line.isRemoved else {
                logger.error("a recording \(line.text)", facts)
                continue
            }
            logger.notice("a recording is \(line.text)", facts)
            jobs?.drop(line.folder)
            note("removed", line.folder, line.text)
            door.tell(
                "recording-removed", line.folder,
                [
                    "recording": .string(line.id), "folder": .string(line.folder), "room": .string(line.room),
                    "bytes": .integer(line.bytes), "reason": .string(line.text),
                ])
        }
    }

    private func note(_ what: String, _ folder: String, _ text: String) {
        door.note([
            "time": .integer(HostClock.wallTime().microseconds), "what": .string(what), "folder": .string(folder),
            "text": .string(text),
        ])
    }

    // MARK: - What was left for later

    private func jobEnded(_ job: Job, _ result: JobResult, _ words: String) {
        let facts: LogMetadata = [
            "job": .string(job.kind.rawValue), "folder": .string(job.folder), "end": .string(words),
        ]
        switch result {
        case .done: logger.notice("a job is done", facts)
        case .unknownHere:
            if unknown.insert(job.kind).inserted {
                logger.notice("such jobs are left undone: \(words)", ["job": .string(job.kind.rawValue)])
            }
            return
        case .needless: return logger.notice("a job is needless", facts)
        case .failed, .notStarted: logger.error("a job failed", facts)
        }
        // Pictures are made of everything: nobody wants to read that.
        if job.kind != .pictures || result != .done {
            note(job.kind.rawValue, job.folder, "\(job.kind.rawValue): \(words)")
        }
        guard job.kind == .render else { return }
        door.tell(
            result == .done ? "recording-rendered" : "recording-not-rendered", job.folder,
            ["folder": .string(job.folder), "end": .string(words)])
    }
}
