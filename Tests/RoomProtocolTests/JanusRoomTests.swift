import JSON
import MediaTypes
import Testing

@testable import RoomProtocol

/// People who come, go, speak and are called something.
@Suite struct JanusRoomTests {
    func newEvents(_ janus: inout ScriptedJanus) -> [String] {
        janus.take().compactMap { if case .event(let event) = $0 { words(event) } else { nil } }
    }

    func say(_ data: JSONValue, to janus: inout ScriptedJanus) { janus.say(ScriptedJanus.event(2, data)) }

    @Test func thoseWhoOnlyAttendAreParticipants() throws {
        var janus = try ScriptedJanus.joined()
        _ = janus.take()
        say(["videoroom": "event", "joining": ["id": 5, "display": "Ada"]], to: &janus)
        say(["videoroom": "event", "joining": ["id": 99, "display": "Recorder"]], to: &janus)
        say(["videoroom": "event", "attendees": [["id": 6]]], to: &janus)
        say(["videoroom": "event", "id": 6, "display": "Bob"], to: &janus)
        say(["videoroom": "event", "id": 6, "display": "Bob"], to: &janus)
        say(["videoroom": "event", "id": 7, "display": "Nobody"], to: &janus)
        say(["videoroom": "event", "leaving": 5], to: &janus)
        say(["videoroom": "event", "leaving": 5], to: &janus)
        say(["videoroom": "event", "kicked": 6], to: &janus)
        #expect(newEvents(&janus) == ["+ Ada", "+ ", "6 is Bob", "- 5 quit", "- 6 kicked"])
    }

    @Test func whoLostTheConnectionIsToldFromWhoLeft() throws {
        var janus = try ScriptedJanus.joined(publishers: [ScriptedJanus.publisher(5, "Ada", "0 audio opus")])
        _ = janus.take()
        // As when a session times out: taken back twice, then gone.
        say(["videoroom": "event", "unpublished": 5], to: &janus)
        say(["videoroom": "event", "unpublished": 5], to: &janus)
        say(["videoroom": "event", "leaving": 5], to: &janus)
        #expect(newEvents(&janus) == ["5 0 off", "- 5 dropped"])
        // Unpublishing and leaving by oneself, some time later.
        say(["videoroom": "event", "publishers": [ScriptedJanus.publisher(5, "Ada", "0 audio opus")]], to: &janus)
        say(["videoroom": "event", "unpublished": 5], to: &janus)
        janus.pass(.seconds(2))
        say(["videoroom": "event", "leaving": 5], to: &janus)
        #expect(newEvents(&janus).last == "- 5 quit")
    }

    @Test func somebodySpeaksAsLongAsOneTrackDoes() throws {
        var janus = try ScriptedJanus.joined(
            publishers: [ScriptedJanus.publisher(5, "Ada", "0 audio opus", "3 audio opus")])
        _ = janus.take()
        func talking(_ mid: String, _ isTalking: Bool) {
            say(
                ["videoroom": .string(isTalking ? "talking" : "stopped-talking"), "id": 5, "mid": .string(mid)],
                to: &janus)
        }
        talking("0", true)
        talking("3", true)
        talking("0", false)
        #expect(newEvents(&janus) == ["5 speaks"])
        talking("3", false)
        talking("3", false)
        #expect(newEvents(&janus) == ["5 is silent"])
        talking("0", true)
        say(["videoroom": "event", "unpublished": 5], to: &janus)
        #expect(newEvents(&janus) == ["5 speaks", "5 is silent", "5 0 off", "5 3 off"])
    }

    @Test func namesAsIdsWorkLikeNumbers() throws {
        let ada: JSONValue = [
            "id": "ada", "display": "Ada", "streams": [["type": "audio", "mid": "0", "codec": "opus"]],
        ]
        var janus = try ScriptedJanus.joined(publishers: [ada])
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 3]])
        #expect(janus.requests.last?["body"]?["streams"]?.compact == #"[{"feed":"ada","mid":"0"}]"#)
        say(["videoroom": "event", "id": "ada", "mid": "0", "moderation": "muted"], to: &janus)
        say(["videoroom": "event", "id": "ada", "mid": "0", "moderation": "unmuted"], to: &janus)
        say(["videoroom": "event", "leaving": "ada"], to: &janus)
        #expect(newEvents(&janus).suffix(4) == ["ada 0 muted", "ada 0 unmuted", "ada 0 off", "- ada quit"])
    }

    @Test(arguments: [
        (["0 audio opus", "1 video vp8"], ["microphone", "camera"]),
        (
            ["0 audio opus", "1 video vp8", "2 video vp8", "3 audio opus"],
            ["microphone", "camera", "screen-share", "screen-share-audio"]
        ),
        (["0 video vp8 Screen", "1 video vp8 cam"], ["screen-share", "camera"]),
        (["0 video vp8", "1 video vp8 second"], ["camera", "camera"]),
    ])
    func sourceIsWhatTheDescriptionSaysOrTheOrderSuggests(streams: [String], sources: [String]) {
        var roster = JanusRoster()
        let id = ParticipantID("5")
        roster[id] = JanusRoster.Entry(id: 5, name: "Ada")
        let list = streams.map { text -> JSONValue in
            let words = text.split(separator: " ").map(String.init)
            var stream: JSONValue = ["mid": .string(words[0]), "type": .string(words[1]), "codec": .string(words[2])]
            if words.count > 3 { stream["description"] = .string(words[3]) }
            return stream
        }
        roster[id]?.streams = JanusRoster.streams(of: ["streams": .array(list)])
        #expect(roster[id]?.streams.map { roster.source(of: FeedStream(feed: id, mid: $0.mid)).rawValue } == sources)
    }
}
