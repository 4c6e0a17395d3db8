import EventLoop
import JSON
import Logging
import MediaTypes
import Storage
import WebIO
import Webhooks

/// Tells addresses on the web what happens, signed, again until they take it, over restarts. Used on its loop's thread only.
///
/// A message is a POST of JSON. `Callbot-Signature` is `t=SECONDS,sha256=HEX`: the keyed hash (RFC 2104) of the seconds, a
/// full stop and the body, so that nobody can make one up or send an old one again unnoticed.
final class WebhookSender {
    /// Bytes of the delivery log that are kept, and as many again that are older.
    private static let mostLog: Int64 = 8 << 20

    private let addresses: [String]
    private let key: [UInt8]?
    private let place: StatePlace
    private let loop: LoopExecutor
    private let logger: Logger
    private var queue = WebhookQueue()
    private var posts: [Int: HTTPPost] = [:]
    private var timer: LoopTimer?
    private var lastID = 0
    private var log: AppendFile?

    /// - Parameter key: what messages are signed with; nil for no signature.
    init(to addresses: [String], key: [UInt8]?, _ place: StatePlace, loop: LoopExecutor, logger: Logger) {
        self.addresses = addresses
        self.key = key
        self.place = place
        self.loop = loop
        self.logger = logger
        timer = LoopTimer(on: loop) { [weak self] in self?.wake() }
        for message in kept() where addresses.contains(message.address) {
            lastID = max(lastID, message.id)
            queue.add(message, at: HostClock.now())
        }
        perform()
    }

    /// - Parameters:
    ///   - event: what happened, such as `recording-started`.
    ///   - subject: what must stay in order: the run.
    func tell(_ event: String, about subject: String, _ facts: JSONValue) {
        guard !addresses.isEmpty else { return }
        for address in addresses {
            lastID += 1
            var body = facts
            body["event"] = .string(event)
            body["delivery"] = JSONValue(lastID)
            body["at"] = .string(HostClock.wallTime().iso8601)
            queue.add(
                .init(id: lastID, address: address, subject: subject, body: body.compact), at: HostClock.now())
        }
        keep()
        perform()
    }

    private func wake() {
        queue.wake(at: HostClock.now())
        perform()
    }

    private func perform() {
        while let output = queue.nextOutput() {
            switch output {
            case .send(let message, _): send(message)
            case .delivered(let message, let attempts): note(message, "delivered", attempts: attempts)
            case .delayed(let message, let answer, _): note(message, answer.words)
            case .givenUp(let message, let answer):
                logger.error("a webhook is given up: \(answer.words)", ["address": .string(message.address)])
                note(message, "given up: \(answer.words)")
            case .dropped(let message): note(message, "dropped: too many wait")
            }
        }
        timer?.set(queue.nextDeadline)
    }

    private func send(_ message: WebhookQueue.Message) {
        let body = Array(message.body.utf8)
        var headers = [("User-Agent", "callbot"), ("Callbot-Delivery", String(message.id))]
        if let key {
            let seconds = HostClock.wallTime().microseconds / 1_000_000
            let hash = hmacSHA256(Array("\(seconds).".utf8) + body, key: key)
            headers.append(("Callbot-Signature", "t=\(seconds),sha256=\(hash)"))
        }
        posts[message.id] = HTTPPost(
            .init(address: message.address, headers: headers, body: body), loop: loop
        ) { [weak self] outcome in
            guard let self else { return }
            posts[message.id] = nil
            let answer: WebhookQueue.Answer =
                switch outcome {
                case .status(let code): .status(code)
                case .failed(let reason): .failed(reason)
                }
            queue.answered(message, answer, at: HostClock.now())
            keep()
            perform()
        }
    }

    // MARK: - On disk

    private func kept() -> [WebhookQueue.Message] {
        guard let bytes = try? SmallFile.read(place.webhooks), let json = try? JSONValue(parsing: bytes) else {
            return []
        }
        return (json.array ?? []).compactMap { message in
            guard let id = message["id"]?.int, let address = message["address"]?.string,
                let subject = message["subject"]?.string, let body = message["body"]?.string
            else { return nil }
            return .init(id: id, address: address, subject: subject, body: body)
        }
    }

    private func keep() {
        let json = JSONValue.array(
            queue.waiting.map {
                [
                    "id": JSONValue($0.id), "address": .string($0.address), "subject": .string($0.subject),
                    "body": .string($0.body),
                ]
            })
        do { try AtomicFile.replace(place.webhooks, with: json.compactUTF8) } catch {
            logger.error("what is to be told cannot be kept: \(error)")
        }
    }

    private func note(_ message: WebhookQueue.Message, _ outcome: String, attempts: Int? = nil) {
        var line: JSONValue = [
            "at": .string(HostClock.wallTime().iso8601), "delivery": JSONValue(message.id),
            "address": .string(message.address), "subject": .string(message.subject), "outcome": .string(outcome),
        ]
        if let attempts { line["attempts"] = JSONValue(attempts) }
        let path = place.webhookLog
        // Who reads it misses a line; nobody else does.
        if log == nil { log = try? Folder.exists(path) ? AppendFile(reopening: path) : AppendFile(creating: path) }
        if let length = log?.length, length > Self.mostLog {
            log = nil
            try? SmallFile.rename(path, to: path + ".1")
            log = try? AppendFile(creating: path)
        }
        try? log?.append(line.compactUTF8 + [0x0A])
    }
}

extension WebhookQueue.Answer {
    fileprivate var words: String {
        switch self {
        case .status(let code): "status \(code)"
        case .failed(let reason): reason
        }
    }
}
