import EventLoop
import Glibc
import JSON
import Logging
import MediaTypes
import Processes
import Storage
import Supervision

/// Does what is to be done with recordings that have ended: what the queue decides, to real processes. What is not done yet is
/// on disk; processes run on when the daemon ends, and the next one finds them. Used on its loop's thread only.
final class JobRunner {
    /// What a command says of a recording that is not there.
    private static let noInput: Int32 = 66

    private let program: String
    private let place: StatePlace
    private let loop: LoopExecutor
    private let logger: Logger
    private let ended: (Job, JobResult, _ words: String) -> Void
    private let boot = MachineBoot.identifier

    private var queue: JobQueue
    private var records: [Job: JobRecord] = [:]
    private var watches: [Job: ProcessWatch] = [:]
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - program: the path of callbot itself.
    ///   - most: how many run at once.
    ///   - ended: called on the loop's thread.
    init(
        program: String, place: StatePlace, most: Int, loop: LoopExecutor, logger: Logger,
        ended: @escaping (Job, JobResult, _ words: String) -> Void
    ) throws(StorageError) {
        self.program = program
        self.place = place
        self.loop = loop
        self.logger = logger
        self.ended = ended
        queue = JobQueue(most: most)
        try Folder.createMissing(place.jobs)
        timer = LoopTimer(on: loop) { [weak self] in self?.wake() }
        findJobs()
    }

    /// Those that are stopped go on: nobody else would tell them to.
    func close() {
        for entry in queue.entries where entry.state == .suspended { watches[entry.job]?.signal(SIGCONT) }
        watches = [:]
        timer = nil
    }

    func add(_ job: Job) {
        guard records[job] == nil else { return }
        let number = (records.values.map(\.number).max() ?? 0) + 1
        records[job] = JobRecord(job, number: number)
        keep()
        handle(.add(job))
        // A kind that this program does not know is not kept.
        if !queue.entries.contains(where: { $0.job == job }) { forget(job) }
    }

    /// Says whether there is room for jobs beside the recordings.
    func setRoom(_ hasRoom: Bool) { handle(.room(hasRoom)) }

    func setLimit(_ most: Int) { handle(.limit(most)) }

    /// A recording was removed.
    func drop(_ folder: String) { handle(.gone(folder: folder)) }

    /// The recordings that something is being done with.
    var folders: Set<String> { Set(watches.keys.map(\.folder)) }

    var json: JSONValue {
        .array(
            queue.entries.map { entry in
                var json = entry.job.json
                switch entry.state {
                case .waiting: json["state"] = "waiting"
                case .running: json["state"] = "running"
                case .suspended: json["state"] = "suspended"
                }
                json["attempts"] = JSONValue(entry.attempts)
                if entry.state != .waiting(until: nil), let share = status(of: entry.job)?.share {
                    json["progress"] = .number(share)
                }
                return json
            })
    }

    // MARK: - On disk

    private var file: String { place.jobs + "/jobs.json" }
    private func path(of job: Job, _ ending: String) -> String {
        "\(place.jobs)/\(records[job]?.number ?? 0).\(ending)"
    }

    private func status(of job: Job) -> JobStatus? {
        let json = (try? SmallFile.read(path(of: job, "json"))).flatMap { try? JSONValue(parsing: $0) }
        return json.flatMap(JobStatus.init)
    }

    private func keep() {
        let json = JSONValue.array(records.values.sorted { $0.number < $1.number }.map(\.json))
        do { try AtomicFile.replace(file, with: json.compactUTF8) } catch {
            logger.error("the jobs cannot be kept: \(error)")
        }
    }

    private func forget(_ job: Job) {
        for ending in ["json", "log"] { SmallFile.remove(path(of: job, ending)) }
        records[job] = nil
        watches[job] = nil
        keep()
    }

