import CallbotTesting
import JSON
import MediaTypes
import Testing

@testable import RoomProtocol

@Suite struct JanusTextTests {
    static let offer = "v=0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:0\r\n"

    /// In the room, and the chat's channel has just been opened.
    func channel(_ configure: (inout JanusRoomConfiguration) -> Void = { _ in }) throws -> ScriptedJanus {
        var janus = try ScriptedJanus.joined(
            publishers: [ScriptedJanus.publisher(5, "Ada", "0 audio opus")], configure)
        try janus.answer("attach janus.plugin.textroom", ["janus": "success", "data": ["id": 4]])
        try janus.answer(
            "message setup", ScriptedJanus.event(4, ["textroom": "event", "result": "ok"], offer: Self.offer))
        #expect(janus.requests.last?["body"]?["request"] == "ack" && janus.requests.last?["jsep"]?["type"] == "answer")
        janus.input(.peerConnected(.text))
        #expect(janus.outputs.last == .openChannel(.text, label: "JanusDataChannel"))
        janus.input(.channelOpened(.text, label: "JanusDataChannel"))
        return janus
    }

    func hear(_ message: JSONValue, _ janus: inout ScriptedJanus) {
        janus.input(.message(.text, label: "JanusDataChannel", payload: message.compactUTF8, isText: true))
    }

    func newEvents(_ janus: inout ScriptedJanus) -> [String] {
        janus.take().compactMap { if case .event(let event) = $0 { words(event) } else { nil } }
    }

    func joined() throws -> ScriptedJanus {
        var janus = try channel()
        hear(["textroom": "success", "transaction": "join", "participants": []], &janus)
        _ = janus.take()
        return janus
    }

