import JSON
import MediaTypes
import Testing

@testable import RoomProtocol

/// The way in, and the ways in which there is none.
@Suite struct JanusDoorTests {
    @Test func requestsOnTheWayInAreExact() throws {
        let janus = try ScriptedJanus.joined(publishers: [ScriptedJanus.publisher(5, "Ada", "0 audio opus")]) {
            $0.pin = "open"
            $0.roomToken = "room"
            $0.token = "server"
            $0.apiSecret = "secret"
            $0.participantID = ParticipantID("77")
        }
        var sent = janus.requests
        for index in sent.indices { sent[index]["transaction"] = nil }
        #expect(
            sent.map(\.compact) == [
                #"{"janus":"create","token":"server","apisecret":"secret"}"#,
                #"{"janus":"attach","session_id":1,"plugin":"janus.plugin.videoroom","token":"server","apisecret":"secret"}"#,
                #"{"janus":"message","session_id":1,"handle_id":2,"body":{"request":"join","ptype":"publisher","room":1234,"#
                    + #""display":"Recorder","id":77,"pin":"open","token":"room"},"token":"server","apisecret":"secret"}"#,
                #"{"janus":"attach","session_id":1,"plugin":"janus.plugin.textroom","token":"server","apisecret":"secret"}"#,
                #"{"janus":"attach","session_id":1,"plugin":"janus.plugin.videoroom","token":"server","apisecret":"secret"}"#,
            ])
        #expect(Set(janus.requests.compactMap { $0["transaction"]?.string }).count == 5)
        #expect(janus.events.map { words($0) } == ["joined as Recorder, a room", "+ Ada", "5 0 audio opus"])
    }

    @Test func subscriptionShowsThePrivateID() throws {
        var janus = try ScriptedJanus.joined(
            publishers: [ScriptedJanus.publisher(5, "Ada", "0 audio opus", "1 video vp8", "2 data", "3 video -")]
        ) {
            $0.textRoom = .none
            $0.pin = "open"
        }
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 3]])
        #expect(
            janus.requests.last?["body"]?.compact
                == #"{"request":"join","ptype":"subscriber","room":1234,"use_msid":true,"streams":[{"feed":5,"mid":"0"},"#
                + #"{"feed":5,"mid":"1"},{"feed":5,"mid":"2"}],"private_id":7,"pin":"open"}"#)
    }

    @Test(
        arguments: [
            (426, "No such room (1234)", nil, RoomEnd.refused(.noSuchRoom, message: "there is no room 1234")),
            (433, "Unauthorized (wrong pin)", "x", .refused(.wrongPin, message: "the pin of room 1234 is wrong")),
            (433, "Unauthorized (wrong pin)", nil, .refused(.wrongPin, message: "room 1234 needs a pin")),
            (429, "Missing mandatory element (pin)", nil, .refused(.wrongPin, message: "room 1234 needs a pin")),
            (
                433, "Unauthorized (not in the allowed list)", "x",
                .refused(.unauthorized, message: "room 1234 says: Unauthorized (not in the allowed list)")
            ), (432, "Full", nil, .refused(.roomFull, message: "room 1234 is full: Full")),
            (
                436, "User ID 77 already exists", nil,
                .refused(.nameTaken, message: "the id is taken in room 1234: User ID 77 already exists")
            ),
            (
                499, "An unknown error occurred", nil,
                .refused(.other, message: "room 1234 says: An unknown error occurred (499)")
            ),
        ] as [(Int, String, String?, RoomEnd)])
    func refusedJoinSaysWhy(code: Int, reason: String, pin: String?, end: RoomEnd) throws {
        var configuration = JanusRoomConfiguration(room: .number(1234), displayName: "Recorder")
        configuration.pin = pin
        var janus = ScriptedJanus(configuration)
        janus.input(.connected)
        try janus.answer("create", ["janus": "success", "data": ["id": 1]])
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 2]])
        try janus.answer(
            "message join publisher",
            ScriptedJanus.event(2, ["videoroom": "event", "error_code": JSONValue(code), "error": .string(reason)]))
        #expect(janus.end == end)
        #expect(janus.events.isEmpty)
    }

    @Test(arguments: [
        (403, RoomEnd.refused(.unauthorized, message: "the server says: no")),
        (458, .serverVanished("the server has forgotten the session")),
        (490, .refused(.other, message: "the server says: no (490)")),
    ])
    func refusedSessionSaysWhy(code: Int, end: RoomEnd) throws {
        var janus = ScriptedJanus()
        janus.input(.connected)
        try janus.answer("create", ["janus": "error", "error": ["code": JSONValue(code), "reason": "no"]])
        #expect(janus.end == end)
    }

    @Test(arguments: ["<html>", "", "[]", "{}", "{\"janus\":1}", "{\"janus\":\"success\"", "null", "\u{0}"])
    func somethingElseThanJanusIsNamed(text: String) {
        var janus = ScriptedJanus()
        janus.input(.connected)
        janus.input(.received(text: text))
        #expect(janus.end == .notJanus("what answers does not speak the Janus protocol"))
    }

    @Test func digitsAreAskedForAsANameWhereRoomsHaveNames() throws {
        var janus = ScriptedJanus()
        janus.input(.connected)
        try janus.answer("create", ["janus": "success", "data": ["id": 1]])
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 2]])
        let error = ScriptedJanus.event(
            2, ["error_code": 430, "error": "Invalid element type (room should be a string)"])
        try janus.answer("message join publisher", error)
        #expect(janus.requests.last?["body"]?["room"] == "1234" && janus.end == nil)
        try janus.answer("message join publisher", error)
        #expect(
            janus.end
                == .refused(.other, message: "room 1234 says: Invalid element type (room should be a string) (430)"))
    }

    @Test(arguments: [
        ("1234", JanusRoomID.number(1234)), ("0012", .number(12)), ("12a", .string("12a")), ("", .string("")),
        ("-1", .string("-1")),
        ("18446744073709551616", .string("18446744073709551616")), ("١٢", .string("١٢")),
    ])
    func digitsAreANumber(text: String, id: JanusRoomID) {
        #expect(JanusRoomID(text) == id)
    }

    @Test func silenceOfTheServerEndsTheStay() {
        var janus = ScriptedJanus()
        janus.input(.connected)
        janus.pass(.milliseconds(9999))
        #expect(janus.end == nil)
        janus.pass(.milliseconds(1))
        #expect(janus.end == .serverVanished("the server did not answer within 10 s"))
    }

    @Test func keepalivesGoOutWhenNothingElseDoes() throws {
        var janus = try ScriptedJanus.joined()
        for _ in 0..<4 {
            janus.pass(.seconds(10))
            try janus.answer("keepalive", ["janus": "ack"])
        }
        #expect(janus.end == nil && janus.requests.filter { $0["janus"] == "keepalive" }.count == 4)
        janus.pass(.seconds(10))
        janus.pass(.milliseconds(59_999))
        #expect(janus.end == nil)
        janus.pass(.milliseconds(1))
        #expect(janus.end == .serverVanished("the server did not answer within 60 s"))
    }

    @Test func leavingIsSaidAndDoneWhenTheServerAgrees() throws {
        var janus = try ScriptedJanus.joined()
        _ = janus.take()
        janus.input(.leave)
        #expect(janus.requests.suffix(2).map(ScriptedJanus.signature) == ["message leave", "destroy"])
        janus.input(.leave)
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "leaving": "ok"]))
        #expect(janus.take().count == 2)
        try janus.answer("destroy", ["janus": "success"])
        #expect(janus.take() == [.ended(.left)])
    }

    @Test func leavingTakesASecondAtMost() throws {
        var janus = try ScriptedJanus.joined()
        janus.input(.leave)
        janus.pass(.milliseconds(999))
        #expect(janus.end == nil)
        janus.pass(.milliseconds(1))
        #expect(janus.end == .left)

        var unconnected = ScriptedJanus()
        unconnected.input(.leave)
        #expect(unconnected.outputs == [.ended(.left)])
        var closed = try ScriptedJanus.joined()
        closed.input(.leave)
        closed.input(.disconnected(reason: "closed"))
        #expect(closed.end == .left)
    }

    @Test(
        arguments: [
            (
                ["janus": "timeout", "session_id": 1] as JSONValue,
                RoomEnd.serverVanished("the server ended the session: it had heard nothing from us for too long")
            ),
            (ScriptedJanus.event(2, ["videoroom": "destroyed", "room": 1234]), .roomDestroyed),
            (ScriptedJanus.event(2, ["videoroom": "event", "leaving": "ok", "reason": "kicked"]), .kicked),
            (ScriptedJanus.event(2, ["videoroom": "event", "kicked": 99]), .kicked),
            (["janus": "detached", "sender": 2], .serverVanished("the server has closed the room's handle")),
            (
                ["janus": "hangup", "sender": 3, "reason": "ICE failed"],
                .iceFailed("the server closed the media connection: ICE failed")
            ),
            (
                ["janus": "hangup", "sender": 3, "reason": "DTLS alert"],
                .dtlsFailed("the server closed the media connection: DTLS alert")
            ),
        ] as [(JSONValue, RoomEnd)])
    func serverEndsTheStay(message: JSONValue, end: RoomEnd) throws {
        var janus = try ScriptedJanus.joined(publishers: [ScriptedJanus.publisher(5, "Ada", "0 audio opus")])
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 3]])
        try janus.answer("message join subscriber", ScriptedJanus.offer("attached", "0 audio 5 0 11"))
        janus.say(message)
        #expect(janus.outputs.suffix(3) == [.event(.trackEnded(TrackID(1))), .closePeer(.media), .ended(end)])
    }

    @Test func lostConnectionAndFailedMediaEndTheStay() throws {
        var vanished = try ScriptedJanus.joined()
        vanished.input(.disconnected(reason: "connection reset"))
        #expect(vanished.end == .serverVanished("connection reset"))
        var failed = try ScriptedJanus.joined()
        failed.input(.peerFailed(.media, .iceFailed("no pair")))
        #expect(failed.end == .iceFailed("no pair") && failed.requests.last?["janus"] == "destroy")
    }
}
