import CallbotTesting
import JSON
import MediaTypes
import Testing

@testable import RoomProtocol

/// Stays recorded from a real server (Janus 1.1.2) with real browsers, played to the machine.
@Suite struct JanusTranscriptTests {
    static func transcript(_ name: String) throws -> [Transcript.Line] {
        try Fixture.text("janus/\(name).jsonl").split(separator: "\n").map { line in
            let json = try JSONValue(parsing: String(line))
            return Transcript.Line(
                at: json["at"]?.double ?? 0, isFromServer: json["from"]?.string == "server",
                message: try #require(json["message"]))
        }
    }

    /// The events in few words, people by their names.
    static func story(_ janus: ScriptedJanus) -> [String] {
        var names: [ParticipantID: String] = [:]
        return janus.events.map { event in
            if case .participantJoined(let participant) = event { names[participant.id] = participant.name }
            return words(event) { names[$0] ?? "?" }
        }
    }

    @Test func stayWithAllThatHappensInARoom() throws {
        var janus = ScriptedJanus()
        let lines = try Self.transcript("stay")
        Transcript.play(lines, into: &janus)
        #expect(
            Self.story(janus) == [
                "joined as Recorder, room 1234", "+ Ada ✓", "Ada ✓ 0 audio opus", "Ada ✓ 1 video vp8", "Ada ✓ speaks",
                "start 1 Ada ✓ 0 microphone on 0", "start 2 Ada ✓ 1 camera on 1", "+ Mallory", "Mallory 0 audio opus",
                "start 3 Mallory 0 microphone on 3", "+ Bob", "Bob 0 audio opus", "Bob 1 video vp8",
                "start 4 Bob 0 microphone on 4", "start 5 Bob 1 camera on 5", "Mallory speaks", "+ Eve", "Bob speaks",
                "Eve 0 audio opus", "Eve 1 video h264",
                "notice: video of Eve (6803130519739709) is not recorded: it is in h264",
                "start 6 Eve 0 microphone on 6", "Eve speaks", "Ada ✓ is Ada Lovelace", "end 2", "Ada ✓ 1 off",
                "Ada ✓ 1 video vp8", "start 7 Ada ✓ 1 camera on 1", "Ada ✓ 3 video vp8",
                "start 8 Ada ✓ 3 screen-share on 7", "end 8", "Ada ✓ 3 off", "end 4", "end 5", "Bob is silent",
                "Bob 0 off", "Bob 1 off", "chat is not there: the chat could not be reached in time",
                "Bob 0 audio opus", "Bob 1 video vp8", "start 9 Bob 0 microphone on 4", "start 10 Bob 1 camera on 5",
                "Mallory 0 muted", "Bob speaks", "Mallory 0 unmuted", "Mallory is silent", "end 3", "Mallory 0 off",
                "- Mallory kicked", "Bob is silent", "end 9", "Bob 0 off", "end 10", "Bob 1 off", "- Bob quit", "end 1",
                "end 6", "end 7",
            ])
        #expect(janus.end == .roomDestroyed)
        #expect(janus.outputs.suffix(7).contains(.closePeer(.media)))
        // What was asked for is what a client that was written for the recording asked for, and got.
        for key in ["streams", "subscribe", "unsubscribe"] {
            let asked = janus.requests.compactMap { $0["body"]?[key] }
            #expect(asked == lines.filter { !$0.isFromServer }.compactMap { $0.message["body"]?[key] })
        }
    }

    @Test func stayThatEndsWithAKick() throws {
        var janus = ScriptedJanus()
        try Transcript.play(Self.transcript("stay-kicked"), into: &janus)
        #expect(Self.story(janus).suffix(4) == ["end 1", "end 3", "end 4", "end 5"])
        #expect(janus.end == .kicked)
        #expect(janus.requests.last?["janus"]?.string == "destroy")
        let count = janus.outputs.count
        janus.say(ScriptedJanus.event(2, ["videoroom": "destroyed"]))
        janus.input(.disconnected(reason: "closed"))
        #expect(janus.outputs.count == count && janus.session.nextDeadline == nil, "nothing follows the end")
    }
}
