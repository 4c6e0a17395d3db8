import Archive
import CallbotTesting
import Capture
import EventLoop
import Foundation
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing

@testable import Commands

struct ArchiveCommandTests {
    private let temporary: TemporaryFolder
    private var archive: String { temporary.path + "/archive" }

    init() throws {
        temporary = try TemporaryFolder()
        try Folder.create(archive)
    }

    /// - Parameter hour: of the day on which it was recorded.
    @discardableResult
    private func record(
        _ tail: String, hour: Int = 4, room: String = "Daily", name: String = "Ada", says text: String? = nil,
        decibels: Double = -30, isEnded: Bool = true
    ) throws -> Capture {
        let origin = WallTime(microseconds: 1_795_996_800_000_000) + .seconds(hour * 3600)
        let capture = try Capture(
            at: .archive(archive),
            manifest: RecordingManifest(
                id: RecordingID("20261130T\(hour.padded(2))0000Z-\(tail)"), software: "callbot test",
                room: .init(address: "janus+ws://127.0.0.1:8188/1234", description: room), origin: origin),
            room: room)
        capture.record(.participantJoined(Participant(id: ParticipantID("1"), name: name)), at: .zero)
        capture.record(
            .trackStarted(
                TrackPublication(
                    id: TrackID(1), participant: ParticipantID("1"), kind: .audio, source: .microphone, codec: .opus,
                    description: "", publishedAs: MediaSectionID("0"), section: MediaSectionID("0"))), at: .zero)
        for time in stride(from: Int64(0), to: 3000, by: 20) {
            capture.frame(
                EncodedFrame(
                    codec: .opus, time: .ms(time), duration: .milliseconds(20), isKeyframe: true,
                    payload: [0x78, 1, 2, 3]),
                of: TrackID(1), level: SoundLevel(decibels: decibels, isStated: true))
            capture.tick(at: .ms(time))
        }
        if let text {
            capture.record(
                .chat(
                    ChatMessage(kind: .message, sender: "1", name: name, text: text, sentAt: nil, isHistory: false)),
                at: .ms(2000))
        }
        if isEnded { capture.finish(at: .ms(3000), RecordingEnding(reason: "success", exitCode: 0)) }
        return capture
    }

    private struct Run {
        var code: ExitCode
        var output: String
        var errorOutput: String
        var lines: [Substring] { output.split(separator: "\n") }
    }

    private func run(_ arguments: String...) async -> Run { await run(arguments) }

    private func run(_ arguments: [String]) async -> Run {
        let texts = Locked((output: "", errorOutput: ""))
        let callbot = Callbot(
            environment: .made(variables: ["CALLBOT_ARCHIVE": archive]), record: { _, _, _ in fatalError() },
            output: { text in texts.withLock { $0.output += text } },
            errorOutput: { text in texts.withLock { $0.errorOutput += text } })
        let code = await callbot.run(arguments)
        return texts.withLock { Run(code: code, output: $0.output, errorOutput: $0.errorOutput) }
    }

    // MARK: - Names

    @Test func everyCommandTakesTheIDsThatListsSay() async throws {
        try record("k3f9", hour: 4, says: "Cranberries")
        try record("k3g0", hour: 5, room: "Weekly")
        let shown = await run("show", "20261130T05")
        #expect(shown.code == .success && shown.output.contains("Weekly"))
        let last = await run("show", "last")
        #expect(last.output == shown.output)
        let played = await run("play", "20261130T040000Z-k3f9", "--text", "--speed", "1000")
        #expect(played.code == .success && played.output.contains("Cranberries"))
        let rendered = await run("render", "last", "-o", temporary.path + "/sound.ogg", "--audio-only")
        #expect(rendered.code == .success)
        let repaired = await run("repair", "last", "--no-composite")
        #expect(repaired.code == .success)
        let controlled = await run("control", "last", "mark", "Questions")
        #expect(controlled.code == .unreachable && controlled.errorOutput.contains("is not being recorded now"))
        let held = await run("hold", "last")
        #expect(held.code == .success && held.output.contains("20261130T050000Z-k3g0"))
    }

