// What a Janus server says to somebody in a room of its own, a line a message; a line that is no JSON object is what comes by the
// chat's data channel. A transaction is written as what it answers ("message start"), and exchanged for that of the request.
import JSON
import MediaTypes
import RoomProtocol
import SDP

private struct Counter: RandomNumberGenerator {
    var value: UInt64 = 1
    mutating func next() -> UInt64 {
        value = value &* 6_364_136_223_846_793_005 &+ 1
        return value
    }
}

private let door = [
    #"{"janus":"success","transaction":"create","data":{"id":1}}"#,
    #"{"janus":"success","transaction":"attach janus.plugin.videoroom","data":{"id":2}}"#,
    #"{"janus":"event","sender":2,"transaction":"message join publisher","plugindata":{"data":{"videoroom":"joined","room":1234,"#
        + #""description":"room","id":9,"private_id":7,"publishers":[{"id":5,"display":"Ada","streams":[{"type":"audio","mid":"0","#
        + #""codec":"opus"},{"type":"video","mid":"1","codec":"vp8"}]}]}}}"#,
    #"{"janus":"success","transaction":"attach janus.plugin.videoroom","data":{"id":3}}"#,
    #"{"janus":"success","transaction":"attach janus.plugin.textroom","data":{"id":4}}"#,
]

private struct Stay {
    var session: JanusRoomSession
    var now = MonotonicTime(nanoseconds: 0)
    var transactions: [String: [String]] = [:]
    var live: Set<TrackID> = []
    var hasEnded = false

    init() {
        var generator = Counter()
        session = JanusRoomSession(
            JanusRoomConfiguration(room: .number(1234), displayName: "fuzz"), using: &generator)
        session.handle(.connected, at: now)
        drain()
        for line in door { hear(line) }
    }

    mutating func hear(_ line: String) {
        now = now + .milliseconds(300)
        session.wake(at: now)
        drain()
        if line.hasPrefix("{"), var message = try? JSONValue(parsing: line), message["janus"] != nil {
            if let purpose = message["transaction"]?.string, let transaction = transactions[purpose]?.popLast() {
                message["transaction"] = .string(transaction)
            }
            session.handle(.received(text: message.compact), at: now)
        } else {
            session.handle(.received(text: line), at: now)
            session.handle(
                .message(.text, label: "JanusDataChannel", payload: Array(line.utf8), isText: true), at: now)
            session.handle(.message(.media, label: "5", payload: Array(line.utf8), isText: true), at: now)
        }
        drain()
    }

    mutating func drain() {
        while let output = session.nextOutput() {
            precondition(!hasEnded, "something comes after the end")
            switch output {
            case .send(let text):
                guard let request = try? JSONValue(parsing: text) else {
                    preconditionFailure("what we send is no JSON")
                }
                let purpose = [
                    request["janus"], request["plugin"], request["body"]?["request"], request["body"]?["ptype"],
                ]
                .compactMap { $0?.string }.joined(separator: " ")
                if let transaction = request["transaction"]?.string {
                    transactions[purpose, default: []].append(transaction)
                }
            case .applyOffer(let peer, _):
                session.handle(.localDescription(peer, sdp: "answer"), at: now)
                session.handle(.peerConnected(peer), at: now)
                if peer == .text { session.handle(.channelOpened(.text, label: "JanusDataChannel"), at: now) }
            case .event(.trackStarted(let track)):
                precondition(live.insert(track.id).inserted, "a track starts twice")
            case .event(.trackEnded(let track)):
                precondition(live.remove(track) != nil, "a track ends that never was")
            case .ended: hasEnded = true
            default: break
            }
        }
    }
}

func fuzz(_ bytes: [UInt8]) {
    var stay = Stay()
    precondition(!stay.hasEnded, "the door is shut")
    for line in bytes.split(separator: 10).prefix(64) { stay.hear(String(decoding: line, as: UTF8.self)) }
    stay.session.handle(.leave, at: stay.now)
    stay.drain()
    stay.session.wake(at: stay.now + .seconds(2))
    stay.drain()
    precondition(stay.hasEnded && stay.live.isEmpty, "a stay that has no end")
}
