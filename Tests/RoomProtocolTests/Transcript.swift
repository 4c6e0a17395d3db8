import JSON
import MediaTypes

@testable import RoomProtocol

/// Plays what a server said once to the machine. The transactions of its answers are exchanged for those of our own
/// requests of the same kind, so a request that we do not send is noticed.
struct Transcript {
    struct Line {
        /// In seconds since the start.
        var at: Double
        var isFromServer: Bool
        var message: JSONValue
    }

    var janus: ScriptedJanus
    private var signatures: [String: String] = [:]
    private var transactions: [String: String] = [:]

    init(_ janus: ScriptedJanus) {
        self.janus = janus
        self.janus.input(.connected)
    }

    static func play(_ lines: [Line], into janus: inout ScriptedJanus) {
        var transcript = Transcript(janus)
        for line in lines { transcript.play(line) }
        janus = transcript.janus
    }

    mutating func play(_ line: Line) {
        let transaction = line.message["transaction"]?.string
        if !line.isFromServer {
            if let transaction { signatures[transaction] = ScriptedJanus.signature(line.message) }
            return
        }
        var message = line.message
        if let transaction {
            if transactions[transaction] == nil {
                transactions[transaction] = signatures[transaction].flatMap { janus.transaction($0) } ?? "none"
            }
            message["transaction"] = transactions[transaction].map(JSONValue.string)
        }
        let elapsed = line.at - Double(janus.now.nanoseconds) / 1e9
        if elapsed > 0 { janus.pass(.milliseconds(Int(elapsed * 1000))) }
        janus.say(message)
        // The stays were recorded by one who did not wait for the connection; here there is none.
        while let pause = janus.transaction("message pause") {
            var paused = ScriptedJanus.event(3, ["videoroom": "event", "room": 1234, "paused": "ok"])
            paused["transaction"] = .string(pause)
            janus.say(paused)
        }
    }
}
