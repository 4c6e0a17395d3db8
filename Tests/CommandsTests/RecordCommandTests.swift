import JSON
import Logging
import MediaTypes
import Recording
import RoomClient
import Testing

@testable import Commands

struct RecordCommandTests {
    private let room = "janus+ws://127.0.0.1:8188/1234"

    private func request(
        _ arguments: String..., in environment: Environment = .made()
    ) throws -> RecordCommand.Request {
        guard case .request(let request) = try RecordCommand.parse(arguments, in: environment) else {
            throw UsageError("help")
        }
        return request
    }

    private func failure(_ arguments: String..., in environment: Environment = .made()) -> RecordCommand.Failure? {
        do {
            _ = try RecordCommand.parse(arguments, in: environment)
            return nil
        } catch {
            return error
        }
    }

    @Test func withoutOptionsTheDefaultsStand() throws {
        let request = try request(room)
        #expect(request.recipe == RecordRecipe(room: try RoomAddress(room)))
        #expect(request.logLevel == .info)
        #expect(request.exposedSecrets.isEmpty)
    }

    @Test func everyOptionArrives() throws {
        let environment = Environment.made(variables: ["TOKEN": "t"])
        let request = try request(
            "--name=Zoë", "--duration", "1h", "--empty-timeout", "5m", "--media-timeout=never", "-oout", "--pin", "p",
            "--token", "env:TOKEN", "--apisecret=s", "--room-token", "r", "--text-room", "77", "--stun", "a", "--stun",
            "b:1",
            "--turn", "turn:t,u,p", "--size", "640x360", "--fps", "30", "--bitrate", "1M", "--codec", "vp9",
            "--audio-bitrate", "32k", "--ca-file", "ca.pem", "--insecure", "--log-format", "json", "--log-level",
            "debug", "--reserve", "1.5G",
            "--", room, in: environment)
        var expected = RecordRecipe(room: try RoomAddress(room))
        expected.name = "Zoë"
        expected.duration = .seconds(3600)
        expected.emptyTimeout = .seconds(300)
        expected.mediaTimeout = nil
        expected.output = "out"
        expected.reserve = 1_500_000_000
        expected.access.pin = Secret("p")
        expected.access.token = Secret("t")
        expected.access.apiSecret = Secret("s")
        expected.access.roomToken = Secret("r")
        expected.chat = .room("77")
        expected.network.stunServers = [.init(host: "a", port: 3478), .init(host: "b", port: 1)]
        expected.network.turnServers = [.init(host: "t", port: 3478, relay: .udp, user: "u", password: Secret("p"))]
        expected.network.certificateAuthorityFile = "ca.pem"
        expected.network.acceptsAnyCertificate = true
        var composite = CompositeRecipe()
        composite.size = PixelSize(width: 640, height: 360)
        composite.frameRate = 30
        composite.videoBitRate = 1_000_000
        composite.videoCodec = .vp9
        composite.audioBitRate = 32_000
        expected.composite = composite
        #expect(request.recipe == expected)
        #expect(request.logFormat == .json)
        #expect(request.logLevel == .debug)
        // Where the secrets stand: 'p', 's', 'r' and the TURN password, but not what is named.
        #expect(request.exposedSecrets.map(\.argument) == [8, 11, 13, 21])
        #expect(request.exposedSecrets.map(\.offset) == [0, 12, 0, 0])
    }

    @Test func aFlagWinsOverTheRecipe() throws {
        let recipe = """
            { // a comment
              room: '\(room)', name: "From file", duration: "1h", fps: 10, size: "320x240", composite: true,
              stun: ["one", "two"], turn: "turn:t,u,p", textRoom: 77, logLevel: "error", emptyTimeout: 90,
              mediaTimeout: null, archive: "from-file",
            }
            """
        let environment = Environment.made(files: ["r.json5": recipe])
        let plain = try request("r.json5", in: environment)
        #expect(plain.recipe.room == (try RoomAddress(room)))
        #expect(plain.recipe.name == "From file")
        #expect(plain.recipe.duration == .seconds(3600))
        #expect(plain.recipe.emptyTimeout == .seconds(90))
        #expect(plain.recipe.mediaTimeout == .seconds(30))
        #expect(plain.recipe.chat == .room("77"))
        #expect(plain.recipe.composite?.frameRate == 10)
        #expect(plain.recipe.network.stunServers.map(\.host) == ["one", "two"])
        #expect(plain.recipe.network.turnServers.map(\.host) == ["t"])
        #expect(plain.logLevel == .error)

        let changed = try request(
            "r.json5", "--fps", "20", "--stun", "three", "--no-composite", "--output", "o", in: environment)
        #expect(changed.recipe.composite == nil)
        #expect(changed.recipe.network.stunServers.map(\.host) == ["three"])
        #expect(changed.recipe.name == "From file")
        #expect((changed.recipe.output, changed.recipe.archive) == ("o", nil))
        #expect(try request("r.json5", "--fps", "20", in: environment).recipe.composite?.frameRate == 20)
    }

