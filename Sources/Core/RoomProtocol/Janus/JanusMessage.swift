import JSON

/// One message from the server, sorted by its `janus` key. Keys that are missing or of the wrong type are nil: a server of
/// another version is no reason to stop.
struct JanusMessage {
    enum Kind: String {
        case ack, success, error, event, webrtcup, media, slowlink, hangup, detached, timeout, trickle, keepalive
    }

    /// nil for a kind that is not known.
    var kind: Kind?
    var kindName: String
    var transaction: String?
    /// The handle it comes from.
    var sender: UInt64?
    var json: JSONValue

    /// nil when it is no message of Janus at all.
    init?(parsing text: String) {
        guard text.utf8.count <= 16 << 20, let json = try? JSONValue(parsing: text), let name = json["janus"]?.string
        else {
            return nil
        }
        kindName = name
        kind = Kind(rawValue: name)
        transaction = json["transaction"]?.string
        sender = json["sender"]?.unsigned
        self.json = json
    }

    /// What a plugin says.
    var pluginData: JSONValue? { json["plugindata"]?["data"] }

    /// The SDP that comes along, if it is an offer.
    var offer: String? {
        guard let jsep = json["jsep"], jsep["type"]?.string == "offer" else { return nil }
        return jsep["sdp"]?.string
    }

    /// The error of the server's core.
    var coreError: JanusError? {
        guard kind == .error else { return nil }
        return JanusError(
            code: json["error"]?["code"]?.int ?? 0, reason: json["error"]?["reason"]?.string ?? "unknown error")
    }
}

/// An error as Janus tells it: a number to decide by, and a sentence to show.
struct JanusError: Hashable {
    var code: Int
    var reason: String

    init(code: Int, reason: String) {
        self.code = code
        self.reason = String(reason.prefix(300))
    }

    /// The error in what a plugin says.
    init?(in data: JSONValue?) {
        guard let code = data?["error_code"]?.int else { return nil }
        self.init(code: code, reason: data?["error"]?.string ?? "unknown error")
    }
}

extension JSONValue {
    /// An id of a room, a person or a feed: a number, or a string, made text.
    var janusID: String? { string ?? unsigned.map { String($0) } }
}