    @Test func joinIsSentOnTheChannel() throws {
        let janus = try channel {
            $0.textRoom = .room(.string("chat"))
            $0.textPin = "open"
        }
        guard case .sendMessage(.text, "JanusDataChannel", let text)? = janus.outputs.last else {
            return #expect(Bool(false), "no join")
        }
        let name = janus.session.textRoom.username
        #expect(name.hasPrefix("callbot-") && name.count > 8)
        #expect(
            text
                == #"{"textroom":"join","transaction":"join","room":"chat","username":"\#(name)","display":"Recorder","pin":"open"}"#
        )
    }

    @Test func chatRecordedFromARealServerReadsAsItWas() throws {
        var janus = try channel()
        _ = janus.take()
        let own = janus.session.textRoom.username
        for line in try JanusTranscriptTests.transcript("textroom-channel") where line.isFromServer {
            var message = line.message
            if message["username"] == "mal" { message["username"] = .string(own) }
            if message["transaction"] != nil { message["transaction"] = "join" }
            hear(message, &janus)
        }
        #expect(
            newEvents(&janus) == [
                "chat is there", "chat + ada (Ada ✓)", "chat + bob (Bob)",
                "message ada (Ada ✓): hi 😀 @2026-11-30T05:26:49+0000",
                "announcement - (-): said by the room @2026-11-30T05:27:07+0000", "chat - bob",
                "chat is not there: the bot was removed from the chat",
            ])
        #expect(janus.outputs.contains(.closePeer(.text)) && janus.end == nil)
    }

    @Test func whatWasSaidBeforeTheBotCameIsHistory() throws {
        var janus = try channel()
        _ = janus.take()
        let own = JSONValue.string(janus.session.textRoom.username)
        hear(["textroom": "message", "from": "ada", "date": "d1", "text": "old", "display": "Ada"], &janus)
        hear(["textroom": "join", "username": own, "display": "Recorder"], &janus)
        hear(["textroom": "message", "from": "ada", "date": "d2", "text": "new"], &janus)
        hear(
            ["textroom": "success", "transaction": "join", "participants": [["username": "ada", "display": "Ada"]]],
            &janus)
        hear(["textroom": "message", "from": "ada", "text": "for you", "whisper": true], &janus)
        #expect(
            newEvents(&janus) == [
                "history message ada (Ada): old @d1", "message ada (-): new @d2", "chat is there", "chat + ada (Ada)",
                "private ada (Ada): for you @-",
            ])
    }

    @Test(arguments: [
        (417, "No such room (1234)"), (418, "Unauthorized (wrong pin)"), (420, "Username already taken"),
    ])
    func refusedJoinMeansNoChatAndNothingWorse(code: Int, reason: String) throws {
        var janus = try channel()
        hear(
            ["textroom": "error", "transaction": "join", "error_code": JSONValue(code), "error": .string(reason)],
            &janus)
        #expect(newEvents(&janus).last == "chat is not there: \(reason) (\(code))" && janus.end == nil)
        hear(["textroom": "message", "from": "ada", "text": "late"], &janus)
        #expect(newEvents(&janus) == [])
    }

    @Test func serverWithoutTextRoomsIsNoError() throws {
        var janus = try ScriptedJanus.joined { _ in }
        try janus.answer(
            "attach janus.plugin.textroom", ["janus": "error", "error": ["code": 460, "reason": "No such plugin"]])
        #expect(janus.events.last == .chatAvailable(false, reason: "the server has no text rooms"))
        janus.pass(.seconds(20))
        #expect(janus.end == nil)
        // The room goes on as ever.
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "joining": ["id": 8, "display": "Zoe"]]))
        #expect(janus.events.last.map { words($0) } == "+ Zoe")
    }

    @Test func silentOrBrokenChatIsGivenUp() throws {
        var silent = try ScriptedJanus.joined { _ in }
        silent.pass(.seconds(10))
        #expect(silent.events.last == .chatAvailable(false, reason: "the server did not answer in time"))
        var unconnected = try ScriptedJanus.joined { _ in }
        try unconnected.answer("attach janus.plugin.textroom", ["janus": "success", "data": ["id": 4]])
        try unconnected.answer("message setup", ScriptedJanus.event(4, ["textroom": "event"], offer: Self.offer))
        try unconnected.answer("message ack", ScriptedJanus.event(4, ["textroom": "event", "result": "ok"]))
        unconnected.pass(.seconds(20))
        #expect(unconnected.events.last == .chatAvailable(false, reason: "the chat could not be reached in time"))
        var failed = try joined()
        failed.input(.peerFailed(.text, .dtlsFailed("bad certificate")))
        #expect(newEvents(&failed) == ["chat is not there: the chat's connection failed: bad certificate"])
        var hungUp = try joined()
        hungUp.say(["janus": "hangup", "sender": 4, "reason": "Close PC"])
        #expect(newEvents(&hungUp) == ["chat is not there: the server closed the chat's connection: Close PC"])
        #expect([silent, unconnected, failed, hungUp].allSatisfy { $0.end == nil })
    }

    @Test func chatThatWasLostIsJoinedAgainUnderAnotherName() throws {
        var janus = try joined()
        hear(["textroom": "join", "username": "ada", "display": "Ada"], &janus)
        hear(["textroom": "join", "username": "bo", "display": "Bo"], &janus)
        let name = janus.session.textRoom.username
        janus.input(.peerFailed(.text, .iceFailed("nothing came back")))
        #expect(janus.outputs.contains(.closePeer(.text)))
        #expect(newEvents(&janus).last == "chat is not there: the chat's connection failed: nothing came back")
        // The first attempt finds the server silent, which is not worth another word.
        janus.pass(.seconds(1))
        #expect(janus.requests.last?["plugin"] == "janus.plugin.textroom")
        janus.pass(.seconds(10))
        _ = janus.transaction("attach janus.plugin.textroom")
        #expect(newEvents(&janus) == [])
        janus.pass(.seconds(2))
        try janus.answer("attach janus.plugin.textroom", ["janus": "success", "data": ["id": 9]])
        try janus.answer(
            "message setup", ScriptedJanus.event(9, ["textroom": "event", "result": "ok"], offer: Self.offer))
        janus.input(.peerConnected(.text))
        janus.input(.channelOpened(.text, label: "JanusDataChannel"))
        #expect(janus.session.textRoom.username != name)
        hear(
            [
                "textroom": "success", "transaction": "join",
                "participants": [["username": "bo", "display": "Bo"], ["username": "cy", "display": "Cy"]],
            ], &janus)
        #expect(newEvents(&janus) == ["chat is there", "chat - ada", "chat + cy (Cy)"])
        #expect(janus.end == nil)
    }

    @Test func badMessagesAreCountedAndDropped() throws {
        var janus = try joined()
        func hear(_ bytes: [UInt8]) {
            janus.input(.message(.text, label: "JanusDataChannel", payload: bytes, isText: true))
        }
        hear([0xFF, 0xFE])
        hear(Array(repeating: 0x20, count: 65537))
        hear(Array("{\"textroom\":".utf8))
        hear(Array("[]".utf8))
        hear([])
        hear(Array("{\"textroom\":\"message\",\"from\":\"ada\",\"text\":7}".utf8))
        #expect(
            newEvents(&janus) == [
                "dropped 2: it is not valid UTF-8", "dropped 65537: it is too large",
                "dropped 12: it is no message of a text room",
                "dropped 2: it is no message of a text room", "dropped 0: it is no message of a text room",
            ])
    }

    @Test func textOnAParticipantsOwnChannelIsChat() throws {
        var janus = try joined()
        func data(_ label: String, _ payload: [UInt8], isText: Bool = true) {
            janus.input(.message(.media, label: label, payload: payload, isText: isText))
        }
        data("5", Array("hello".utf8))
        data("6", Array("who?".utf8))
        data("5", [1, 2], isText: false)
        data("5", [0xC3])
        data("5", [])
        #expect(
            newEvents(&janus) == [
                "data 5 (Ada): hello @-", "data 6 (-): who? @-", "dropped 2: it is no text",
                "dropped 1: it is not valid UTF-8",
            ])
    }

    @Test func endOfTheStayClosesBothConnections() throws {
        var janus = try joined()
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 3]])
        _ = janus.take()
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "leaving": "ok", "reason": "kicked"]))
        #expect(janus.take().suffix(3) == [.closePeer(.media), .closePeer(.text), .ended(.kicked)])
    }
}
