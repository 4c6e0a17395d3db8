import JSON
import MediaTypes
import Testing

@testable import Supervision

@Suite struct RecorderStatusTests {
    @Test func whatIsSaidIsUnderstood() throws {
        var status = RecorderStatus(
            process: 4711, processStart: 99, room: "janus+ws://h:1/2", at: WallTime(microseconds: 5))
        #expect(RecorderStatus(try JSONValue(parsing: status.json.compact)) == status)
        status.state = .ended
        status.folder = "/a/b"
        status.elapsed = .seconds(3)
        status.people = 2
        status.tracks = 4
        status.incomingBitRate = 1000
        status.outgoingBitRate = 900
        status.loss = 0.25
        status.compositeLag = .milliseconds(1500)
        status.compositeLevel = "half-rate"
        status.offset = .milliseconds(12)
        status.exitCode = 143
        status.message = "stopped"
        status.verdict = "good"
        #expect(RecorderStatus(try JSONValue(parsing: status.json.compact)) == status)
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"state":"x","process":1,"processStart":1,"room":"r","at":1}"#,
        #"{"state":"ended","process":1e30,"processStart":1,"room":"r","at":1}"#,
        #"{"state":"ended","process":1,"processStart":-1,"room":"r","at":1}"#,
    ])
    func anythingElseIsNone(text: String) throws {
        #expect(RecorderStatus(try JSONValue(parsing: text)) == nil)
    }
}
