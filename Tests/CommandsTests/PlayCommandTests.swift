import Testing
import WebServer

@testable import Commands

@Suite struct PlayCommandTests {
    private func parse(_ words: String) throws(UsageError) -> PlayCommand.Request? {
        let environment = Environment.made(variables: [:], files: [:])
        switch try PlayCommand.parse(words.split(separator: " ").map(String.init), in: environment) {
        case .request(let request): return request
        case .help: return nil
        }
    }

    @Test func whatIsAskedForIsUnderstood() throws {
        let browser = try #require(try parse("standup --no-browser --port 8080 --for 2h"))
        #expect(browser.recording == "standup")
        #expect(!browser.opensBrowser)
        #expect(browser.port == 8080)
        #expect(browser.time == .seconds(7200))
        #expect(try parse("standup --from 12:30")?.from == .seconds(750))
        let text = try #require(try parse("--text standup --from 1:30 --speed 2.5"))
        #expect(text.isText)
        #expect(text.from == .seconds(90))
        #expect(text.speed == 2.5)
        #expect(try parse("--text x --sound -")?.sound == "-")
    }

    @Test(arguments: [
        "", "a b", "a --port 70000", "a --port x", "a --speed 2", "a --sound -", "a --text --port 1",
        "a --text --no-browser", "a --text --speed 0", "a --text --speed 1e9", "a --text --speed nan",
        "a --text --sound - --speed 2",
        "a --for never",
    ])
    func whatMakesNoSenseIsRefused(words: String) {
        #expect(throws: UsageError.self) { try parse(words) }
    }

    @Test func onlyTheWholeTokenOpens() {
        let place = PlaybackPlace(token: "0123456789abcdef", id: "x", folder: "/nowhere")
        func status(_ path: String...) -> Int { place.respond(to: Request(.get, path: path)).status }
        #expect(status("0123456789abcdef", "r", "x", "") == 200)
        #expect(status("0123456789abcdef", "r", "x") == 308)
        for path in [
            ["0123456789abcdee", "r", "x", ""], ["0123456789abcde", "r", "x", ""], ["", "r", "x", ""],
            ["0123456789abcdef0", "r", "x", ""],
        ] {
            #expect(place.respond(to: Request(.get, path: path)).status == 404)
        }
        #expect(status("0123456789abcdef", "r", "y", "") == 404)
        #expect(status("0123456789abcdef", "x", "") == 404)
        #expect(status("") == 404)
    }
}
