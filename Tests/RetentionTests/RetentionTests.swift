import MediaTypes
import Testing

@testable import Retention

private let now = WallTime(microseconds: 1_796_011_648_000_000)

/// `a:room:3d:10` is a recording that ended three days ago and has ten bytes; `!` behind it: held, `*`: running; `?` for
/// days: not known.
private func recordings(_ text: String) -> [RetainedRecording] {
    text.split(separator: " ").map { word in
        let parts = word.split(separator: ":")
        let days = parts[2] == "?" ? nil : Double(parts[2].dropLast())
        let bytes = parts[3].filter(\.isNumber)
        return RetainedRecording(
            name: String(parts[0]), room: String(parts[1]), ended: days.map { now + .seconds(-$0 * 86_400) },
            bytes: Int64(bytes) ?? 0, isRunning: parts[3].hasSuffix("*"), isHeld: parts[3].hasSuffix("!"))
    }
}

struct RetentionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var about: String
        var rules: RetentionRules
        var recordings: String
        var free: Int64?
        /// `name:reason`
        var removals: String
        var testDescription: String { about }
    }

    @Test(arguments: [
        Case(about: "no rules", rules: .init(), recordings: "a:r:900d:10", removals: ""),
        Case(about: "no recordings", rules: .init(count: 0), recordings: "", removals: ""),
        Case(
            about: "age, the oldest first", rules: .init(age: .seconds(3 * 86_400)),
            recordings: "a:r:4d:1 b:r:2d:1 c:s:9d:1",
            removals: "c:age a:age"),
        Case(about: "exactly so old", rules: .init(age: .seconds(3 * 86_400)), recordings: "a:r:3d:1", removals: ""),
        Case(about: "in the future", rules: .init(age: .seconds(86_400)), recordings: "a:r:-5d:1", removals: ""),
        Case(
            about: "held, running and undated ones stay", rules: .init(age: .seconds(86_400), count: 0, bytes: 0),
            recordings: "a:r:9d:1! b:r:9d:1* c:r:?:1", removals: ""),
        Case(about: "count", rules: .init(count: 2), recordings: "a:r:1d:1 b:r:3d:1 c:s:2d:1", removals: "b:count"),
        Case(
            about: "held ones count", rules: .init(count: 2), recordings: "a:r:1d:1 b:r:3d:1! c:s:2d:1",
            removals: "c:count"),
        Case(
            about: "more are held than are kept", rules: .init(count: 1), recordings: "a:r:1d:1! b:r:3d:1! c:s:2d:1",
            removals: "c:count"),
        Case(
            about: "per room", rules: .init(countPerRoom: 1),
            recordings: "a:r:1d:1 b:r:2d:1 c:s:3d:1 d:r:4d:1 e:s:1d:1!",
            removals: "d:count-per-room c:count-per-room b:count-per-room"),
        Case(
            about: "size", rules: .init(bytes: 25), recordings: "a:r:1d:10 b:r:2d:10 c:r:3d:10 d:r:4d:10",
            removals: "d:bytes c:bytes"),
        Case(about: "exactly so large", rules: .init(bytes: 20), recordings: "a:r:1d:10 b:r:2d:10", removals: ""),
        Case(
            about: "free space", rules: .init(freeSpace: 100), recordings: "a:r:1d:10 b:r:2d:10 c:r:3d:10", free: 85,
            removals: "c:free-space b:free-space"),
        Case(
            about: "free space that is not known", rules: .init(freeSpace: 100), recordings: "a:r:1d:10", removals: ""),
        Case(
            about: "what one rule removes, the next counts no more",
            rules: .init(age: .seconds(3 * 86_400), count: 2, bytes: 15, freeSpace: 100),
            recordings: "a:r:1d:10 b:r:2d:10 c:r:4d:10", free: 70, removals: "c:age b:bytes a:free-space"),
        Case(
            about: "of the same moment by name", rules: .init(count: 1), recordings: "b:r:1d:1 a:r:1d:1 c:r:1d:1",
            removals: "a:count b:count"),
    ])
    func thePlanIs(_ it: Case) {
        let plan = it.rules.plan(recordings(it.recordings), now: now, free: it.free)
        #expect(plan.map { "\($0.recording.name):\($0.reason.rawValue)" }.joined(separator: " ") == it.removals)
    }

    /// However the rules and the recordings are, what is left keeps the rules or cannot go; and nothing goes twice.
    @Test func whatIsLeftKeepsTheRules() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let all = (0..<30).map { number in
                RetainedRecording(
                    name: "\(number)", room: "\(Int.random(in: 0..<3))",
                    ended: now + .seconds(-Double.random(in: 0..<10) * 86_400), bytes: .random(in: 0..<100),
                    isRunning: .random(), isHeld: Int.random(in: 0..<4, using: &generator) == 0)
            }
            let rules = RetentionRules(
                age: .seconds(86_400 * .random(in: 1..<10)), count: .random(in: 0..<30),
                countPerRoom: .random(in: 0..<10), bytes: .random(in: 0..<2000))
            let removed = rules.plan(all, now: now).map(\.recording)
            #expect(Set(removed).count == removed.count)
            #expect(removed.allSatisfy { !$0.isRunning && !$0.isHeld })
            let left = all.filter { !removed.contains($0) }
            #expect(rules.plan(left, now: now).isEmpty)
        }
    }

    /// Rooms have rules of their own, by their whole address or the last part of it.
    @Test func whatHoldsForARoomGoesBeforeWhatHoldsForAll() {
        var rules = RetentionRules(age: .seconds(10 * 86_400))
        rules.rooms["long"] = .init()
        rules.rooms["long"]?.age = .seconds(100 * 86_400)
        rules.rooms["few"] = .init()
        rules.rooms["few"]?.count = 1
        rules.rooms["small"] = .init()
        rules.rooms["small"]?.bytes = 25
        let all = recordings(
            "a:w/long:50d:1 b:w/long:101d:1 c:w/few:3d:1 d:w/few:2d:1 e:w/few:11d:1 f:small:3d:10 g:small:2d:10 h:small:1d:10 i:x:11d:1 j:x:11d:1! k:few:1d:1*"
        )
        let removals = rules.plan(all, now: now).map { "\($0.recording.name):\($0.reason.rawValue)" }
        #expect(removals == ["b:age", "e:age", "i:age", "c:count-per-room", "f:bytes-per-room"])
    }
}
