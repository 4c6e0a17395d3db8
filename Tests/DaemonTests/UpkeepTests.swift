import CallbotTesting
import EventLoop
import JSON
import Logging
import MediaTypes
import RecordingFormat
import Retention
import Storage
import Testing

@testable import Daemon

@Suite struct UpkeepTests {
    actor Host {
        nonisolated let loop = LoopExecutor(name: "upkeep")
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var upkeep: Upkeep?
        private(set) var told: [String] = []
        private(set) var noted: [String] = []
        private var busy: Set<String> = []

        isolated deinit { upkeep = nil }

        func open(_ settings: DaemonSettings, busy: Set<String> = []) throws {
            self.busy = busy
            upkeep = try Upkeep(
                settings, loop: loop,
                logger: Logger(label: "test", level: .critical, output: StandardErrorOutput(format: .plain)),
                Upkeep.Door(
                    hasRoom: { false }, busy: { [weak self] in self?.assumeIsolated { $0.busy } ?? [] },
                    tell: { [weak self] event, _, _ in self?.assumeIsolated { $0.told.append(event) } },
                    note: { [weak self] line in
                        self?.assumeIsolated { $0.noted.append(line["text"]?.string ?? "?") }
                    }),
                removed: { [weak self] lines, problem in Task { await self?.take(lines, problem) } })
            upkeep?.begin()
        }

        private func take(_ lines: [RetentionKeeper.Line], _ problem: String?) { upkeep?.take(lines, problem) }
        func apply(_ settings: DaemonSettings) { upkeep?.apply(settings) }
        func ended(_ folder: String) { upkeep?.ended(folder) }
        var refusal: String? { upkeep?.refusal }
        var jobs: [String] { (upkeep?.json.array ?? []).compactMap { $0["kind"]?.string } }
    }

    private let temporary: TemporaryFolder
    private let host = Host()
    private var archive: String { temporary.path + "/archive" }
    private var settings: DaemonSettings

    init() throws {
        temporary = try TemporaryFolder()
        settings = DaemonSettings(
            program: "/nowhere/callbot", archive: temporary.path + "/archive",
            place: StatePlace(temporary.path + "/state"), processors: 2)
        try settings.place.prepare()
    }

    /// A recording of this many days ago, in the archive.
    private func recording(_ days: Int, held: Bool = false) throws -> String {
        let start = HostClock.wallTime() + .seconds(-days * 86_400)
        let id = RecordingID("\(start.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" })Z-000\(days % 10)")
        let folder = archive + "/" + FileNaming.folder(of: id, room: "1234", startingAt: start)
        try Folder.createMissing(folder)
        var manifest = RecordingManifest(
            id: id, state: .finished, software: "test", room: .init(address: "janus+ws://h/1234"), origin: start)
        manifest.duration = .seconds(60)
        try AtomicFile.replace(folder + "/recording.json", with: manifest.json.compactUTF8)
        if held { try AtomicFile.replace(folder + "/held", with: []) }
        return folder
    }

    private func eventually(_ isSo: () async -> Bool) async throws {
        for _ in 0..<1500 {
            if await isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("it never came to be so")
    }

    @Test func whatHasHadItsTimeGoesAndWhatIsHeldOrBusyStays() async throws {
        let (old, held, busy, new) = (
            try recording(40), try recording(41, held: true), try recording(42), try recording(1)
        )
        var settings = settings
        settings.retention.age = .seconds(30 * 86_400)
        try await host.open(settings, busy: [busy])
        try await eventually { await !host.told.isEmpty }
        #expect(await host.told == ["recording-removed"])
        #expect(await host.noted == ["removed: older than is kept"])
        #expect([old, held, busy, new].map { Folder.exists($0) } == [false, true, true, true])
    }

    @Test func rulesThatChangeAreFollowedAtOnce() async throws {
        let folders = try [3, 2, 1].map { try recording($0) }
        try await host.open(settings)
        #expect(await host.told.isEmpty)
        var changed = settings
        changed.retention.count = 1
        await host.apply(changed)
        try await eventually { await host.told.count == 2 }
        #expect(folders.map { Folder.exists($0) } == [false, false, true])
        var room = changed
        room.retention.rooms["1234"] = .init()
        room.retention.rooms["1234"]?.count = 0
        await host.apply(room)
        try await eventually { await host.told.count == 3 }
        #expect(!Folder.exists(folders[2]))
    }

    /// The archive need not be there yet: its disk is.
    @Test func theDiskIsWatched() async throws {
        try await host.open(settings)
        #expect(await host.told.isEmpty)
        #expect(await host.refusal == nil)
        var changed = settings
        changed.lowSpace = .max / 4
        await host.apply(changed)
        await host.apply(changed)
        #expect(await host.told == ["disk-low"])
        #expect(await host.refusal == nil)
        changed.reserve = .max / 4
        await host.apply(changed)
        #expect(await host.told == ["disk-low", "disk-exhausted"])
        let refusal = await host.refusal
        #expect(refusal?.contains("less than the reserve of") == true, "\(refusal ?? "none")")
        await host.apply(settings)
        #expect(await host.told.last == "disk-ample")
        #expect(await host.refusal == nil)
    }

    @Test func whatIsLeftToDoIsAJob() async throws {
        let folder = try recording(1)
        try await host.open(settings)
        await host.ended(folder)
        await host.ended(folder)
        await host.ended("/nowhere")
        // Nobody was there: there is nothing to make a composite of.
        #expect(await host.jobs == ["pictures"])
    }
}
