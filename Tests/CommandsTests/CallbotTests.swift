import EventLoop
import Foundation
import Logging
import MediaTypes
import Recording
import RoomProtocol
import Testing

@testable import Commands

struct CallbotTests {
    /// What a run comes to.
    private struct Run {
        var code: ExitCode
        var output: String
        var errorOutput: String
        var recipe: RecordRecipe?
    }

    private func run(
        _ arguments: [String], end: RecordingEnd = .durationReached, environment: Environment = .made()
    ) async -> Run {
        let texts = Locked((output: "", errorOutput: "", recipe: RecordRecipe?.none))
        let callbot = Callbot(
            environment: environment,
            record: { recipe, _, _ in
                texts.withLock { $0.recipe = recipe }
                return RecordingOutcome(end)
            },
            output: { text in texts.withLock { $0.output += text } },
            errorOutput: { text in texts.withLock { $0.errorOutput += text } })
        let code = await callbot.run(arguments)
        return texts.withLock { Run(code: code, output: $0.output, errorOutput: $0.errorOutput, recipe: $0.recipe) }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let manifest =
        #"{"version":1,"id":"x","state":"recording","room":{"address":"janus+ws://h/1"},"origin":"2026-11-30T04:07:28Z"}"#

    /// The help is compared word by word, so that a change of it is seen. To accept one: run with CALLBOT_ACCEPT_HELP=1.
    @Test(arguments: [nil] + Callbot.commands.map { $0.name })
    func theHelpIsWhatIsWrittenDown(command: String?) async throws {
        let run = await run(["help"] + (command.map { [$0] } ?? []))
        #expect(run.code == .success)
        let file = Self.root.appending(path: "Tests/Fixtures/help/\(command ?? "callbot").txt")
        if ProcessInfo.processInfo.environment["CALLBOT_ACCEPT_HELP"] != nil {
            try Data(run.output.utf8).write(to: file)
        }
        #expect(run.output == (try String(contentsOf: file, encoding: .utf8)))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        let options = run.output.split(separator: "\n")
            .filter { $0.hasPrefix("  --") && $0.dropFirst(2).contains("  ") }
            .map { $0.prefix { $0 != "," }.split(separator: " ")[0] }
        #expect(options.count == Set(options).count, "an option is there twice")
        if let command {
            #expect(await self.run([command, "--help"]).output == run.output)
        }
    }

    /// Every line of every example is taken apart, so that none lies.
    @Test func theExamplesOfTheHelpAreUnderstood() async throws {
        let pages = Callbot.commands.map { $0.help } + [Callbot.help]
        for line in pages.flatMap({ $0.split(separator: "EXAMPLES\n")[1].split(separator: "\n") })
        where line.hasPrefix("  callbot ") {
            // What stands in quotes is one word.
            var words = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .flatMap { $0 % 2 == 1 ? [String($1)] : $1.split(separator: " ").map(String.init) }
            words.removeFirst()
            let command = words.removeFirst()
            let environment = Environment.made(
                variables: ["ROOM_PIN": "1", "TOKEN": "1"],
                files: [
                    "recipes/rooms/janus.json5": try recipe("janus.json5"),
                    "standup/recording.json": Self.manifest,
                    "recipes/systemd/daemon.json5": try String(
                        contentsOf: Self.root.appending(path: "recipes/systemd/daemon.json5"), encoding: .utf8),
                    "recipes/layouts/lecture.json5": try String(
                        contentsOf: Self.root.appending(path: "recipes/layouts/lecture.json5"), encoding: .utf8),
                ])
            func understand<Example: Command>(_: Example.Type) throws { _ = try Example.parse(words, in: environment) }
            guard let known = Callbot.commands.first(where: { $0.name == command }) else {
                Issue.record("\(line)")
                continue
            }
            try understand(known)
        }
    }

    @Test(arguments: ["janus.json5", "janus-behind-a-firewall.json5"])
    func theExampleRecipesAreUnderstood(name: String) async throws {
        let environment = Environment.made(
            variables: ["ROOM_PIN": "1", "TURN_PASSWORD": "2"], files: [name: try recipe(name)])
        let run = await run(["record", name], environment: environment)
        #expect(run.code == .success, "\(run.errorOutput)")
        #expect(run.recipe?.name == "Recorder")
    }

    private func recipe(_ name: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: "recipes/rooms/\(name)"), encoding: .utf8)
    }

    @Test func everyEndHasACodeOfItsOwn() {
        let ends: [(RecordingEnd, Int32)] = [
            (.durationReached, 0), (.stopped(signal: 2), 130), (.stopped(signal: 15), 143),
            (.roomEmpty(.seconds(5)), 10),
            (.room(.roomDestroyed), 11), (.room(.kicked), 12), (.room(.tlsFailed("x")), 20),
            (.room(.refused(.noSuchRoom, message: "x")), 21), (.room(.refused(.wrongPin, message: "x")), 22),
            (.room(.refused(.roomFull, message: "x")), 23), (.room(.refused(.nameTaken, message: "x")), 24),
            (.room(.refused(.other, message: "x")), 25), (.room(.iceFailed("x")), 30), (.room(.dtlsFailed("x")), 31),
            (.noMedia(.seconds(5)), 32), (.connectionLost(.iceFailed("x"), triedFor: .seconds(60)), 33),
            (.outputExists("x"), 40), (.diskFull(free: 1, reserve: 2), 43),
            (.room(.unreachable("x")), 69), (.outputUnusable("x"), 73),
            (.beingRecorded("x"), 41), (.notResumable("x"), 66), (.storageFailed("x"), 74),
            (.room(.serverVanished("x")), 75),
            (.room(.notJanus("x")), 76), (.room(.refused(.unauthorized, message: "x")), 77),
        ]
        for (end, code) in ends {
            #expect(ExitCode(end).rawValue == code, "\(end)")
            #expect(end.sentence.hasSuffix("."), "\(end.sentence)")
        }
        #expect(Set(ends.map(\.1)).count == ends.count)
        #expect(ExitCode(.noSpaceToBegin(free: 1, reserve: 2)) == .diskFull)
        // And each is in the table that the help prints, with the codes of what never became a recording.
        let known = Set(ends.map(\.1)).union([42, 44, 45, 50, 51, 64, 65, 70])
        #expect(Set(ExitCode.allCases.map(\.rawValue)) == known)
        #expect(ExitCode.table.split(separator: "\n").count == ExitCode.allCases.count)
        #expect(
            RecordCommand.help.contains("     75  The server vanished during the call; what was captured is kept.\n"))
    }

    @Test func theReadmeHasTheSameTable() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let table = readme.split(separator: "## Exit codes")[1].split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(
            table.dropFirst(2).map(String.init)
                == ExitCode.allCases.map { "| \($0.rawValue) | \($0.meaning) |" })
    }

    @Test func anEndIsTheExitCode() async {
        let run = await run(["record", "janus+ws://127.0.0.1:8188/1", "--log-level", "critical"], end: .room(.kicked))
        #expect(run.code == .kicked)
        #expect(run.recipe?.room.room == "1")
    }

    @Test func whatIsNoCommandIsMisuse() async {
        #expect(await run([]).code == .usage)
        let wrong = await run(["recrod"])
        #expect(wrong.code == .usage)
        #expect(wrong.errorOutput.hasPrefix("callbot: unknown command 'recrod' (did you mean 'record'?)\n"))
        #expect(await run(["--version"]).output == "callbot 0.1.0\n")
        let option = await run(["record", "janus+ws://h/1", "--colour", "red"])
        #expect(option.code == .usage)
        #expect(option.errorOutput == "callbot record: unknown option '--colour'\nSee 'callbot help record'.\n")
        #expect(option.recipe == nil)
    }

    @Test func whatIsNoRecordingIsNotRendered() async {
        #expect(await run(["render"]).code == .usage)
        #expect(await run(["render", "x"]).code == .usage)
        #expect(await run(["render", "x", "-o", "y", "--from", "2m", "--to", "1m"]).code == .usage)
        #expect(await run(["render", "/nowhere/at/all", "-o", "/nowhere/out.webm"]).code == .noInput)
        #expect(await run(["render", "/", "-o", "/nowhere/out.webm"]).code == .cannotCreate)
        #expect(await run(["render", "/", "-o", "/etc/hostname"]).code == .outputExists)
    }

    @Test func whatIsNoRecordingHasNoPictures() async {
        #expect(await run(["pictures"]).code == .usage)
        #expect(await run(["pictures", "x", "--colour"]).code == .usage)
        let nowhere = await run(["pictures", "/nowhere/at/all", "/etc"])
        #expect(nowhere.code == .noInput)
        #expect(
            nowhere.errorOutput == """
                callbot pictures: /nowhere/at/all is no recording's folder
                callbot pictures: /etc is not a recording that this callbot can read

                """)
    }

    @Test func whatIsNoRecordingIsNotRepaired() async {
        #expect(await run(["repair"]).code == .usage)
        #expect(await run(["repair", "x", "y"]).code == .usage)
        #expect(await run(["repair", "/nowhere/at/all"]).code == .noInput)
        let wrong = await run(["repair", "/etc/hostname"])
        #expect(wrong.code == .notRepaired && wrong.errorOutput.contains("it is no WebM or Matroska file"))
        #expect(await run(["repair", "/etc"]).code == .noInput)
        #expect(await run(["repair", "/etc", "-o", "x.webm"]).code == .usage)
    }
}