    /// A recipe can be used from anywhere, so its paths count from where it is.
    @Test func pathsInARecipeCountFromItsFolder() throws {
        let text = "{ room: '\(room)', pin: 'file:pin', caFile: 'ca.pem', archive: '/srv/calls' }"
        let environment = Environment.made(files: ["/etc/rooms/r.json5": text, "/etc/rooms/pin": "1\n", "pin": "2"])
        let recipe = try request("/etc/rooms/r.json5", in: environment).recipe
        #expect(recipe.access.pin == Secret("1"))
        #expect(recipe.network.certificateAuthorityFile == "/etc/rooms/ca.pem")
        #expect(recipe.archive == "/srv/calls")
        // A flag's count from where the command is given.
        #expect(
            try request("/etc/rooms/r.json5", "--pin", "file:pin", "-o", "o", in: environment).recipe.access.pin
                == Secret("2"))
    }

    @Test(arguments: [
        ("{ room: 'R',\n  durration: '1h' }", "r.json5:2:3: unknown key 'durration' (did you mean 'duration'?)"),
        ("{ room: 'R',\n  fps: 'many' }", "r.json5:2:8: fps must be a whole number"),
        ("{ room: 'R',\n  fps: 61 }", "r.json5:2:8: fps must be from 1 to 60"),
        ("{ room: 'R',\n  fps: true }", "r.json5:2:8: fps cannot be true or false"),
        ("{ room: 'R',\n  composite: 'yes' }", "r.json5:2:14: composite cannot be a string"),
        ("{ room: 'R',\n  name: '' }", "r.json5:2:9: name must not be empty"),
        ("{ room: 'R',\n  stun: ['a',\n ':'] }", "r.json5:3:2: stun must be HOST:PORT, such as stun.example.org:3478"),
        ("{ room: 'R',\n  pin: 'env:NO' }", "r.json5:2:8: pin names the environment variable NO, which is not set"),
        ("{ room: 'R',\n  codec: 'vp7' }", "r.json5:2:10: codec must be one of vp8, vp9 (did you mean 'vp8'?)"),
        ("{ room: 'R',\n  'ca-file': 'x' }", "r.json5:2:3: unknown key 'ca-file' (did you mean 'caFile'?)"),
        (
            "{ room: 17 }",
            "r.json5:1:9: room must be a string such as \"janus+ws://127.0.0.1:8188/1234\", found a number"
        ),
        ("{ name: 'x' }", "r.json5:1:1: the key 'room' is missing"),
        ("[]", "r.json5:1:1: expected an object, found an array"),
        ("{ room: 'R',\n  name: 'x\n}", "r.json5:2:9: the string does not end on its line"),
    ])
    func aWrongRecipeIsToldByLine(text: String, sentence: String) {
        let text = text.replacing("'R'", with: "'\(room)'")
        let failure = failure("r.json5", in: .made(files: ["r.json5": text]))
        #expect(failure?.sentence == sentence)
        #expect(failure?.exitCode == .badRecipe)
    }

    @Test(arguments: [
        (["--durration", "1h"], "unknown option '--durration' (did you mean '--duration'?)"),
        (["--zzz"], "unknown option '--zzz'"),
        (["-x"], "unknown option '-x'"),
        (["--duration"], "--duration needs a value (TIME)"),
        (["--duration", "--insecure"], "--duration needs a value (TIME)"),
        (["--duration", "soon"], "--duration must be a time such as 90s, 1h30m or 1:30:00"),
        (["--insecure=yes"], "--insecure takes no value"),
        (["--fps", "0"], "--fps must be from 1 to 60"),
        (["--reserve", "all"], "--reserve must be a size such as 500M or 2G"),
        (["--reserve", "5k"], "--reserve must be from 1 MB to 1000000.0 GB"),
        (["--bitrate", "1"], "--bitrate must be from 10000 to 100000000 bits a second"),
        (
            ["--log-level", "inof"],
            "--log-level must be one of trace, debug, info, notice, warning, error, critical (did you mean 'info'?)"
        ),
        (["--pin", "env:NO"], "--pin names the environment variable NO, which is not set"),
        (["second"], "only one room or recipe can be recorded, 'second' is one too many"),
    ])
    func aWrongCommandLineIsToldInOneSentence(arguments: [String], sentence: String) {
        do {
            _ = try RecordCommand.parse([room] + arguments, in: .made())
            Issue.record("not refused")
        } catch {
            #expect(error.sentence == sentence)
            #expect(error.exitCode == .usage)
        }
    }

    @Test func whatToRecordMustBeSaid() {
        #expect(failure()?.exitCode == .usage)
        #expect(failure("ws://127.0.0.1:8188/1")?.exitCode == .usage)
        #expect(failure("nowhere.json5")?.exitCode == .noInput)
        #expect(
            failure("nowhere.json5")?.sentence
                == "the recipe nowhere.json5 cannot be read: No such file or directory")
    }

    private func manifest(of recipe: RecordRecipe, duration: String = "") -> [String: String] {
        [
            "standup/recording.json": #"{"version":1,"id":"x","state":"recording","room":{"address":""#
                + recipe.room.description + #""},"origin":"2026-11-30T04:07:28Z","recipe":"# + recipe.json.compact
                + duration + "}"
        ]
    }

    /// What was asked for when a recording was begun is asked for again, but for secrets.
    @Test func aRecordingGoesOnAsItWasBegun() throws {
        let words = [
            "--name=Zoë", "--empty-timeout", "5m", "--media-timeout=never", "--text-room", "77", "--stun", "a",
            "--stun",
            "[::1]:1", "--size", "640x360", "--fps", "30", "--bitrate", "1M", "--codec", "vp9", "--audio-bitrate",
            "32k",
            "--ca-file", "ca.pem", "--insecure", "--layout", "speaker", "--no-labels", "--gap", "3", "--animate",
            "200ms",
            "--corner-radius", "5", room,
        ]
        guard case .request(let begun) = try RecordCommand.parse(words + ["--pin", "p"], in: .made()) else { return }
        let environment = Environment.made(files: manifest(of: begun.recipe))
        var expected = begun.recipe
        expected.access.pin = nil
        expected.resumes = ResumedRecording(folder: "standup")
        #expect(try request("--resume", "standup", in: environment).recipe == expected)
        #expect(try request(room, "--resume=standup", in: environment).recipe == expected)
        expected.access.pin = Secret("q")
        expected.composite?.frameRate = 5
        #expect(try request("--resume", "standup", "--fps", "5", "--pin", "q", in: environment).recipe == expected)
    }

    @Test func theDurationThatWasPlannedIsThatOfTheWhole() throws {
        var recipe = RecordRecipe(room: try RoomAddress(room))
        recipe.duration = .seconds(3600)
        recipe.composite = nil
        let cut = Environment.made(files: manifest(of: recipe))
        let resumed = try request("--resume", "standup", in: cut).recipe
        #expect(
            resumed.duration == nil && resumed.resumes?.plannedDuration == .seconds(3600) && resumed.composite == nil)
        #expect(try request("--resume", "standup", "--duration", "5m", in: cut).recipe.duration == .seconds(300))
        let over = Environment.made(files: manifest(of: recipe, duration: #","duration":3600000000"#))
        #expect(try request("--resume", "standup", in: over).recipe.resumes?.plannedDuration == nil)
    }

    @Test func whatCannotBeGoneOnWithIsToldOf() throws {
        let environment = Environment.made(files: manifest(of: RecordRecipe(room: try RoomAddress(room))))
        #expect(failure("--resume", "no/where", in: environment) == .notARecording("no/where"))
        let other = try #require(failure("janus+ws://127.0.0.1:8188/5", "--resume", "standup", in: environment))
        #expect(other.exitCode == .usage && other.sentence.contains("another room"))
        #expect(failure("--resume", "standup", "-o", "x", in: environment)?.exitCode == .usage)
    }
}
