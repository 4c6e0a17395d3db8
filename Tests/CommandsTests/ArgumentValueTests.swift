import MediaTypes
import Recording
import RoomClient
import Testing

@testable import Commands

struct ArgumentValueTests {
    private let environment = Environment.made()

    @Test(arguments: [
        ("90s", 90.0), ("90", 90), ("1h30m", 5400), ("1:30:00", 5400), ("1:30", 90), ("0:00:01.5", 1.5), ("1.5h", 5400),
        ("250ms", 0.25), ("1d", 86_400), ("2m5s", 125), ("100:00:00", 360_000), ("1m500ms", 60.5), ("0.1", 0.1),
    ])
    func aTimeIsReadInEverySpelling(text: String, seconds: Double) throws {
        let duration = try Duration.parse(text, in: environment)
        #expect(abs(duration.seconds - seconds) < 1e-9)
    }

    @Test(arguments: [
        "", "soon", "1x", "-1s", "+1s", "0", "0s", "30m1h", "1h1h", "1:60", "1:60:00", "1:2:3:4", ":30", "1:", "1..5s",
        "s", "1e3", "nan", "inf", "0x10", "1 h", "400d", "9999999999999999999", "٣s",
    ])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(throws: InvalidValue.self) { try Duration.parse(text, in: environment) }
    }

    @Test(arguments: [("1500k", 1_500_000), ("1.5M", 1_500_000), ("96000", 96_000), ("64K", 64_000)])
    func aBitRateIsReadInEverySpelling(text: String, bits: Int) throws {
        #expect(try BitRate.parse(text, in: environment).bitsPerSecond == bits)
    }

    @Test(arguments: ["", "k", "-5k", "1.5.2M", "1G", "2000M", "1 k"])
    func whatIsNoBitRateIsRefused(text: String) {
        #expect(throws: InvalidValue.self) { try BitRate.parse(text, in: environment) }
    }

    @Test func aSizeHasTwoEvenNumbers() throws {
        #expect(try PixelSize.parse("1280x720", in: environment) == PixelSize(width: 1280, height: 720))
        for text in ["1280", "1280x", "x720", "1281x720", "1280x14", "8194x720", "1280x720x2", "1280 x 720", "-2x16"] {
            #expect(throws: InvalidValue.self, "\(text)") { try PixelSize.parse(text, in: environment) }
        }
    }

    @Test func aSecretIsFoundWhereItIsSaidToBe() throws {
        let world = Environment.made(variables: ["PIN": "from variable"], files: ["/pin": "from file\n"])
        #expect(try Secret.parse("env:PIN", in: world).revealed() == "from variable")
        #expect(try Secret.parse("file:/pin", in: world).revealed() == "from file")
        #expect(try Secret.parse("itself", in: world).revealed() == "itself")
        #expect(throws: InvalidValue("names the environment variable NO_PIN, which is not set")) {
            try Secret.parse("env:NO_PIN", in: world)
        }
        #expect(throws: InvalidValue("names the file /no, which cannot be read: No such file or directory")) {
            try Secret.parse("file:/no", in: world)
        }
        #expect(throws: InvalidValue.self) { try Secret.parse("", in: world) }
    }

    @Test func nothingThatPrintsASecretShowsIt() {
        let secret = Secret("hush")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        var recipe = RecordRecipe(room: RoomAddress(isSecure: true, host: "h", port: 1, room: "r"))
        recipe.access.pin = secret
        recipe.network.turnServers = [.init(host: "t", port: 1, relay: .udp, user: "u", password: secret)]
        var recipeDumped = ""
        dump(recipe, to: &recipeDumped)
        let printed = [
            "\(secret)", String(describing: secret), String(reflecting: secret), dumped, "\(recipe)", recipeDumped,
            String(reflecting: recipe), "\(Optional(secret) as Any)",
        ]
        for text in printed { #expect(!text.contains("hush"), "\(text)") }
    }

    @Test func serversAreReadWithAndWithoutPort() throws {
        typealias STUN = NetworkChoice.STUNServer
        #expect(try STUN.parse("stun.example.org", in: environment) == STUN(host: "stun.example.org", port: 3478))
        #expect(try STUN.parse("stun:192.0.2.1:99", in: environment) == STUN(host: "192.0.2.1", port: 99))
        #expect(try STUN.parse("[2001:db8::1]:99", in: environment) == STUN(host: "2001:db8::1", port: 99))
        for text in ["", ":3478", "host:", "host:0", "host:65536", "stun:", "[::1", "http://host"] {
            #expect(throws: InvalidValue.self, "\(text)") { try STUN.parse(text, in: environment) }
        }
        typealias TURN = NetworkChoice.TURNServer
        let variables = Environment.made(variables: ["P": "pass,word"])
        for (text, port, relay) in [
            ("turn:t.example.org:1234", 1234, RoomClient.Configuration.Relay.udp), ("t.example.org", 3478, .udp),
            ("turn:t.example.org?transport=tcp", 3478, .tcp), ("turns:t.example.org", 5349, .tls),
        ] {
            let server = try TURN.parse(text + ",bot,env:P", in: variables)
            #expect((server.host, server.user) == ("t.example.org", "bot"))
            #expect((server.port, server.relay) == (UInt16(port), relay))
            #expect(server.password.revealed() == "pass,word")
        }
        for text in ["turn:t", "turn:t,u", "turn:t,,p", "turns:t?transport=udp,u,p", "turn:t?x=y,u,p", ",u,p"] {
            #expect(throws: InvalidValue.self, "\(text)") { try TURN.parse(text, in: environment) }
        }
    }
}
