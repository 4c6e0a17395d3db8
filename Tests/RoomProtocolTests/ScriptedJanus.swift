import CallbotTesting
import JSON
import MediaTypes
import SDP
import Testing

@testable import RoomProtocol

/// A stay with a server that says what the test says, at times that the test sets.
struct ScriptedJanus {
    var session: JanusRoomSession
    var now = MonotonicTime(nanoseconds: 0)
    /// What came out, all of it, and what came out since `take` was called last.
    var outputs: [JanusRoomSession.Output] = []
    private var taken = 0
    private var answered: Set<String> = []
    var answersOffers = true

    init(_ configuration: JanusRoomConfiguration = JanusRoomConfiguration(room: .number(1234), displayName: "Recorder"))
    {
        var generator = SeededGenerator(seed: 1)
        session = JanusRoomSession(configuration, using: &generator)
    }

    mutating func input(_ input: JanusRoomSession.Input) {
        session.handle(input, at: now)
        drain()
    }

    mutating func pass(_ span: Duration) {
        let end = now + span
        while let deadline = session.nextDeadline, deadline <= end {
            now = max(now, deadline)
            session.wake(at: now)
            drain()
        }
        now = end
    }

    mutating func drain() {
        while let output = session.nextOutput() {
            outputs.append(output)
            if answersOffers, case .applyOffer(let peer, _) = output {
                session.handle(.localDescription(peer, sdp: "answer"), at: now)
            }
        }
    }

    /// What came out since the last call.
    mutating func take() -> [JanusRoomSession.Output] {
        defer { taken = outputs.count }
        return Array(outputs[taken...])
    }

    var events: [RoomEvent] { outputs.compactMap { if case .event(let event) = $0 { event } else { nil } } }

    var end: RoomEnd? {
        if case .ended(let end)? = outputs.last { end } else { nil }
    }

    /// All requests that were sent.
    var requests: [JSONValue] {
        outputs.compactMap { if case .send(let text) = $0 { try? JSONValue(parsing: text) } else { nil } }
    }

    /// What a request is about: `attach janus.plugin.videoroom`, `message join publisher`.
    static func signature(_ request: JSONValue) -> String {
        [request["janus"], request["plugin"], request["body"]?["request"], request["body"]?["ptype"]]
            .compactMap { $0?.string }.joined(separator: " ")
    }

    /// The transaction of the first request with this signature that has not been answered yet.
    mutating func transaction(_ signature: String) -> String? {
        for request in requests where Self.signature(request) == signature {
            if let transaction = request["transaction"]?.string, answered.insert(transaction).inserted {
                return transaction
            }
        }
        return nil
    }

    /// The server answers a request.
    mutating func answer(_ signature: String, _ message: JSONValue) throws {
        var message = message
        message["transaction"] = .string(try #require(transaction(signature), "\(signature) was not sent"))
        input(.received(text: message.compact))
    }

    /// The server says something by itself.
    mutating func say(_ message: JSONValue) { input(.received(text: message.compact)) }

    /// A plugin says something: handle 2 is the room, 3 the subscription, 4 the chat.
    static func event(_ handle: Int, _ data: JSONValue, offer: String? = nil) -> JSONValue {
        var event: JSONValue = ["janus": "event", "sender": JSONValue(handle), "plugindata": ["data": data]]
        if let offer { event["jsep"] = ["type": "offer", "sdp": .string(offer)] }
        return event
    }

    /// Goes through the door, to a room with these publishers; no chat unless it is asked for.
    static func joined(
        publishers: JSONValue = [], _ configure: (inout JanusRoomConfiguration) -> Void = { $0.textRoom = .none }
    ) throws -> ScriptedJanus {
        var configuration = JanusRoomConfiguration(room: .number(1234), displayName: "Recorder")
        configure(&configuration)
        var janus = ScriptedJanus(configuration)
        janus.input(.connected)
        try janus.answer("create", ["janus": "success", "data": ["id": 1]])
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 2]])
        try janus.answer(
            "message join publisher",
            event(
                2,
                [
                    "videoroom": "joined", "room": 1234, "description": "a room", "id": 99, "private_id": 7,
                    "publishers": publishers,
                ]))
        return janus
    }

    /// One publisher as the room lists it. A stream is `mid type codec [description]`, or `mid type -` when disabled.
    static func publisher(_ id: Int, _ name: String, _ streams: String...) -> JSONValue {
        let list = streams.map { text -> JSONValue in
            let words = text.split(separator: " ").map(String.init)
            var stream: JSONValue = ["type": .string(words[1]), "mid": .string(words[0])]
            if words.count > 2 {
                stream[words[2] == "-" ? "disabled" : "codec"] = words[2] == "-" ? true : .string(words[2])
            }
            if words.count > 3 { stream["description"] = .string(words[3]) }
            return stream
        }
        return ["id": JSONValue(id), "display": .string(name), "streams": .array(list)]
    }

    /// A subscription's streams and the offer for them; each is `mid kind feed feedMid ssrc`, or `mid kind` when inactive.
    static func offer(_ kind: String, _ sections: String...) -> JSONValue {
        var sdp = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0"]
        var streams: [JSONValue] = []
        for section in sections {
            let words = section.split(separator: " ").map(String.init)
            sdp += ["m=\(words[1]) 9 UDP/TLS/RTP/SAVPF 96", "a=mid:\(words[0])"]
            sdp += words.count > 2 ? ["a=sendonly", "a=ssrc:\(words[4]) cname:janus"] : ["a=inactive"]
            var stream: JSONValue = [
                "type": .string(words[1]), "mid": .string(words[0]), "active": .bool(words.count > 2),
            ]
            if words.count > 2 {
                stream["feed_id"] = JSONValue(Int(words[2]) ?? 0)
                stream["feed_mid"] = .string(words[3])
            }
            streams.append(stream)
        }
        return event(
            3, ["videoroom": .string(kind), "room": 1234, "streams": .array(streams)],
            offer: sdp.joined(separator: "\r\n") + "\r\n")
    }
}
