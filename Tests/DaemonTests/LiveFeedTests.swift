import JSON
import Testing

@testable import Daemon

@Suite struct LiveFeedTests {
    private func state(_ runs: [JSONValue], _ schedules: [JSONValue] = []) -> JSONValue {
        ["runs": .array(runs), "schedules": .array(schedules)]
    }

    @Test func whatIsNewIsTold() {
        var feed = LiveFeed(epoch: "e")
        let nothing = feed.update(state([]))
        #expect(nothing.isEmpty)
        let began = feed.update(state([["run": "a", "people": 0]]))
        #expect(began.map(\.name) == ["run-began"])
        #expect(began.map(\.id) == ["e-1"])
        let same = feed.update(state([["run": "a", "people": 0]]))
        #expect(same.isEmpty)
        let changed = feed.update(state([["run": "a", "people": 2], ["run": "b"]]))
        #expect(changed.map(\.name) == ["run-changed", "run-began"])
        #expect(changed[0].data == ["run": "a", "people": 2])
        let ended = feed.update(state([["run": "b"]], [["schedule": "s"]]))
        #expect(ended.map(\.name) == ["run-ended", "schedules"])
        #expect(ended[0].data["run"] == "a")
        let entry = feed.add(history: ["text": "ran"])
        #expect(entry.id == "e-6")
        #expect(feed.state == state([["run": "b"]], [["schedule": "s"]]))
    }

    @Test func whoComesBackIsToldWhatWasMissed() {
        var feed = LiveFeed(epoch: "e")
        for count in 1...600 { _ = feed.update(state([["run": "a", "people": JSONValue(count)]])) }
        #expect(feed.lastID == "e-600")
        #expect(feed.events(since: "e-600") == [])
        #expect(feed.events(since: "e-598")?.map(\.id) == ["e-599", "e-600"])
        #expect(feed.events(since: "e-100")?.count == 500)
        for unknown in ["e-99", "e-601", "d-600", "e", "", "e--1", "e-x", "e-600-1"] {
            #expect(feed.events(since: unknown) == nil, "\(unknown)")
        }
    }
}
