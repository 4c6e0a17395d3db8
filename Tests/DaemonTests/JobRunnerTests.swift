import CallbotTesting
import EventLoop
import Glibc
import JSON
import Logging
import MediaTypes
import Processes
import RecordingFormat
import RoomProtocol
import Storage
import Supervision
import Testing

@testable import Daemon

/// Jobs that are shell scripts: what matters here are the processes, and what is kept of them.
@Suite struct JobRunnerTests {
    actor Host {
        nonisolated let loop = LoopExecutor(name: "jobs")
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var runner: JobRunner?
        private(set) var ended: [String] = []

        isolated deinit { runner = nil }

        func open(_ place: StatePlace, program: String) throws {
            runner = try JobRunner(
                program: program, place: place, most: 1, loop: loop,
                logger: Logger(label: "test", level: .critical, output: StandardErrorOutput(format: .plain))
            ) { [weak self] job, _, words in
                self?.assumeIsolated { $0.ended.append("\(job.kind.rawValue) \(job.folder.suffix(1)): \(words)") }
            }
        }

        /// As if the process had been killed.
        func drop() { runner = nil }
        func close() { runner?.close() }
        func add(_ job: Job) { runner?.add(job) }
        func setRoom(_ hasRoom: Bool) { runner?.setRoom(hasRoom) }
        var states: [String] { (runner?.json.array ?? []).compactMap { $0["state"]?.string } }
        var progress: Double? { runner?.json.array?.first?["progress"]?.double }
    }

    private let temporary: TemporaryFolder
    private let host = Host()
    private var place: StatePlace { StatePlace(temporary.path + "/state") }
    private var log: String { temporary.path + "/log" }

    /// Does what stands in the recording's `script`, after it has said who it is.
    private static let program = """
        #!/bin/bash
        # render FOLDER --replace --status FILE | pictures FOLDER
        echo "start $1 ${2: -1} $(nice) $$" >> LOG
        [ -n "$5" ] && { start=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)
        printf '{"process":%d,"processStart":%d,"share":0.5}' $$ "$start" > "$5.new"; mv "$5.new" "$5"; }
        status=$5; script=$2/$1; [ -f "$script" ] || exit 0
        . "$script"
        """

    init() throws {
        temporary = try TemporaryFolder()
        let text = Self.program.replacing("LOG", with: temporary.path + "/log")
        try AtomicFile.replace(temporary.path + "/program", with: Array(text.utf8))
        chmod(temporary.path + "/program", 0o700)
    }

    private func open(_ host: Host) async throws {
        try place.prepare()
        try await host.open(place, program: temporary.path + "/program")
    }

    /// A recording that owes its composite.
    private func recording(_ name: String, render: String = "exit 0", pictures: String = "exit 0") throws -> String {
        let folder = temporary.path + "/" + name
        try Folder.createMissing(folder)
        var manifest = RecordingManifest(
            id: RecordingID("20261130T040728Z-0000"), state: .finished, software: "test",
            room: .init(address: "janus+ws://h/1"), origin: WallTime(microseconds: 0))
        manifest.duration = .seconds(1)
        var track = RecordedTrack(
            TrackPublication(
                id: TrackID(1), participant: ParticipantID("a"), kind: .audio, source: .microphone, codec: .opus,
                description: "", publishedAs: MediaSectionID("0"), section: MediaSectionID("0")), started: .zero)
        track.file = "tracks/01.webm"
        manifest.tracks = [track]
        try AtomicFile.replace(folder + "/recording.json", with: manifest.json.compactUTF8)
        try AtomicFile.replace(folder + "/render", with: Array(render.utf8))
        try AtomicFile.replace(folder + "/pictures", with: Array(pictures.utf8))
        return folder
    }

