import EventLoop
package import JSON
import MediaTypes
import WebServer

/// Tells listeners what goes on, as server-sent events. The daemon is asked once a second for all of them together, and
/// not at all while nobody listens; who does not take what is sent is let go.
package actor LiveBroadcast {
    /// Who comes after these is sent away.
    static let mostListeners = 64
    private static let interval = Duration.seconds(1)
    /// Bytes that may wait for one listener.
    private static let capacity = 128 << 10

    private let state: @Sendable () async -> JSONValue?
    private var feed: LiveFeed
    private var listeners: [EventStream] = []
    private var ticker: Task<Void, Never>?
    private var asked = 0
    private var answered = 0

    /// - Parameter state: what the daemon says of itself; nil when it ends.
    package init(state: @escaping @Sendable () async -> JSONValue?) {
        self.state = state
        feed = LiveFeed(epoch: String(HostClock.wallTime().microseconds, radix: 36))
    }

    deinit { ticker?.cancel() }

    /// A stream for somebody who wants to listen: from now on, with all as it is, or from where they were.
    /// - Parameter lastID: the event that they have seen last.
    /// - Returns: nil when too many listen.
    func listen(after lastID: String?) async -> EventStream? {
        await tick()
        listeners.removeAll { $0.isOver }
        guard listeners.count < Self.mostListeners else { return nil }
        let stream = EventStream(capacity: Self.capacity)
        if let missed = lastID.flatMap({ feed.events(since: $0) }) {
            for event in missed { stream.send(event.encoded) }
        } else {
            stream.send("state", id: feed.lastID, data: feed.state.compact)
        }
        listeners.append(stream)
        start()
        return stream
    }

    /// Something has happened that is not to wait for the next second.
    package nonisolated func nudge() { Task { await tick() } }

    /// What became of a time at which a schedule was due.
    package nonisolated func tell(history entry: JSONValue) { Task { await add(entry) } }

    private func add(_ entry: JSONValue) { send([feed.add(history: HistoryLog.entry(entry))]) }

    private func tick() async {
        asked += 1
        let number = asked
        // What was asked for later may be known already.
        guard let state = await state(), number > answered else { return }
        answered = number
        send(feed.update(state))
    }

    private func send(_ events: [LiveFeed.Event]) {
        for event in events {
            let bytes = event.encoded
            listeners.removeAll { !$0.send(bytes) }
        }
    }

    private func start() {
        guard ticker == nil else { return }
        ticker = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                guard let self, await self.goesOn() else { return }
            }
        }
    }

    /// - Returns: whether anybody listens still.
    private func goesOn() async -> Bool {
        listeners.removeAll { $0.isOver }
        guard !listeners.isEmpty else {
            ticker = nil
            return false
        }
        await tick()
        return true
    }
}

extension LiveFeed.Event {
    fileprivate var encoded: [UInt8] { EventStream.encoded(name, id: id, data: data.compact) }
}
