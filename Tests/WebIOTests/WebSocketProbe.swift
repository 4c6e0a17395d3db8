import EventLoop
import MediaTypes

@testable import WebIO

/// A client on a loop of its own, whose events are waited for one by one.
actor WebSocketProbe {
    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var connection: WebSocketConnection?
    private var events: [WebSocketConnection.Event] = []
    private var waiting: CheckedContinuation<WebSocketConnection.Event, Never>?

    init() { loop = LoopExecutor(name: "test-client") }

    func start(_ configuration: WebSocketConnection.Configuration) {
        let me = self
        let connection = WebSocketConnection(configuration, loop: loop) { event in me.assumeIsolated { $0.take(event) }
        }
        self.connection = connection
        connection.start()
    }

    func next() async -> WebSocketConnection.Event {
        if !events.isEmpty { return events.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }

    func send(_ text: String) -> Bool { connection?.send(text) ?? false }
    func close(code: UInt16, reason: String) { connection?.close(code: code, reason: reason) }
    func drop() { connection = nil }
    var unseen: Int { events.count }

    private func take(_ event: WebSocketConnection.Event) {
        if let waiting {
            self.waiting = nil
            waiting.resume(returning: event)
        } else {
            events.append(event)
        }
    }
}
