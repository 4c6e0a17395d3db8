import JSON
import MediaTypes

/// The requests that are under way, by their transactions, and when the next keepalive is due.
struct JanusRequests {
    /// What a request is for, and so what its answer means.
    enum Purpose: Hashable {
        case create, attachRoom, join, keepalive, leave, destroy
        case attachSubscriber, subscribe, update, start, pause, configure
        case attachText, textSetup, textAnswer
        case trickle(isText: Bool)

        var isAboutText: Bool {
            switch self {
            case .attachText, .textSetup, .textAnswer, .trickle(isText: true): true
            default: false
            }
        }
    }

    private let token: String?
    private let apiSecret: String?
    private let timeout: Duration
    private let stayTimeout: Duration
    private let keepaliveInterval: Duration
    private let prefix: String
    private var counter = 0
    private var underWay: [String: (purpose: Purpose, deadline: MonotonicTime)] = [:]
    private var keepaliveDue: MonotonicTime?

    init(_ configuration: JanusRoomConfiguration, prefix: UInt32) {
        token = configuration.token
        apiSecret = configuration.apiSecret
        timeout = configuration.requestTimeout
        stayTimeout = configuration.stayTimeout
        keepaliveInterval = configuration.keepaliveInterval
        self.prefix = String(prefix, radix: 36)
    }

    var nextDeadline: MonotonicTime? {
        ([keepaliveDue] + underWay.values.map(\.deadline)).compactMap { $0 }.min()
    }

    /// Whether the server is to answer something.
    var isWaiting: Bool { !underWay.isEmpty }

    func isKeepaliveDue(at now: MonotonicTime) -> Bool { keepaliveDue.map { now >= $0 } ?? false }

    /// Adds to a request what every one has, and remembers it. A server forgets a session that sends nothing, so each
    /// request puts off the keepalive.
    /// - Parameter isStaying: the bot is in the room, and so has patience.
    mutating func begin(
        _ request: JSONValue, for purpose: Purpose, isStaying: Bool, at now: MonotonicTime
    ) -> String {
        counter += 1
        let transaction = "\(prefix)-\(counter)"
        var request = request
        request["transaction"] = .string(transaction)
        if let token { request["token"] = .string(token) }
        if let apiSecret { request["apisecret"] = .string(apiSecret) }
        underWay[transaction] = (purpose, now + (isStaying && !purpose.isAboutText ? stayTimeout : timeout))
        keepaliveDue = now + keepaliveInterval
        return request.compact
    }

    /// What a transaction is for, without ending it.
    func purpose(of transaction: String?) -> Purpose? { transaction.flatMap { underWay[$0]?.purpose } }

    /// Ends a transaction.
    mutating func finish(_ transaction: String?) -> Purpose? {
        transaction.flatMap { underWay.removeValue(forKey: $0)?.purpose }
    }

    /// Removes all that are late, and tells what one of them was for: if possible one that is not about the chat.
    mutating func takeLate(at now: MonotonicTime) -> Purpose? {
        let late = underWay.filter { $0.value.deadline <= now }
        for transaction in late.keys { underWay[transaction] = nil }
        let purposes = late.values.map(\.purpose)
        return purposes.first { !$0.isAboutText } ?? purposes.first
    }
}

extension JanusRoomSession {
    /// Sends a request to the server itself, or to a handle.
    mutating func request(
        _ kind: String, for purpose: JanusRequests.Purpose, handle: UInt64? = nil, with members: JSONValue = [:],
        at now: MonotonicTime
    ) {
        var request: JSONValue = ["janus": .string(kind)]
        if let session = state.session { request["session_id"] = JSONValue(session) }
        if let handle { request["handle_id"] = JSONValue(handle) }
        for member in members.object?.members ?? [] { request[member.key] = member.value }
        emit(.send(text: requests.begin(request, for: purpose, isStaying: isStaying, at: now)))
    }

    /// Sends a request to the plugin behind a handle.
    mutating func message(
        _ body: JSONValue, to handle: UInt64, for purpose: JanusRequests.Purpose, answer sdp: String? = nil,
        at now: MonotonicTime
    ) {
        var members: JSONValue = ["body": body]
        if let sdp { members["jsep"] = ["type": "answer", "sdp": .string(sdp)] }
        request("message", for: purpose, handle: handle, with: members, at: now)
    }

    mutating func attach(_ plugin: String, for purpose: JanusRequests.Purpose, at now: MonotonicTime) {
        request("attach", for: purpose, with: ["plugin": .string("janus.plugin.\(plugin)")], at: now)
    }
}

extension JanusRoomID {
    var json: JSONValue {
        switch self {
        case .number(let number): JSONValue(number)
        case .string(let string): .string(string)
        }
    }
}
