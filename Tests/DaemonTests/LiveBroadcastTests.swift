import EventLoop
import JSON
import Testing
import WebServer

@testable import Daemon

@Suite struct LiveBroadcastTests {
    @Test func whoIsTooMuchIsSentAway() async throws {
        let live = LiveBroadcast { ["runs": [], "schedules": []] }
        var streams: [EventStream] = []
        for _ in 0..<LiveBroadcast.mostListeners { streams.append(try #require(await live.listen(after: nil))) }
        #expect(await live.listen(after: nil) == nil)
        streams[7].end()
        #expect(await live.listen(after: nil) != nil)
    }

    /// One that takes nothing is let go; the others hear all of it.
    @Test func whoDoesNotListenHoldsUpNobody() async throws {
        let count = Locked(0)
        let live = LiveBroadcast {
            let number = count.withLock {
                $0 += 1
                return $0
            }
            return [
                "runs": [["run": "a", "text": .string(String(repeating: "\(number % 10)", count: 10_000))]],
                "schedules": [],
            ]
        }
        let slow = try #require(await live.listen(after: nil))
        for _ in 0..<100 where !slow.isOver { _ = await live.listen(after: nil) }
        #expect(slow.isOver)
    }
}
