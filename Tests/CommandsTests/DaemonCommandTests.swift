import Foundation
import MediaTypes
import Retention
import Testing
import WebServer

@testable import Commands

@Suite struct DaemonCommandTests {
    private func request(
        _ words: String..., variables: [String: String] = [:], files: [String: String] = [:]
    ) throws -> DaemonCommand.Request {
        guard case .request(let request) = try DaemonCommand.parse(words, in: .made(variables: variables, files: files))
        else { throw UsageError("help") }
        return request
    }

    private func failure(_ words: String..., files: [String: String] = [:]) -> CommandFailure? {
        #expect(throws: CommandFailure.self) { try DaemonCommand.parse(words, in: .made(files: files)) }
    }

    @Test func aFileSaysWhatOptionsSayAndAnOptionWins() throws {
        let text = """
            { // a comment
              recipes: "recipes", archive: "/srv/calls", most: 4, processors: 2, jobs: 0, keepFor: "90d", keepAtMost: "500G",
              keepFree: "50G", keepRooms: ["standup=30d", "standup=20"], lowSpace: "5G", reserve: "1G",
              webhooks: ["https://example.org/a", "https://example.org/b"], listen: "127.0.0.1:8080", webToken: "env:TOKEN" }
            """
        let request = try request(
            "--config", "/etc/callbot/d.json5", "--most", "9", "--webhook", "https://example.org/c",
            variables: ["TOKEN": "t"], files: ["/etc/callbot/d.json5": text])
        #expect(request.configuration == "/etc/callbot/d.json5")
        #expect(request.recipes == "/etc/callbot/recipes" && request.archive == "/srv/calls")
        #expect(request.mostRecordings == 9 && request.processors == 2 && request.jobs == 0)
        #expect(request.retention.age == .seconds(90 * 86_400) && request.retention.bytes == 500_000_000_000)
        #expect(request.retention.freeSpace == 50_000_000_000)
        #expect(request.retention.rooms["standup"]?.age == .seconds(30 * 86_400))
        #expect(request.retention.rooms["standup"]?.count == 20)
        #expect(request.lowSpace == 5_000_000_000 && request.reserve == 1_000_000_000)
        #expect(request.webhooks == ["https://example.org/c"] && request.webToken == Secret("t"))
    }

    @Test func aFileIsFoundWhereItUsuallyIs() throws {
        let files = ["/etc/callbot/daemon.json5": "{most: 1}", "/home/ada/.config/callbot/daemon.json5": "{most: 2}"]
        #expect(try request(files: files).mostRecordings == 1)
        #expect(try request(variables: ["HOME": "/home/ada"], files: files).mostRecordings == 2)
        #expect(try request(variables: ["HOME": "/", "XDG_CONFIG_HOME": "/x"], files: files).mostRecordings == 1)
        #expect(try request().configuration == nil)
    }

    @Test(arguments: [
        ("{mots: 4}", "d.json5:1:2: unknown key 'mots' (did you mean 'most'?)"),
        ("{most: 0}", "d.json5:1:8: most must be from 1 to 10000"),
        ("{\n  keepFor: 'soon' }", "d.json5:2:12: keepFor must be an age such as 36h, 30d, 2w or 1y"),
        (
            "{keepRooms: ['standup']}",
            "d.json5:1:14: keepRooms must be ROOM=RULE, such as standup=30d, standup=20 or standup=50G"
        ),
        (
            "{keepRooms: ['standup=x']}",
            "d.json5:1:14: keepRooms must end in an age (30d), a number of recordings (20) or a size (50G)"
        ),
        ("{recipes: 3}", "d.json5:1:11: recipes cannot be a number"),
        ("[]", "d.json5:1:1: expected an object, found an array"),
        ("{config: 'x'}", "d.json5:1:2: unknown key 'config'"),
    ])
    func whatIsWrongIsSaidWithItsPlace(text: String, sentence: String) {
        let failure = failure("--config", "d.json5", files: ["d.json5": text])
        #expect(failure == CommandFailure(code: .badRecipe, sentence: sentence))
    }

    @Test func whatCannotBeIsSaid() {
        #expect(failure("--config", "none.json5")?.code == .noInput)
        #expect(failure("--mots", "3")?.code == .usage)
        // What a file leaves open is found after the flags.
        let failure = failure("--config", "d", files: ["d": "{listen: '8080'}"])
        #expect(failure?.code == .usage && failure?.sentence.hasPrefix("--listen needs --web-token") == true)
    }

    @Test func aPortInUseIsNoFaultOfTheCommandLine() {
        let taken = WebServerError.cannotListen("127.0.0.1:8080", reason: "address already in use")
        let failure = CommandFailure(taken, option: "--listen")
        #expect(failure.code == .alreadyRunning)
        #expect(
            failure.sentence.hasPrefix(
                "cannot listen at 127.0.0.1:8080: address already in use: choose another port with --listen"))
        #expect(CommandFailure(.malformedAddress("x"), option: "--listen").code == .usage)
        #expect(CommandFailure(.certificate(file: "x", reason: "y"), option: "--listen").code == .noInput)
    }

    /// The example that the package installs.
    @Test func theExampleIsUnderstood() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "recipes/systemd/daemon.json5")
        let text = try String(contentsOf: path, encoding: .utf8)
        let request = try request("--config", "/etc/callbot/daemon.json5", files: ["/etc/callbot/daemon.json5": text])
        #expect(request.recipes == "/etc/callbot/recipes")
        // With all that is commented out, too.
        let whole = text.split(separator: "\n").map { line in
            line.hasPrefix("  // ") && line.contains(": ") && line.hasSuffix(",") ? line.dropFirst(5) : line
        }.joined(separator: "\n")
        let full = try self.request(
            "--config", "/etc/callbot/daemon.json5", variables: ["WEB_TOKEN": "t", "HOOK_SECRET": "s"],
            files: ["/etc/callbot/daemon.json5": whole])
        #expect(full.listen != nil && !full.retention.isEmpty && !full.webhooks.isEmpty, "\(whole)")
    }
}
