import CallbotTesting
import MediaTypes
import Testing

@testable import Webhooks

@Suite struct WebhookQueueTests {
    struct Story {
        var queue = WebhookQueue()
        var now = MonotonicTime(nanoseconds: 0)

        mutating func add(_ id: Int, _ subject: String = "a", at address: String = "http://h/") -> [String] {
            queue.add(.init(id: id, address: address, subject: subject, body: "{}"), at: now)
            return outputs()
        }

        mutating func answer(_ id: Int, _ answer: WebhookQueue.Answer) -> [String] {
            if let message = queue.waiting.first(where: { $0.id == id }) { queue.answered(message, answer, at: now) }
            return outputs()
        }

        mutating func pass(_ span: Duration) -> [String] {
            let end = now + span
            var found: [String] = []
            while let deadline = queue.nextDeadline, deadline <= end {
                now = max(now, deadline)
                queue.wake(at: now)
                found += outputs()
            }
            now = end
            return found
        }

        mutating func outputs() -> [String] {
            var found: [String] = []
            while let output = queue.nextOutput() {
                switch output {
                case .send(let message, let attempt): found.append("send \(message.id) #\(attempt)")
                case .delivered(let message, let attempts): found.append("told \(message.id) #\(attempts)")
                case .delayed(let message, _, let next): found.append("delay \(message.id) \((next - now).seconds)")
                case .givenUp(let message, _): found.append("gave up \(message.id)")
                case .dropped(let message): found.append("dropped \(message.id)")
                }
            }
            return found
        }
    }

    @Test func oneRecordingsMessagesGoOneAfterTheOther() {
        var story = Story()
        #expect(story.add(1) == ["send 1 #1"])
        #expect(story.add(2) == [])
        #expect(story.add(3, "b") == ["send 3 #1"])
        #expect(story.answer(1, .status(200)) == ["told 1 #1", "send 2 #1"])
        #expect(story.answer(2, .status(204)) == ["told 2 #1"])
        #expect(story.answer(3, .status(200)) == ["told 3 #1"])
        #expect(story.queue.waiting.isEmpty && story.queue.nextDeadline == nil)
    }

    @Test func whatNobodyTakesIsTriedAgainAndHoldsUpOnlyItsOwn() {
        var story = Story()
        _ = story.add(1)
        _ = story.add(2)
        #expect(story.answer(1, .status(503)) == ["delay 1 1.0"])
        #expect(story.add(3, "b") == ["send 3 #1"])
        #expect(story.pass(.milliseconds(999)) == [])
        #expect(story.pass(.milliseconds(1)) == ["send 1 #2"])
        #expect(story.answer(1, .failed("refused")) == ["delay 1 5.0"])
        #expect(story.pass(.seconds(5)) == ["send 1 #3"])
        #expect(story.answer(1, .status(200)) == ["told 1 #3", "send 2 #1"])
    }

    @Test func afterADayItIsGivenUp() {
        var story = Story()
        var said = story.add(1)
        _ = story.add(2)
        while story.now < MonotonicTime(nanoseconds: 0) + .seconds(200_000), !said.contains("gave up 1") {
            said += story.answer(1, .failed("nobody"))
            said += story.pass(.seconds(3600))
        }
        #expect(said.count { $0.hasPrefix("send 1") } == WebhookQueue.mostAttempts)
        #expect(said.contains("gave up 1") && said.contains("send 2 #1"))
        #expect(story.now > MonotonicTime(nanoseconds: 0) + .seconds(80_000))
    }

    @Test func whoWillNotHaveItIsNotAskedAgain() {
        var story = Story()
        _ = story.add(1)
        #expect(story.answer(1, .status(410)) == ["gave up 1"])
    }

    @Test func aHandfulIsUnderWayAtOnce() {
        var story = Story()
        var said: [String] = []
        for id in 1...20 { said += story.add(id, "r\(id)") }
        #expect(said.count == WebhookQueue.mostUnderWay)
        #expect(story.answer(1, .status(200)) == ["told 1 #1", "send 9 #1"])
    }

    @Test func moreThanCanWaitAreDroppedAndSaidToBe() {
        var story = Story()
        for id in 1...WebhookQueue.most { _ = story.add(id) }
        #expect(story.add(99_999) == ["dropped 99999"])
        #expect(story.queue.waiting.count == WebhookQueue.most)
    }

    /// Whatever the other side does, each is told once, given up once, or waits; and in order.
    @Test func nothingIsLostOrToldTwice() {
        var dice = SeededGenerator(seed: 3)
        var story = Story()
        var told: [String: [Int]] = [:]
        var open: Set<Int> = []
        var subjects: [Int: String] = [:]
        func follow(_ said: [String]) {
            for line in said {
                let words = line.split(separator: " ")
                let id = Int(words[words.count == 3 && words[0] == "gave" ? 2 : 1]) ?? 0
                if words[0] == "send" { #expect(open.insert(id).inserted) } else { open.remove(id) }
                if words[0] == "told" || words[0] == "gave" { told[subjects[id] ?? "", default: []].append(id) }
            }
        }
        for id in 1...400 {
            let subject = "s\(Int.random(in: 0..<12, using: &dice))"
            subjects[id] = subject
            follow(story.add(id, subject))
            for open in open.sorted() where Int.random(in: 0..<3, using: &dice) == 0 {
                follow(
                    story.answer(
                        open, [.status(200), .status(500), .failed("x"), .status(404)].randomElement(using: &dice)!))
            }
            follow(story.pass(.milliseconds(200)))
        }
        for _ in 0..<3000 where !story.queue.waiting.isEmpty {
            for open in open.sorted() { follow(story.answer(open, .status(200))) }
            follow(story.pass(.seconds(10)))
        }
        #expect(story.queue.waiting.isEmpty)
        #expect(told.values.joined().count == 400)
        #expect(told.values.allSatisfy { $0 == $0.sorted() })
    }
}
