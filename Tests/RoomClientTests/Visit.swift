import EventLoop
import Logging
import MediaTypes
import RoomProtocol

@testable import RoomClient

/// A stay in a room on a loop of its own, whose outputs are waited for in order.
final class Visit {
    let client: RoomClient
    private let loop: LoopExecutor
    private var outputs: AsyncStream<RoomClient.Output>.Iterator

    init(
        _ server: String, room: JanusRoomID = .number(1234), change: (inout RoomClient.Configuration) -> Void = { _ in }
    ) {
        var configuration = RoomClient.Configuration(
            server: server, room: JanusRoomConfiguration(room: room, displayName: "Recorder ✓"))
        change(&configuration)
        loop = LoopExecutor(name: "test-room")
        let (stream, sink) = AsyncStream<RoomClient.Output>.makeStream()
        outputs = stream.makeAsyncIterator()
        client = RoomClient(
            configuration, loop: loop, logger: Logger(label: "test", level: .critical, output: Silence())
        ) { output in
            sink.yield(output)
            if case .ended = output { sink.finish() }
        }
    }

    /// The first value that `wanted` makes of an output; nil when it ended before.
    func first<Value>(_ wanted: (RoomClient.Output) -> Value?) async -> Value? {
        while let output = await outputs.next() {
            if let value = wanted(output) { return value }
        }
        return nil
    }

    func firstEvent(_ isWanted: @escaping (RoomEvent) -> Bool) async -> RoomEvent? {
        await first { if case .event(let event, _) = $0, isWanted(event) { event } else { nil } }
    }

    func end() async -> RoomEnd? {
        await first { if case .ended(let end, _) = $0 { end } else { nil } }
    }

    /// The end of a stay that is expected to end by itself.
    static func end(
        _ server: String, room: JanusRoomID = .number(1234), change: (inout RoomClient.Configuration) -> Void = { _ in }
    ) async -> RoomEnd? {
        let visit = Visit(server, room: room, change: change)
        await visit.client.start()
        return await visit.end()
    }
}

private struct Silence: LogOutput {
    func write(_ entry: LogEntry) {}
}