    private var starts: [String] {
        String(decoding: (try? SmallFile.read(log)) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func eventually(_ isSo: () async -> Bool) async throws {
        for _ in 0..<1500 {
            if await isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("it never came to be so: \(await host.ended) \(starts)")
    }

    @Test func jobsAreDoneOneByOneWithTheLeastPriority() async throws {
        let folder = try recording("a")
        #expect(CompositeDebt.isOwed(by: folder))
        try await open(host)
        await host.add(Job(.render, of: folder))
        await host.add(Job(.pictures, of: folder))
        #expect(await host.states == ["waiting", "waiting"] && starts.isEmpty)
        await host.setRoom(true)
        try await eventually { await host.ended.count == 2 }
        #expect(await host.ended == ["render a: done", "pictures a: done"])
        #expect(starts.map { $0.prefix(16) } == ["start render a 1", "start pictures a"])
        #expect(starts.allSatisfy { $0.contains(" 19 ") })
        #expect(try Folder.entries(place.jobs) == ["jobs.json"])
        #expect(try SmallFile.read(place.jobs + "/jobs.json") == Array("[]".utf8))
    }

    @Test func aJobStandsStillWhileTheMachineIsNeeded() async throws {
        let folder = try recording("a", render: "while [ ! -f \(temporary.path)/go ]; do sleep 0.02; done")
        try await open(host)
        await host.setRoom(true)
        await host.add(Job(.render, of: folder))
        try await eventually { await host.progress == 0.5 && starts.count == 1 }
        let process = try #require(starts.first?.split(separator: " ").last.flatMap { Int32($0) })
        await host.setRoom(false)
        #expect(await host.states == ["suspended"])
        try await eventually { state(of: process) == "T" }
        try AtomicFile.replace(temporary.path + "/go", with: [])
        await host.setRoom(true)
        try await eventually { await host.ended == ["render a: done"] }
    }

    private func state(of process: Int32) -> String {
        let text = (try? SmallFile.read("/proc/\(process)/stat")) ?? []
        return String(decoding: text, as: UTF8.self).split(separator: ")").last.map { String($0.dropFirst().prefix(1)) }
            ?? ""
    }

    @Test func whatRunsIsFoundAgainAndDoneOnce() async throws {
        let folder = try recording(
            "a",
            render: """
                while [ ! -f \(temporary.path)/go ]; do sleep 0.02; done
                printf '{"process":%d,"processStart":%d,"share":1,"exitCode":0}' $$ "$start" > "$status.new"; mv "$status.new" "$status"; exit 0
                """)
        try await open(host)
        await host.setRoom(true)
        await host.add(Job(.render, of: folder))
        await host.add(Job(.render, of: try recording("b")))
        try await eventually { await host.progress == 0.5 }
        await host.setRoom(false)
        await host.drop()
        let next = Host()
        try await open(next)
        #expect(await next.states == ["running", "waiting"])
        try AtomicFile.replace(temporary.path + "/go", with: [])
        try await eventually { await next.ended == ["render a: done"] }
        await next.drop()
        let last = Host()
        try await open(last)
        #expect(await last.states == ["waiting"])
        await last.setRoom(true)
        try await eventually { await last.ended == ["render b: done"] }
        #expect(starts.count == 2)
    }

    @Test func aJobThatIsDoneAlreadyIsNotDoneAgain() async throws {
        let folder = try recording("a")
        try await open(host)
        await host.add(Job(.render, of: folder))
        try AtomicFile.replace(folder + "/call.webm", with: [])
        await host.setRoom(true)
        #expect(await host.ended == ["render a: done"] && starts.isEmpty)
    }

    @Test func whatFailsSaysWhyAndWhatIsUnknownIsLeft() async throws {
        let folder = try recording("a", render: "echo 'no such codec'; exit 42", pictures: "exit 64")
        try await open(host)
        await host.setRoom(true)
        await host.add(Job(.render, of: folder))
        await host.add(Job(.pictures, of: folder))
        try await eventually { await host.ended.count == 2 }
        #expect(
            await host.ended == [
                "render a: failed with exit code 42: no such codec",
                "pictures a: this callbot has no command 'pictures'",
            ])
        await host.add(Job(.pictures, of: folder))
        #expect(await host.states == [] && starts.count == 2)
    }

    @Test func whatIsNotOwedIsNotMade() throws {
        let folder = try recording("a")
        var json = try JSONValue(parsing: SmallFile.read(folder + "/recording.json"))
        json["recipe"] = ["composite": false]
        try AtomicFile.replace(folder + "/recording.json", with: json.compactUTF8)
        #expect(!CompositeDebt.isOwed(by: folder))
        #expect(!CompositeDebt.isOwed(by: temporary.path + "/none"))
    }
}
