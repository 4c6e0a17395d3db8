import CallbotTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Testing

@testable import Archive

struct SearchTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func found(_ words: String, _ change: (inout RecordingFilter) -> Void = { _ in }) throws -> [String] {
        var filter = RecordingFilter()
        change(&filter)
        return try shelf.archive().lines(with: SearchWords(words), in: filter, limit: 100).elements.map {
            "\($0.recording.id.suffix(4)) \($0.at.milliseconds) \($0.kind.rawValue) \($0.person ?? "-"): \($0.excerpt)"
        }
    }

    @Test func linesAreFoundInTheChatInMarksAndInNames() throws {
        try shelf.put(
            "aaaa", hour: 0, room: "Budget round", people: ["Zoë Budget"],
            chat: [said("and the budget?", at: 9000), said("Le budget, c'est ça", by: nil, at: 3000)],
            marks: [(5000, "Budget: questions")])
        try shelf.put("bbbb", hour: 1, chat: [said("BUDGETS grow", by: "Bob")])
        #expect(
            try found("budget") == [
                "aaaa 0 room -: Budget round", "aaaa 0 name Zoë Budget: Zoë Budget",
                "aaaa 3000 message -: Le budget, c'est ça", "aaaa 5000 mark -: Budget: questions",
                "aaaa 9000 message Ada: and the budget?",
            ])
        #expect(try found("budget*").first == "bbbb 1000 message Bob: BUDGETS grow")
        #expect(try found("\"the budget\"") == ["aaaa 9000 message Ada: and the budget?"])
        #expect(try found("budget the") == ["aaaa 9000 message Ada: and the budget?"])
        #expect(try found("zoe") == ["aaaa 0 name Zoë Budget: Zoë Budget"])
        #expect(try found("CA c'est") == ["aaaa 3000 message -: Le budget, c'est ça"])
        #expect(try found("budget*") { $0.person = "bob" } == ["bbbb 1000 message Bob: BUDGETS grow"])
        #expect(try found("budget*") { $0.from = WallTime(iso8601: "2026-11-30T00:30:00Z") }.count == 1)
        #expect(try found("budget*") { $0.to = WallTime(iso8601: "2026-11-30T00:30:00Z") }.count == 5)
        #expect(try found("budget*") { $0.room = "round" }.count == 5)
        let marks = try shelf.archive().lines(with: SearchWords("budget"), kinds: [.mark, .room], limit: 10).elements
        #expect(marks.map(\.kind) == [.room, .mark])
    }

    /// Whatever somebody types, there is an answer.
    @Test(arguments: [
        "\"", "'", "*", "a*b*", "NEAR(", "AND", "a OR", "(a", "text : a", "^", "-a", "a\"\"b", "\0", "{a}", "💥", "%",
        "a;b",
    ])
    func nothingIsASyntaxError(words: String) throws {
        try shelf.put("aaaa", chat: [said("nothing of that")])
        #expect(try found(words).isEmpty)
    }

    @Test func pagesGoOn() throws {
        try shelf.put("aaaa", hour: 0, chat: (0..<7).map { said("word \($0)", at: Int64($0)) })
        try shelf.put("bbbb", hour: 1, chat: (7..<10).map { said("word \($0)", at: Int64($0)) })
        let archive = try shelf.archive()
        let all = try archive.lines(with: SearchWords("word"), limit: 100)
        #expect(all.elements.map(\.excerpt) == ([7, 8, 9] + Array(0..<7)).map { "word \($0)" } && all.next == nil)
        var found: [FoundLine] = []
        var cursor: PageCursor?
        repeat {
            let page = try archive.lines(with: SearchWords("word"), limit: 4, after: cursor)
            found += page.elements
            cursor = page.next
        } while cursor != nil
        #expect(found == all.elements)
    }

    @Test func longLinesAreCutAroundTheWord() throws {
        let text = String(repeating: "before ", count: 200) + "needle" + String(repeating: " after", count: 200)
        try shelf.put("aaaa", chat: [said(text)])
        let excerpt = try #require(found("needle").first)
        #expect(excerpt.contains("…") && excerpt.contains("needle") && excerpt.count < 300)
        #expect(try shelf.archive().lines(with: SearchWords("needle"), limit: 1).elements.count == 1)
    }
}
