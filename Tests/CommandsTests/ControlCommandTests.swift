import CallbotTesting
import EventLoop
import Foundation
import JSON
import LocalSocket
import Recording
import RecordingFormat
import Testing

@testable import Commands

/// Something that answers in a recording's place.
private actor Recorder {
    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var server: LocalServer?
    private(set) var heard: [String] = []

    init(_ loop: LoopExecutor) { self.loop = loop }

    func listen(in folder: String, answering answer: String) throws {
        server = nil
        server = try LocalServer(in: folder, named: "control.socket", on: loop, complaint: []) { [weak self] line in
            self?.assumeIsolated { $0.heard.append(String(decoding: line, as: UTF8.self)) }
            return Array(answer.utf8)
        }
    }

    func close() { server = nil }
}

struct ControlCommandTests {
    private static let regions =
        "// mine\n{ regions: [{ name: 'all', x: 0, y: 0, width: 1, height: 1, who: 'rest' }], }"

    private func event(_ words: String...) throws -> ControlEvent {
        let environment = Environment.made(files: ["own.json5": Self.regions])
        guard case .request(let request) = try ControlCommand.parse(["x"] + words, in: environment) else {
            throw UsageError("help")
        }
        #expect(request.recording == "x")
        return request.event
    }

    @Test func whatIsAskedForIsUnderstood() throws {
        #expect(try event("layout", "speaker") == .layout("speaker"))
        #expect(try event("full", "Åsa Öberg") == .full("Åsa Öberg"))
        #expect(try event("full", "none") == .full(nil))
        #expect(try event("pin", "4711") == .pinned("4711"))
        #expect(try event("pin", "none") == .pinned(nil))
        #expect(try event("mark", "none") == .mark("none"))
        #expect(try event("--", "mark", "--- break ---") == .mark("--- break ---"))
        guard case .layout(let layout) = try event("layout", "own.json5") else {
            Issue.record("no layout")
            return
        }
        // The file itself goes over, not its name.
        #expect(layout["regions"]?[0]?["name"] == "all")
    }

    @Test(arguments: [
        ([], "a recording is missing"),
        (["x"], "what to change is missing: one of layout, full, pin, mark"),
        (["x", "layuot", "grid"], "what to change must be one of layout, full, pin, mark (did you mean 'layout'?)"),
        (["x", "layout"], "layout needs NAME|FILE"), (["x", "mark", ""], "mark needs TEXT"),
        (["x", "mark", "two", "words"], "mark takes one TEXT, 'words' is one too many: spaces need quotes"),
        (["x", "layout", "no.json5"], "the layout names the file no.json5, which cannot be read: No such file"),
        (["x", "layout", "bad.json5"], "the layout is no layout: bad.json5:1:3: unknown key 'region'"),
        (["x", "--zzz"], "unknown option '--zzz'"),
    ])
    func whatCannotBeAskedForIsToldInOneSentence(arguments: [String], sentence: String) {
        do {
            _ = try ControlCommand.parse(arguments, in: .made(files: ["bad.json5": "{ region: [] }"]))
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(error.description.hasPrefix(sentence), "\(error.description)")
        }
    }

    @Test func aLayoutThatThereIsNotIsRefusedWithASuggestion() {
        do {
            _ = try ControlCommand.parse(["x", "layout", "speeker"], in: .made())
            Issue.record("it was taken")
        } catch {
            #expect(error.description.hasPrefix("the layout must be one of grid, "))
            #expect(error.description.hasSuffix(" (did you mean 'speaker'?)"))
        }
    }

    private func run(_ arguments: [String]) async -> (code: ExitCode, said: String) {
        let said = Locked("")
        let callbot = Callbot(
            environment: .made(), record: { _, _, _ in RecordingOutcome(.durationReached) },
            output: { text in said.withLock { $0 += text } }, errorOutput: { text in said.withLock { $0 += text } })
        let code = await callbot.run(["control"] + arguments)
        return (code, said.withLock { $0 })
    }

    @Test func whatTheRecordingAnswersIsTheExitCode() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        let nowhere = await run([folder, "mark", "x"])
        #expect(nowhere.code == .noInput)
        #expect(nowhere.said == "callbot control: \(folder) is no recording's folder\n")
        try Data().write(to: URL(fileURLWithPath: folder + "/recording.json"))
        let over = await run([folder, "mark", "x"])
        #expect(over.code == .unreachable)
        #expect(over.said == "callbot control: \(folder) is not being recorded now\n")

        let loop = LoopExecutor(name: "test-loop")
        let recorder = Recorder(loop)
        for (answer, code, said) in [
            (#"{"ok":true}"#, ExitCode.success, ""),
            (
                #"{"ok":false,"error":"it is late"}"#, .unreachable,
                "callbot control: the recording refuses: it is late\n"
            ),
            ("what?", .unreachable, "callbot control: what answers is no recording\n"),
        ] {
            try await recorder.listen(in: folder, answering: answer)
            let run = await run([folder, "mark", "Part 2"])
            #expect(run.code == code && run.said == said)
        }
        #expect(await recorder.heard.first == #"{"command":"mark","text":"Part 2"}"#)
        let long = await run([folder, "mark", String(repeating: "x", count: 70_000)])
        #expect(long.code == .usage)
        #expect(long.said.hasPrefix("callbot control: the recording cannot be told: what was said is too long\n"))
        await recorder.close()
        loop.stop()
        #expect(await run([folder, "layout"]).code == .usage)
    }
}