    private func findJobs() {
        let json = (try? SmallFile.read(file)).flatMap { try? JSONValue(parsing: $0) }
        for record in (json?.array ?? []).compactMap(JobRecord.init) where records[record.job] == nil {
            let job = record.job
            records[job] = record
            let said = status(of: job)
            // A process that was started in the moment in which the daemon was killed has said so itself.
            let process = said.map { ProcessIdentity(number: $0.process, start: $0.processStart) } ?? record.process
            guard record.boot == boot || record.process == nil, let process else {
                queue.handle(.found(job, attempts: record.attempts, isRunning: false), at: HostClock.now())
                continue
            }
            queue.handle(.found(job, attempts: max(1, record.attempts), isRunning: true), at: HostClock.now())
            if said?.exitCode == nil, let watch = watch(process, of: job) {
                watches[job] = watch
                watch.signal(SIGCONT)
            } else {
                handle(.exited(job, said?.exitCode.map(RecorderExit.code) ?? .unknown))
            }
        }
    }

    // MARK: - What happens

    private func wake() {
        queue.wake(at: HostClock.now())
        perform()
    }

    private func handle(_ input: JobQueue.Input) {
        queue.handle(input, at: HostClock.now())
        perform()
    }

    private func perform() {
        while let output = queue.nextOutput() {
            switch output {
            case .start(let job): start(job)
            case .suspend(let job): watches[job]?.signal(SIGSTOP)
            case .goOn(let job): watches[job]?.signal(SIGCONT)
            case .ended(let job, let result):
                let words = words(result, of: job)
                forget(job)
                ended(job, result, words)
            }
        }
        timer?.set(queue.nextDeadline)
    }

    private func start(_ job: Job) {
        guard records[job] != nil else { return }
        guard Folder.isFolder(job.folder) else { return handle(.exited(job, .code(Self.noInput))) }
        // It was done meanwhile, by somebody else or in an attempt that nobody saw the end of.
        if job.kind == .render, !CompositeDebt.isOwed(by: job.folder) { return handle(.exited(job, .code(0))) }
        let status = path(of: job, "json")
        SmallFile.remove(status)
        SmallFile.remove(path(of: job, "log"))
        let arguments =
            switch job.kind {
            case .render: ["render", job.folder, "--replace", "--status", status]
            case .pictures: ["pictures", job.folder]
            }
        var launch = ProgramLaunch(program, arguments, log: path(of: job, "log"))
        launch.folder = "/"
        launch.isInBackground = true
        do {
            records[job]?.attempts += 1
            keep()
            let identity = try launch.start()
            records[job]?.process = identity
            records[job]?.boot = boot
            keep()
            logger.notice(
                "a job is started",
                ["job": .string(job.kind.rawValue), "folder": .string(job.folder), "process": .init(identity.number)])
            watches[job] = watch(identity, of: job)
            if watches[job] == nil { handle(.exited(job, .unknown)) }
        } catch {
            handle(.notStarted(job, reason: "\(error)"))
        }
    }

    private func watch(_ identity: ProcessIdentity, of job: Job) -> ProcessWatch? {
        try? ProcessWatch(identity, on: loop) { [weak self] exit in
            guard let self else { return }
            watches[job] = nil
            records[job]?.process = nil
            switch exit {
            case .code(let code): handle(.exited(job, .code(code)))
            case .signal(let number): handle(.exited(job, .signal(number)))
            case .unknown: handle(.exited(job, status(of: job)?.exitCode.map(RecorderExit.code) ?? .unknown))
            }
        }
    }

    /// The end in words, with what the process said last.
    private func words(_ result: JobResult, of job: Job) -> String {
        let log = (try? SmallFile.read(path(of: job, "log"))) ?? []
        let last = log.split(separator: 0x0A).last.map { String(decoding: $0.prefix(1000), as: UTF8.self) }
        let said = last.map { ": " + $0 } ?? ""
        return switch result {
        case .done: "done"
        case .unknownHere: "this callbot has no command '\(job.kind.rawValue)'"
        case .failed(let code?): "failed with exit code \(code)" + said
        case .failed(nil): "given up after several attempts" + said
        case .needless: "the recording is gone"
        case .notStarted(let reason): "it could not be started: \(reason)"
        }
    }
}
