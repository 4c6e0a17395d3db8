import CallbotTesting
import Glibc
import MediaTypes
import RecordingFormat
import Storage
import Testing

@testable import Archive

struct ListTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func recordingsAreListedTheNewestFirst() throws {
        try shelf.put("aaaa", hour: 1, minutes: 5)
        try shelf.put("cccc", hour: 30, minutes: 20)
        try shelf.put("bbbb", hour: 2, minutes: 10)
        let archive = try shelf.archive()
        #expect(try archive.tails() == "cccc bbbb aaaa")
        #expect(try archive.tails(isReversed: true) == "aaaa bbbb cccc")
        #expect(try archive.tails(order: .duration) == "cccc bbbb aaaa")
        let first = try #require(archive.recordings().elements.last)
        #expect(first.id == "20261130T010000Z-aaaa" && first.folder == "2026/11/30/20261130T010000Z-aaaa-Daily")
        #expect(first.roomName == "Daily" && first.duration == .seconds(300) && first.people == 2)
        #expect(first.state == .finished && first.grade == .good && first.problem == nil && !first.isHeld)
        #expect(first.bytes == FolderTree.bytes(archive.path(of: first)) && first.bytes > 0)
    }

    @Test func theyAreFiltered() throws {
        try shelf.put("aaaa", hour: 0, people: ["Ada", "Bob"], chat: [said("the budget is fine")])
        try shelf.put("bbbb", hour: 1, room: "Réunion", people: ["ÅSA"], grade: .degraded)
        try shelf.put("cccc", hour: 2, address: "janus+wss://calls.example.org/77", people: [], grade: .failed)
        let archive = try shelf.archive()
        #expect(try archive.tails { $0.room = "réU" } == "bbbb")
        #expect(try archive.tails { $0.room = "example.org" } == "cccc")
        #expect(try archive.tails { $0.person = "åsa" } == "bbbb")
        #expect(try archive.tails { $0.person = "2" } == "aaaa")
        #expect(try archive.tails { $0.person = "%" } == "")
        #expect(try archive.tails { $0.grade = .failed } == "cccc")
        #expect(try archive.tails { $0.state = .interrupted } == "")
        #expect(try archive.tails { $0.words = SearchWords("budg*") } == "aaaa")
        #expect(try archive.tails { $0.words = SearchWords("\"") } == "")
        #expect(try archive.tails { $0.from = WallTime(iso8601: "2026-11-30T01:00:00Z") } == "cccc bbbb")
        #expect(try archive.tails { $0.to = WallTime(iso8601: "2026-11-30T01:00:00Z") } == "aaaa")
        let (count, bytes) = try archive.totals()
        let bytesOfAll = try archive.recordings().elements.reduce(0) { $0 + $1.bytes }
        #expect(count == 3 && bytes == bytesOfAll)
    }

    /// A page goes on where the last one ended, though recordings came and went in between.
    @Test(arguments: RecordingOrder.allCases, [false, true])
    func pagesGoOnWhereTheLastOneEnded(order: RecordingOrder, isReversed: Bool) throws {
        for number in 0..<10 {
            try shelf.put("aaa\(number)", hour: number, minutes: number % 3 == 0 ? 7 : number + 1)
        }
        let archive = try shelf.archive()
        let all = try archive.recordings(order: order, isReversed: isReversed).elements
        var found: [ArchivedRecording] = []
        var cursor: PageCursor?
        repeat {
            let page = try archive.recordings(order: order, isReversed: isReversed, limit: 3, after: cursor)
            #expect(page.elements.count <= 3)
            found += page.elements
            cursor = page.next.flatMap { PageCursor("\($0)") }
            #expect(cursor == page.next)
        } while cursor != nil
        #expect(found == all && all.count == 10)
        #expect(PageCursor("1") == nil && PageCursor("x.1") == nil && PageCursor("'; DROP TABLE recordings") == nil)
    }

    /// People and rooms may call themselves anything.
    @Test(arguments: [
        "'; DROP TABLE recordings; --", "100%", "a_b", "two\nlines", "\u{202E}evil", "\"quoted\"", "NEAR(a b)", "*",
        "🤷🏽‍♀️", String(repeating: "long ", count: 5000), "nul\0in it",
    ])
    func namesAreOnlyNames(name: String) throws {
        try shelf.put("aaaa", room: name, people: [name], chat: [said(name, by: name)], marks: [(500, name)])
        try shelf.put("bbbb", hour: 1)
        let archive = try shelf.archive()
        #expect(try archive.tails { $0.person = name } == "aaaa")
        #expect(try archive.tails { $0.room = name } == "aaaa")
        let words = SearchWords(name)
        let found = try archive.lines(with: words, limit: 10).elements
        #expect(found.allSatisfy { $0.recording.id.hasSuffix("aaaa") })
        #expect(found.isEmpty == words.isEmpty || name == "NEAR(a b)")
        #expect(try archive.tails() == "bbbb aaaa")
    }

    @Test func whatIsDamagedIsListedAndHidesNothing() throws {
        let healthy = try shelf.put("aaaa", hour: 0)
        let torn = try shelf.put("bbbb", hour: 1)
        try shelf.write(Array("{\"version\": 1, \"id\"".utf8), "recording.json", in: torn)
        let newer = try shelf.put("cccc", hour: 2)
        try shelf.write(Array(#"{"version": 9}"#.utf8), "recording.json", in: newer)
        let missing = try shelf.put("dddd", hour: 3)
        SmallFile.remove("\(shelf.folder)/\(missing)/recording.json")
        let folderInstead = try shelf.put("eeee", hour: 4)
        SmallFile.remove("\(shelf.folder)/\(folderInstead)/recording.json")
        try Folder.create("\(shelf.folder)/\(folderInstead)/recording.json")
        let noReport = try shelf.put("ffff", hour: 5)
        try shelf.write(Array("nonsense".utf8), "report.json", in: noReport)
        try shelf.write([0xFF, 0x0A, 0x00, 0x0A], "chat.jsonl", in: noReport)
        let wrong = try shelf.put("gggg", hour: 6)
        try shelf.write(
            Array(#"{"version": 1, "id": "x", "origin": 7, "state": []}"#.utf8), "recording.json", in: wrong)

        let archive = try shelf.archive()
        let found = try archive.recordings().elements
        #expect(try archive.tails() == "gggg ffff eeee dddd cccc bbbb aaaa")
        let problems = Dictionary(uniqueKeysWithValues: found.map { ($0.folder, $0.problem) })
        #expect(problems[healthy] == .some(nil))
        #expect(problems[torn]??.hasPrefix("recording.json is no JSON: line 1, column ") == true)
        #expect(problems[newer] == "recording.json is of version 9, which this callbot does not know")
        #expect(problems[missing] == "recording.json: no such file or folder")
        #expect(problems[folderInstead]??.hasPrefix("recording.json: ") == true)
        #expect(problems[noReport] == "report.json is missing, or cannot be read")
        #expect(problems[wrong] == "recording.json has no 'origin' that can be read")
        #expect(found.count { $0.state == .damaged } == 5)
        #expect(found.first { $0.folder == torn }?.start == WallTime(iso8601: "2026-11-30T01:00:00Z"))
        // One that is made whole again is a damaged one no more.
        try shelf.write(SmallFile.read("\(shelf.folder)/\(healthy)/recording.json"), "recording.json", in: torn)
        #expect(try archive.recordings().elements.count { $0.state == .damaged } == 4)
    }

    @Test func linksLeadNowhere() throws {
        let elsewhere = try Shelf()
        let outside = try elsewhere.put("zzzz")
        try shelf.put("aaaa")
        symlink(elsewhere.folder, shelf.folder + "/link")
        symlink(elsewhere.folder + "/" + outside, shelf.folder + "/2026/11/30/20261130T000000Z-link-x")
        symlink("/nowhere/at/all", shelf.folder + "/2026/11/30/20261130T000000Z-none-x")
        let archive = try shelf.archive()
        #expect(try archive.tails() == "aaaa")
        // Nor in a recording's folder.
        let recording = try #require(archive.recordings().elements.first)
        symlink(elsewhere.folder, archive.path(of: recording) + "/tracks")
        try archive.remove(recording)
        #expect(try archive.tails() == "")
        #expect(try elsewhere.archive().tails() == "zzzz")
        // What is named outright is not in the archive either.
        #expect(throws: ArchiveError.self) { try archive.recording(named: elsewhere.folder + "/" + outside) }
        #expect(throws: ArchiveError.self) { try archive.recording(named: shelf.folder + "/link/" + outside) }
    }

    /// The list is made without a place for the index.
    @Test func anArchiveWithoutAPlaceForItsIndexIsReadAllTheSame() throws {
        try shelf.put("aaaa")
        try Folder.create(shelf.folder + "/.index.sqlite3")
        try Folder.create(shelf.folder + "/.index.sqlite3/something")
        var notices: [String] = []
        #expect(try shelf.archive { notices.append($0) }.tails() == "aaaa")
        #expect(notices.count == 1 && notices[0].hasPrefix("the index cannot be made anew: cannot replace "))
    }

    @Test func recordingsAreFoundByTheirNames() throws {
        try shelf.put("aaaa", hour: 1)
        try shelf.put("aaab", hour: 1)
        let folder = try shelf.put("bbbb", hour: 2)
        let archive = try shelf.archive()
        let names = [
            "20261130T020000Z-bbbb", "20261130T02", "20261130T020000Z-bbbb-Daily", folder, shelf.folder + "/" + folder,
            shelf.folder + "/" + folder + "/",
        ]
        for name in names { #expect(try archive.recording(named: name).folder == folder, "\(name)") }
        #expect(try archive.recording(named: "20261130T010000Z-aaab").id.hasSuffix("aaab"))
        let ambiguous = #expect(throws: ArchiveError.self) { try archive.recording(named: "20261130T01") }
        #expect("\(ambiguous!)".hasPrefix("'20261130T01' could be 2 recordings ("))
        for name in ["x", "", "..", "/", "%", "20261130T020000Z-bbbc", shelf.folder] {
            #expect(throws: ArchiveError.self, "\(name)") { try archive.recording(named: name) }
        }
        #expect(throws: ArchiveError.self) { try Archive(shelf.folder + "/none") }
    }
}
