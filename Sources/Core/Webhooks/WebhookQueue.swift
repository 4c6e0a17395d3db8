package import MediaTypes

/// What is to be told to whom, until it has been told: in order for each recording, again with longer and longer pauses while
/// nobody takes it, and given up in the end. Pure: what happened and time in, actions out.
///
/// What is about different recordings overtakes each other, so that one that somebody refuses holds up no other.
package struct WebhookQueue: Sendable {
    /// Something that is to be told.
    package struct Message: Hashable, Sendable {
        package var id: Int
        package var address: String
        /// What must stay in order: a recording's id.
        package var subject: String
        /// JSON.
        package var body: String

        package init(id: Int, address: String, subject: String, body: String) {
            self.id = id
            self.address = address
            self.subject = subject
            self.body = body
        }
    }

    /// How an attempt ended.
    package enum Answer: Hashable, Sendable {
        /// With a status of HTTP.
        case status(Int)
        case failed(String)

        /// Whether the message has been taken.
        var isTaken: Bool { if case .status(200..<300) = self { true } else { false } }
        /// Whether another attempt would end alike: the address is gone for good, or will not have it.
        var isFinal: Bool {
            if case .status(let code) = self {
                [400, 401, 403, 404, 405, 410, 413, 415, 422].contains(code)
            } else {
                false
            }
        }
    }

    package enum Output: Hashable, Sendable {
        case send(Message, attempt: Int)
        case delivered(Message, attempts: Int)
        /// - Parameter next: when it is tried again.
        case delayed(Message, Answer, next: MonotonicTime)
        case givenUp(Message, Answer)
        /// There are too many that wait: this one is not told.
        case dropped(Message)
    }

    /// How long after each attempt the next one begins; the last is for all others.
    package static let pauses: [Duration] = [
        .seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(600), .seconds(3600),
    ]
    /// With these pauses, about a day.
    package static let mostAttempts = 28
    /// Messages that wait, at most.
    package static let most = 10_000
    /// Messages under way at once, at most.
    package static let mostUnderWay = 8

    private struct Lane: Hashable {
        var address: String
        var subject: String
    }

    private enum State: Hashable {
        case due(MonotonicTime)
        case underWay
    }

    /// The first of each lane is the one that is tried.
    private var lanes: [Lane: [Message]] = [:]
    private var states: [Lane: (state: State, attempts: Int)] = [:]
    private var underWay = 0
    private var count = 0
    private var outputs = OutputQueue<Output>()

    package init() {}

    package mutating func nextOutput() -> Output? { outputs.next() }

    /// All that has not been told yet, in the order of the ids.
    package var waiting: [Message] { lanes.values.flatMap { $0 }.sorted { $0.id < $1.id } }

    package var nextDeadline: MonotonicTime? {
        // With the hands full, the next one begins when one has ended.
        if underWay >= Self.mostUnderWay { return nil }
        return states.values.reduce(nil) {
            if case .due(let time) = $1.state { earliest($0, time) } else { $0 }
        }
    }

    package mutating func add(_ message: Message, at now: MonotonicTime) {
        guard count < Self.most else { return outputs.append(.dropped(message)) }
        count += 1
        let lane = Lane(address: message.address, subject: message.subject)
        lanes[lane, default: []].append(message)
        if states[lane] == nil { states[lane] = (.due(now), 0) }
        wake(at: now)
    }

    package mutating func answered(_ message: Message, _ answer: Answer, at now: MonotonicTime) {
        let lane = Lane(address: message.address, subject: message.subject)
        guard let (state, attempts) = states[lane], state == .underWay, lanes[lane]?.first?.id == message.id else {
            return
        }
        underWay -= 1
        if !answer.isTaken, !answer.isFinal, attempts < Self.mostAttempts {
            let next = now + Self.pauses[min(attempts, Self.pauses.count) - 1]
            states[lane] = (.due(next), attempts)
            outputs.append(.delayed(message, answer, next: next))
        } else {
            outputs.append(answer.isTaken ? .delivered(message, attempts: attempts) : .givenUp(message, answer))
            count -= 1
            lanes[lane]?.removeFirst()
            let isEmpty = lanes[lane]?.isEmpty ?? true
            if isEmpty { lanes[lane] = nil }
            states[lane] = isEmpty ? nil : (.due(now), 0)
        }
        wake(at: now)
    }

    package mutating func wake(at now: MonotonicTime) {
        let due = states.compactMap { lane, entry in
            if case .due(let time) = entry.state, time <= now { (lane, time) } else { nil }
        }.sorted { ($0.1, lanes[$0.0]?.first?.id ?? 0) < ($1.1, lanes[$1.0]?.first?.id ?? 0) }
        for (lane, _) in due {
            guard underWay < Self.mostUnderWay, let message = lanes[lane]?.first, let entry = states[lane] else {
                return
            }
            underWay += 1
            states[lane] = (.underWay, entry.attempts + 1)
            outputs.append(.send(message, attempt: entry.attempts + 1))
        }
    }
}
