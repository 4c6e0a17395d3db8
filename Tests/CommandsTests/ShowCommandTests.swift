import CallbotTesting
import Capture
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing

@testable import Commands

@Suite struct ShowCommandTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path + "/call" }

    init() throws { temporary = try TemporaryFolder() }

    private func record(name: String = "Ada", isEnded: Bool = true) throws -> Capture {
        let manifest = RecordingManifest(
            id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
            room: .init(address: "janus+ws://127.0.0.1:8188/1234", description: "Daily"),
            origin: WallTime(microseconds: 1_796_011_648_123_000))
        let capture = try Capture(at: .folder(folder), manifest: manifest, room: "1234")
        capture.record(.participantJoined(Participant(id: ParticipantID("1"), name: name)), at: .zero)
        capture.record(
            .trackStarted(
                TrackPublication(
                    id: TrackID(1), participant: ParticipantID("1"), kind: .audio, source: .microphone, codec: .opus,
                    description: "", publishedAs: MediaSectionID("0"), section: MediaSectionID("0"))), at: .zero)
        for time in stride(from: Int64(0), to: 10_000, by: 20) where time < 4000 || time >= 6000 {
            if time == 6000 { capture.reporting.builder.lost(of: TrackID(1)) }
            capture.frame(
                EncodedFrame(
                    codec: .opus, time: .ms(time), duration: .milliseconds(20), isKeyframe: true,
                    payload: [0x78, 1, 2, 3]),
                of: TrackID(1), level: SoundLevel(decibels: -30, isStated: true))
            capture.tick(at: .ms(time))
        }
        if isEnded { capture.finish(at: .ms(10_000), RecordingEnding(reason: "success", exitCode: 0)) }
        return capture
    }

    private func show(_ arguments: String..., style: ReportPage.Style = .init()) throws -> (
        code: ExitCode, text: String
    ) {
        guard case .request(let request) = try ShowCommand.parse([folder] + arguments, in: .made()) else {
            throw UsageError("help")
        }
        var text = ""
        let code = try ShowCommand.run(request, style: style, progress: { _ in }, output: { text += $0 })
        return (code, text)
    }

    @Test func thePageFitsAndSaysWhatMatters() throws {
        _ = try record(name: "Ada \u{1b}[31m" + String(repeating: "long ", count: 20))
        let (code, text) = try show()
        #expect(code == .success)
        #expect(text.hasPrefix("degraded  Daily  2026-11-30 04:07 UTC  0:10\n"))
        #expect(text.contains("2.0 s of") && text.contains("longest gap 2.0 s at 0:04"))
        #expect(text.contains("████████████████▁▁▁▁▁▁▁▁████████████████  80 %"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(!text.contains("\u{1b}"))
        #expect(try show(style: .init(isColoured: true)).text.hasPrefix("\u{1b}[1;33mdegraded\u{1b}[0m"))
        #expect(try show(style: .init(hasBlocks: false)).text.contains("################________################"))
    }

    @Test func theReportIsPrintedAsItIs() throws {
        _ = try record()
        #expect(try show("--json").text == String(decoding: SmallFile.read(folder + "/report.json"), as: UTF8.self))
    }

    /// It is readable at every moment, and says at which.
    @Test func whatIsBeingMadeIsShown() throws {
        do {
            let capture = try record(isEnded: false)
            #expect(try show().text.contains(", so far\n"))
            #expect(throws: CommandFailure.self) { try show("--verify") }
            withExtendedLifetime(capture) {}
        }
        // Nobody makes it any more.
        let text = try show().text
        #expect(text.contains("the recording was cut short") && !text.contains("so far"))
        let proof = try show("--verify")
        #expect(proof.code == .success)
        #expect(
            proof.text.hasPrefix("Everything holds: 3 files, "), "\(proof.text)")
        SmallFile.remove(folder + "/report.json")
        #expect(try show().text.contains("the recording was cut short"))
        let missing = try show("--verify")
        #expect(missing.code == .unsound && missing.text == "report.json: it is listed and not there\n")
    }

    @Test func whatIsNoRecordingIsSaid() {
        #expect(throws: CommandFailure.self) { try show() }
    }
}
