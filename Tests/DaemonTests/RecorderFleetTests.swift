import CallbotTesting
import EventLoop
import Glibc
import JSON
import Logging
import MediaTypes
import Processes
import Storage
import Supervision
import Testing

@testable import Daemon

/// A fleet of recorders that are shell scripts: what matters here are the processes. Real recorders are in the end-to-end tests.
@Suite struct RecorderFleetTests {
    /// Lives on a loop, as a daemon does.
    actor Host {
        nonisolated let loop: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var fleet: RecorderFleet?
        private(set) var events: [RecorderFleet.Event] = []

        init(_ loop: LoopExecutor) { self.loop = loop }

        isolated deinit { fleet = nil }

        func open(program: String, state: String) throws {
            fleet = try RecorderFleet(
                program: program, archive: "/nowhere", state: state, loop: loop,
                logger: Logger(label: "test", level: .critical, output: StandardErrorOutput(format: .plain))
            ) { [weak self] event in self?.assumeIsolated { $0.events.append(event) } }
            fleet?.findRuns()
        }

        /// As if the process had been killed.
        func close() { fleet = nil }

        func start(_ id: String, _ arguments: [String], until: WallTime? = nil) throws {
            try fleet?.start(RunOrder(id: RunID(id), until: until), arguments: arguments)
        }

        func stop(_ id: String) { fleet?.stop(RunID(id)) }
        var ids: [String] { fleet?.ids.map(\.value) ?? [] }
        func process(of id: String) -> ProcessIdentity? { fleet?.record(of: RunID(id))?.process }

        var results: [String: RunResult] {
            var results: [String: RunResult] = [:]
            for case .ended(let id, let result, _) in events { results[id.value] = result }
            return results
        }
    }

    let temporary: TemporaryFolder
    let host: Host
    var state: String { temporary.path + "/state" }

    /// A recorder that does what a real one does with its options, and then the script that it is given in place of a room.
    static let recorder = """
        #!/bin/bash
        # record SCRIPT [--resume FOLDER | --archive FOLDER] --status FILE --log-format plain ...
        script=$2; shift 2; given=" $* "
        while [ $# -gt 0 ]; do case $1 in
          --status) status=$2; shift 2;; --resume) resumed=$2; shift 2;; *) shift;; esac; done
        exec 9> "$status.lock"; flock -n 9 || exit 44
        say() {
          start=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)
          printf '{"state":"%s","process":%d,"processStart":%d,"room":"r","at":1%s}' "$1" $$ "$start" "$2" > "$status.new"
          mv "$status.new" "$status"
        }
        trap 'say ended ",\\"exitCode\\":143"; exit 143' TERM
        say recording ',"folder":"/recording"'
        eval "$script"
        """

    init() throws {
        temporary = try TemporaryFolder()
        host = Host(LoopExecutor(name: "fleet"))
        try AtomicFile.replace(temporary.path + "/recorder", with: Array(Self.recorder.utf8))
        chmod(temporary.path + "/recorder", 0o700)
    }

    func open(_ host: Host) async throws { try await host.open(program: temporary.path + "/recorder", state: state) }

    /// Waits until something is so.
    func eventually(_ isSo: () async -> Bool) async throws {
        for _ in 0..<1500 {
            if await isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("it never came to be so")
    }

    @Test func aRecorderRunsAndItsEndIsTold() async throws {
        try await open(host)
        // Pictures are not the recorder's to make.
        try await host.start("one", ["[[ $given == *' --no-pictures '* ]] || exit 9; sleep 0.2; exit 10"])
        try await eventually { await host.results["one"] != nil }
        let result = await host.results["one"]
        #expect(result == RunResult(.done, exit: .code(10), folder: "/recording", attempts: 1))
        #expect(try Folder.entries(state + "/runs") == [])
        #expect(try Folder.entries(state + "/ended") == ["one"])
    }

    @Test func aCrashGoesOnInTheSameRecording() async throws {
        try await open(host)
        try await host.start("one", ["[ \"$resumed\" = /recording ] && exit 0; sleep 0.7; kill -SEGV $$"])
        try await eventually { await host.results["one"] != nil }
        let result = await host.results["one"]
        #expect(result == RunResult(.done, exit: .code(0), folder: "/recording", attempts: 2))
    }

    @Test func whatIsStoppedEnds() async throws {
        try await open(host)
        try await host.start("one", ["while :; do sleep 0.05; done"])
        try await eventually { await host.events.isEmpty == false }
        await host.stop("one")
        try await eventually { await host.results["one"] != nil }
        let result = await host.results["one"]
        #expect(result == RunResult(.stopped, exit: .code(143), folder: "/recording", attempts: 1))
    }

    @Test func recordersOutliveTheDaemonAndAreFoundAgain() async throws {
        try await open(host)
        try await host.start("runs", ["while :; do sleep 0.05; done"])
        try await host.start("ends", ["sleep 0.8; say ended ',\"exitCode\":11'; exit 11"])
        try await host.start("dies", ["[ -n \"$resumed\" ] && exit 0; sleep 0.8; kill -9 $$"])
        try await eventually { await host.events.count == 3 }
        let process = try #require(await host.process(of: "runs"))
        await host.close()
        try await Task.sleep(for: .seconds(1.5))
        #expect(process.isRunning)

        let next = Host(LoopExecutor(name: "fleet"))
        try await open(next)
        try await eventually { await next.results.count == 2 }
        let results = await next.results
        #expect(results["ends"]?.reason == .done && results["ends"]?.exit == .code(11))
        #expect(results["dies"]?.exit == .code(0) && results["dies"]?.attempts == 2)
        #expect(await next.ids == ["runs"])
        #expect(await next.process(of: "runs") == process)
        await next.stop("runs")
        try await eventually { await next.results["runs"] != nil }
        #expect(!process.isRunning)
    }

    /// A hundred at once, and each ended at a moment of its own: nothing is left, neither process nor folder.
    @Test func aStormLeavesNoOrphan() async throws {
        try await open(host)
        for number in 0..<100 { try await host.start("r\(number)", ["while :; do sleep 0.05; done"]) }
        var processes: [ProcessIdentity] = []
        for number in (0..<100).shuffled() {
            if let process = await host.process(of: "r\(number)") { processes.append(process) }
            await host.stop("r\(number)")
            await host.stop("r\(number)")
        }
        try await eventually { await host.results.count == 100 }
        #expect(await host.ids == [])
        #expect(processes.count == 100 && processes.allSatisfy { !$0.isRunning })
        #expect(try Folder.entries(state + "/runs") == [])
    }

    @Test func whatCannotBeStartedIsTold() async throws {
        try await host.open(program: temporary.path + "/missing", state: state)
        try await host.start("one", ["x"])
        let result = await host.results["one"]
        guard case .notStarted(let reason)? = result?.reason else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(reason.contains("no such program"))
    }

    @Test func aRunThatIsOverByItsTimeIsNotBegun() async throws {
        try await open(host)
        try await host.start("one", ["exit 0"], until: WallTime(microseconds: 1))
        #expect(await host.results["one"]?.reason == .tooLate)
    }
}
