import CallbotTesting
import EventLoop
import Foundation
import Glibc
import MediaTypes
import Recording
import Storage
import Testing

@testable import Commands

/// Recordings without media, of which speaking times and a silent waveform are made.
@Suite struct PicturesCommandTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path + "/recording" }

    init() throws {
        temporary = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(state: "finished")
    }

    private func write(state: String) throws {
        let manifest = """
            {"version":1,"id":"20261130T040728Z-k3f9","state":"\(state)","room":{"address":"janus+ws://h/1"},
            "origin":"2026-11-30T04:07:28Z","duration":1000000,"participants":[{"id":"1","name":"Ada"}]}
            """
        try AtomicFile.replace(folder + "/recording.json", with: Array(manifest.utf8))
        try AtomicFile.replace(folder + "/events.jsonl", with: Array("{\"at\":0,\"event\":\"x\"}\n".utf8))
    }

    private var made: [String] {
        ((try? Folder.entries(folder)) ?? []).filter { $0 != "recording.json" && $0 != "events.jsonl" }.sorted()
    }

    private func run(
        _ arguments: [String], isHurried: Bool = false, stopSignal: Int32? = nil
    ) async -> (code: ExitCode, error: String, steppedBack: Bool) {
        let said = Locked((error: "", steppedBack: false))
        var callbot = Callbot(
            environment: .made(),
            record: { [folder] _, _, _ in
                var outcome = RecordingOutcome(.stopped(signal: SIGTERM))
                (outcome.folder, outcome.isHurried) = (folder, isHurried)
                return outcome
            },
            watchForStop: { { stopSignal } }, output: { _ in },
            errorOutput: { text in said.withLock { $0.error += text } })
        callbot.stepBack = { said.withLock { $0.steppedBack = true } }
        let code = await callbot.run(arguments)
        return said.withLock { (code, $0.error, $0.steppedBack) }
    }

    private static let room = ["record", "janus+ws://127.0.0.1:8188/1", "--log-level", "critical"]

    @Test func picturesAreMadeQuietlyAndBehindEverybodyElse() async {
        let run = await run(["pictures", folder])
        #expect(run.code == .success && run.error.isEmpty && run.steppedBack)
        #expect(made == ["speaking.json", "waveform.json"])
    }

    @Test func whatCannotBeUsedIsSaid() async throws {
        try AtomicFile.replace(folder + "/call.webm", with: Array("not a film".utf8))
        let run = await run(["pictures", folder])
        #expect(run.code == .notRepaired)
        #expect(run.error.hasSuffix("call.webm cannot be used: it is no whole WebM file; 'callbot repair' may help\n"))
        #expect(made == ["call.webm", "speaking.json", "waveform.json"])
    }

    @Test func whatIsBeingRecordedIsRefused() async throws {
        try write(state: "recording")
        let cut = await run(["pictures", folder])
        #expect(cut.code == .noInput && cut.error.contains("was cut short: 'callbot repair'"))
        let lock = try FileLock(folder: folder)
        let running = await run(["pictures", folder])
        #expect(running.code == .beingRecorded && running.error.contains("is still being recorded"))
        withExtendedLifetime(lock) {}
        #expect(made == [])
    }

    @Test func aSignalEndsItWithItsOwnCode() async {
        #expect(await run(["pictures", folder], stopSignal: SIGTERM).code == .terminated)
    }

    @Test func aRecorderMakesThemAtItsEnd() async {
        let run = await run(Self.room)
        #expect(run.code == .terminated && run.steppedBack)
        #expect(made == ["speaking.json", "waveform.json"])
    }

    @Test func aRecorderMakesNoneWhereNoneAreWantedOrItIsToHurry() async throws {
        #expect(await run(Self.room + ["--no-pictures"]).code == .terminated)
        #expect(await run(Self.room, isHurried: true).code == .terminated)
        try write(state: "recording")
        #expect(await run(Self.room).code == .terminated)
        #expect(made == [])
    }

    /// A signal while they are made changes nothing about how the recording ended.
    @Test func theRecordersCodeStays() async {
        let run = await run(Self.room, stopSignal: SIGINT)
        #expect(run.code == .terminated && run.error.isEmpty)
    }
}
