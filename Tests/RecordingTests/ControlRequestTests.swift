import JSON
import RecordingFormat
import Testing

@testable import Recording

@Suite struct ControlRequestTests {
    private static let regions: JSONValue = [
        "regions": [["name": "all", "x": 0, "y": 0, "width": 1, "height": 1, "who": "rest"]]
    ]

    @Test(arguments: [
        (ControlEvent.layout("speaker"), #"{"command":"layout","layout":"speaker"}"#),
        (.full("Åsa"), #"{"command":"full","who":"Åsa"}"#), (.full(nil), #"{"command":"full","who":null}"#),
        (.pinned("4711"), #"{"command":"pin","who":"4711"}"#), (.pinned(nil), #"{"command":"pin","who":null}"#),
        (.mark("two\nlines"), #"{"command":"mark","text":"two\nlines"}"#),
    ])
    func requestsAreLines(event: ControlEvent, line: String) throws {
        #expect(ControlRequest(event).json.compact == line)
        #expect(try ControlRequest(line: Array(line.utf8)).event == event)
    }

    @Test func aLayoutOfOnesOwnIsInTheLine() throws {
        let request = ControlRequest(.layout(Self.regions))
        #expect(try ControlRequest(line: request.json.compactUTF8) == request)
    }

    @Test(arguments: [
        ("", "a command is a JSON object on a line: line 1, column 1: "),
        ("GET / HTTP/1.1\r", "a command is a JSON object on a line: "),
        ("[]", "the command is missing: layout, full, pin, mark"),
        (#"{"command":7}"#, "the command is missing"),
        (#"{"command":"layuot"}"#, "there is no command 'layuot' (did you mean 'layout'?)"),
        (#"{"command":"layout"}"#, "the layout is missing"),
        (#"{"command":"layout","layout":"gird"}"#, "there is no such layout"),
        (#"{"command":"layout","layout":{"regions":[]}}"#, "there is no such layout"),
        (#"{"command":"full"}"#, "who is missing"), (#"{"command":"pin","who":[]}"#, "who must be a name or an id"),
        (#"{"command":"mark","text":""}"#, "a mark needs a text"),
    ])
    func whatCannotBeFollowedIsRefusedInASentence(line: String, reason: String) {
        do {
            _ = try ControlRequest(line: Array(line.utf8))
            Issue.record("\(line) was taken")
        } catch {
            #expect(error.reason.hasPrefix(reason), "\(error.reason)")
        }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        for first in UInt8.min...UInt8.max {
            #expect(throws: ControlRequest.Refusal.self) { try ControlRequest(line: [first, 0xFF, 0x00]) }
        }
    }

    @Test func answersAreLines() {
        for answer in [ControlAnswer.done, .refused("it is late")] {
            #expect(ControlAnswer(line: answer.json.compactUTF8) == answer)
        }
        #expect(ControlAnswer(line: Array("HTTP/1.1 400".utf8)) == nil)
    }
}