    @Test func aNameThatFitsNoneOrTwoSaysSo() async throws {
        try record("k3f9", hour: 4)
        try record("k3g0", hour: 5)
        for command in [
            ["show"], ["play", "--text"], ["render", "-o", "x.webm"], ["repair"], ["record", "--resume"],
        ] {
            let none = await run(command + ["2027"])
            #expect(none.code == .noInput)
            #expect(
                none.errorOutput
                    == "callbot \(command[0]): '2027' is no folder, and there is no recording of that id in the archive \(archive)\n"
            )
            let two = await run(command + ["2026"])
            #expect(two.code == .usage && two.errorOutput.contains("'2026' could be 2 recordings"))
        }
        let elsewhere = await run("show", "last", "--archive", "/nowhere/at/all")
        #expect(elsewhere.errorOutput.contains("in the archive /nowhere/at/all"))
    }

    // MARK: - Asking

    @Test func theListIsATable() async throws {
        try record("k3f9", room: "Daily\u{1b}[31m \u{202E}evil\nroom")
        try record("m2aa", hour: 5, room: "会議")
        let run = await run("list")
        #expect(run.code == .success && run.errorOutput == "", "\(run.errorOutput)")
        #expect(run.lines.count == 3)
        #expect(run.lines[0].hasPrefix("ID                     STARTED (UTC)      LENGTH  PEOPLE"))
        #expect(run.lines[1].hasPrefix("20261130T050000Z-m2aa  2026-11-30 05:00  0:00:03       1"))
        #expect(run.lines[1].hasSuffix("  good   会議"))
        #expect(!run.output.contains("\u{1b}") && !run.output.contains("\u{202E}"))
        #expect(await self.run("list", "--room", "会議").lines.count == 2)
        #expect(
            await self.run("list", "--limit", "1").errorOutput.hasPrefix("callbot list: these are 1 of 2: --after "))
        let nothing = await self.run("list", "--person", "nobody")
        #expect(nothing.code == .success && nothing.output == "")
        #expect(nothing.errorOutput == "callbot list: no such recordings in \(archive)\n")
    }

    @Test func theTableFitsTheTerminal() throws {
        var one = ArchivedRecording(
            folder: "f", id: "20261130T050000Z-m2aa", start: WallTime(microseconds: 0), state: .damaged, bytes: 1)
        one.room.description = String(repeating: "会議", count: 100)
        one.problem = String(repeating: "x", count: 300)
        for width in [60, 80, 100, 140] {
            let lines = RecordingTable(recordings: [one], width: width).text.split(separator: "\n")
            #expect(lines.count == 3 && lines.allSatisfy { DisplayText.width(String($0)) <= width }, "\(width)")
            #expect(lines[0].hasPrefix("ID ") && lines[0].contains("ROOM"))
            #expect(lines[0].contains("STARTED") == (width >= 100))
        }
        #expect(DisplayText.width("e\u{301}") == 1 && DisplayText.width("👩‍👩‍👧") == 2 && DisplayText.width("会a") == 3)
        #expect(DisplayText.clipped("会議会議", 5) == "会議…" && DisplayText.padded("a", 3, isRight: true) == "  a")
    }

    @Test func theListIsAlsoForPrograms() async throws {
        try record("k3f9", says: "hello")
        let json = try JSONValue(parsing: await run("list", "--json").output)
        let one = try #require(json["recordings"]?[0])
        #expect(one["id"] == "20261130T040000Z-k3f9" && one["folder"] == "2026/11/30/20261130T040000Z-k3f9-Daily")
        #expect(one["state"] == "finished" && one["verdict"]?["grade"] == "good" && one["duration"] == 3_000_000)
        #expect(one["held"] == false && one["participants"] == 1 && one["room"]?["description"] == "Daily")
        #expect(one["origin"] == "2026-11-30T04:00:00.000Z" && json["next"] == nil)
        let found = try JSONValue(parsing: await run("search", "hel*", "--json").output)
        #expect(found["lines"]?[0]?["at"] == 2_000_000 && found["lines"]?[0]?["excerpt"] == "hello")
        #expect(found["lines"]?[0]?["page"] == "/r/20261130T040000Z-k3f9/#t=2.000")
        let status = try JSONValue(parsing: await run("archive", "status", "--json").output)
        #expect(status["recordings"] == 1 && status["finished"] == 1 && status["damaged"] == 0)
        #expect(status["indexDamage"] == nil)
    }

    @Test func whatWasSaidIsFoundWithItsMoment() async throws {
        try record("k3f9", says: "Crème\nbrûlée \u{1b}[0m")
        try record("m2aa", hour: 5, says: "no dessert")
        let run = await run("search", "creme", "brulee")
        #expect(run.code == .success)
        #expect(run.output == "20261130T040000Z-k3f9  0:00:02  Ada: Crème\u{FFFD}brûlée \u{FFFD}[0m\n")
        #expect(await self.run("search", "ada").lines.count == 2)
        #expect(await self.run("search", "ada", "--kind", "name").lines.first?.hasSuffix("[name] Ada") == true)
        #expect(await self.run("search", "ada", "--kind", "message").lines.isEmpty)
        let nothing = await self.run("search", "\"; DROP TABLE")
        #expect(nothing.code == .success && nothing.errorOutput == "callbot search: nothing was found\n")
    }

    // MARK: - Changing

    @Test func recordingsAreRemovedUnlessHeldOrRunning() async throws {
        try record("k3f9")
        try record("m2aa", hour: 5)
        let running = try record("n3bb", hour: 6, isEnded: false)
        #expect(await run("hold", "20261130T04").output == "20261130T040000Z-k3f9: held\n")
        let held = await run("rm", "20261130T04")
        #expect(held.code == .held)
        #expect(
            held.errorOutput
                == "callbot rm: 2026/11/30/20261130T040000Z-k3f9-Daily is held: 'callbot release' lets it go\n")
        #expect(await run("rm", "20261130T06").code == .beingRecorded)
        let removal = await run("rm", "20261130T06", "nothing", "20261130T05")
        #expect(removal.code == .beingRecorded && removal.errorOutput.split(separator: "\n").count == 2)
        #expect(removal.output.hasPrefix("20261130T050000Z-m2aa: removed, "))
        let ambiguous = await run("rm", "2026")
        #expect(ambiguous.code == .usage && ambiguous.errorOutput.contains("'2026' could be 2 recordings ("))
        #expect(await run("rm", "/etc").code == .noInput)
        #expect(await run("release", "20261130T040000Z-k3f9").code == .success)
        #expect(await run("rm", "20261130T04").code == .success)
        #expect(await run("list").lines.count == 2)
        withExtendedLifetime(running) {}
    }

    @Test func rulesPrune() async throws {
        try record("k3f9")
        try record("m2aa", hour: 5)
        try record("n3bb", hour: 6)
        _ = await run("hold", "20261130T04")
        let plan = await run("archive", "prune", "--max-count", "1", "--dry-run")
        #expect(plan.code == .success && plan.lines.count == 3)
        #expect(plan.lines[0].hasPrefix("20261130T050000Z-m2aa  "))
        #expect(plan.lines[0].hasSuffix("  Daily: more recordings than are kept"))
        #expect(plan.lines[2].hasPrefix("2 recordings would be removed, "))
        #expect(await run("list").lines.count == 4)
        let pruned = await run("archive", "prune", "--max-count", "1")
        #expect(pruned.lines.last?.hasPrefix("2 recordings were removed, ") == true)
        #expect(await run("list").lines.count == 2)
    }

    @Test func recordingsAreMovedAndExported() async throws {
        try record("k3f9", says: "hello")
        let out = temporary.path + "/out"
        let export = await run("export", "20261130", "-o", out, "--only", "chat,tracks")
        #expect(export.code == .success && export.output.hasPrefix("\(out): 3 files, "))
        #expect(FolderTree.files(out).map(\.path) == ["chat.jsonl", "chat.vtt", "tracks/01-Ada-microphone.webm"])
        #expect(await run("export", "20261130", "-o", out).code == .outputExists)
        let other = temporary.path + "/other"
        let move = await run("mv", "20261130", other)
        let place = "\(other)/2026/11/30/20261130T040000Z-k3f9-Daily"
        #expect(move.code == .success && move.output == "20261130T040000Z-k3f9: moved to \(place)\n")
        #expect(await run("list").lines.isEmpty)
        #expect(await run("list", "--archive", other).lines.count == 2)
        #expect(await run("mv", "20261130", "--archive", other, "-o", out).code == .outputExists)
    }

    @Test func recordingsAreVerified() async throws {
        // What is in the frames is silence, and their levels say so.
        try record("k3f9", decibels: -90)
        try record("m2aa", hour: 5, decibels: -90)
        SmallFile.remove(archive + "/2026/11/30/20261130T050000Z-m2aa-Daily/report.json")
        let one = await run("verify", "20261130T04")
        #expect(one.code == .success && one.output == "20261130T040000Z-k3f9: holds, degraded\n", "\(one.output)")
        let all = await run("verify", "--all")
        #expect(all.code == .unsound && all.lines.count >= 2)
        #expect(all.lines.contains("20261130T050000Z-m2aa: report.json: it is listed and not there"))
        #expect(await run("verify", "--all", "--to", "2026-11-29").output == "")
    }

    @Test func theIndexIsLookedAfter() async throws {
        try record("k3f9")
        #expect(await run("archive", "rebuild").output == "The index was made anew: 1 recording.\n")
        let status = await run("archive", "status")
        #expect(status.code == .success && status.output.contains("recordings  1 (1 finished)\n"))
        #expect(status.output.contains("index       whole\n"))
        try AtomicFile.replace(archive + "/.index.sqlite3", with: Array("nonsense".utf8))
        let list = await run("list")
        #expect(list.lines.count == 2)
        #expect(list.errorOutput.hasPrefix("callbot list: the index was made anew: it is damaged, or no database ("))
    }

    @Test(arguments: [
        ["list", "x"], ["list", "--from", "yesterday"], ["list", "--after", "x"], ["list", "--limit", "0"], ["search"],
        ["search", "*"], ["rm"], ["mv", "x"], ["mv", "a", "b", "-o", "c"], ["export", "x"],
        ["export", "x", "-o", "y", "--only", "all"],
        ["verify"], ["verify", "x", "--all"], ["verify", "x", "--room", "y"], ["archive"], ["archive", "pruen"],
        ["archive", "prune"], ["archive", "status", "--dry-run"], ["archive", "rebuild", "x"],
        ["archive", "prune", "--older-than", "0d"], ["hold"], ["release"], ["link"],
        ["link", "x", "--for", "2y"], ["link", "x", "--revoke-all"],
    ])
    func misuseIsSaid(arguments: [String]) async {
        let texts = Locked("")
        let callbot = Callbot(
            environment: .made(variables: ["CALLBOT_ARCHIVE": archive]), record: { _, _, _ in fatalError() },
            output: { _ in }, errorOutput: { text in texts.withLock { $0 += text } })
        #expect(await callbot.run(arguments) == .usage)
        let text = texts.withLock { $0 }
        #expect(text.hasPrefix("callbot \(arguments[0]): "), "\(text)")
        #expect(text.hasSuffix("\nSee 'callbot help \(arguments[0])'.\n") && text.split(separator: "\n").count == 2)
    }

    @Test func whatIsNotThereIsSaid() async {
        let list = await run("list", "--archive", "/nowhere/at/all")
        #expect(list.code == .noInput && list.errorOutput == "callbot list: there is no archive at /nowhere/at/all\n")
        let rm = await run("rm", "20991231")
        #expect(rm.code == .noInput)
        #expect(rm.errorOutput == "callbot rm: there is no recording '20991231' in the archive \(archive)\n")
    }

    @Test(arguments: [
        ("2026-11-30", "2026-11-30T00:00:00.000Z", "2026-12-01T00:00:00.000Z"),
        ("2026-11-30T14:30", "2026-11-30T14:30:00.000Z", "2026-11-30T14:30:00.000Z"),
        ("2026-11-30T14:30:05Z", "2026-11-30T14:30:05.000Z", "2026-11-30T14:30:05.000Z"),
        ("36h", "2026-11-28T12:00:00.000Z", "2026-11-28T12:00:00.000Z"),
        ("1w", "2026-11-23T00:00:00.000Z", "2026-11-23T00:00:00.000Z"),
    ])
    func momentsAreUnderstood(text: String, start: String, end: String) throws {
        let now = WallTime(microseconds: 1_795_996_800_000_000)
        let moment = try MomentArgument.parse(text, in: .made())
        #expect(moment.start(at: now).iso8601 == start && moment.end(at: now).iso8601 == end)
    }

    @Test func theArchiveIsWhereRecordMakesIt() {
        #expect(Environment.made(variables: ["CALLBOT_ARCHIVE": "/a", "HOME": "/h"]).archive == "/a")
        #expect(Environment.made(variables: ["XDG_DATA_HOME": "/d", "HOME": "/h"]).archive == "/d/callbot/archive")
        #expect(Environment.made(variables: ["HOME": "/h"]).archive == "/h/.local/share/callbot/archive")
    }
}
