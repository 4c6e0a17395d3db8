import CallbotTesting
import Capture
import Database
import Glibc
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing

@testable import Archive

struct IndexTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private var index: String { shelf.folder + "/.index.sqlite3" }

    /// All that can be asked of an archive.
    private func everything(of archive: Archive) throws -> (recordings: [ArchivedRecording], lines: [FoundLine]) {
        (
            try archive.recordings().elements,
            try ["word", "mark", "ada", "bob", "daily"].flatMap { word in
                try archive.lines(with: SearchWords(word), limit: 1000).elements
            }
        )
    }

    /// Whatever happens between two looks, the index is what one made anew would be.
    @Test func theIndexFollowsTheFolders() throws {
        var generator = SeededGenerator(seed: 7)
        let archive = try shelf.archive()
        var folders: [String] = []
        for step in 0..<60 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1, 2:
                let chat = (0..<Int.random(in: 0..<5, using: &generator)).map { said("word \($0) of \(step)") }
                folders.append(
                    try shelf.put(
                        "a" + step.padded(3), hour: step * 7, people: step % 2 == 0 ? ["Ada"] : ["Bob", "Ada"],
                        chat: chat, marks: step % 3 == 0 ? [(5, "mark \(step)")] : []))
            case 3 where !folders.isEmpty:
                let folder = folders.remove(at: Int.random(in: 0..<folders.count, using: &generator))
                try FolderTree.remove(shelf.folder + "/" + folder)
            case 4 where !folders.isEmpty:
                let folder = folders.randomElement(using: &generator)!
                var manifest = try RecordingManifest(
                    parsing: SmallFile.read("\(shelf.folder)/\(folder)/recording.json"))
                manifest.participants.append(RecordedParticipant(id: ParticipantID("9"), name: "Bob \(step)"))
                try shelf.write(manifest, in: folder)
            case 5 where !folders.isEmpty:
                let folder = folders.randomElement(using: &generator)!
                try shelf.write(said("word again \(step)").line, "chat.jsonl", in: folder)
            default: break
            }
            let found = try everything(of: archive)
            #expect(Set(found.recordings.map(\.folder)) == Set(folders))
            guard step % 10 == 9 else { continue }
            _ = try archive.rebuild()
            let anew = try everything(of: archive)
            #expect(found.recordings == anew.recordings && found.lines == anew.lines)
        }
        #expect(try archive.damage() == nil)
    }

    @Test func whatHasNotChangedIsNotReadAgain() throws {
        for number in 0..<20 { try shelf.put("a" + number.padded(3), hour: number * 5) }
        _ = try shelf.archive().rebuild()
        let index = try RecordingIndex(opening: self.index)
        func refresh() throws -> IndexRefresh { try index.refresh(archive: shelf.folder, at: Shelf.later) }
        #expect(try refresh() == IndexRefresh())
        let folder = try shelf.put("bbbb", hour: 3)
        #expect(try refresh() == IndexRefresh(read: 1))
        #expect(try refresh() == IndexRefresh())
        // In place, and to something as long.
        let path = "\(shelf.folder)/\(folder)/recording.json"
        let text = String(decoding: try SmallFile.read(path), as: UTF8.self).replacing("Ada", with: "Eva")
        let file = try AppendFile(reopening: path)
        try file.patch(offset: 0, Array(text.utf8))
        #expect(try refresh() == IndexRefresh(read: 1))
        try FolderTree.remove("\(shelf.folder)/\(folder)")
        #expect(try refresh() == IndexRefresh(removed: 1))
        // By what has just changed nobody can tell whether it will change again in the same moment.
        let now = WallTime(microseconds: (FileStatus(shelf.folder)?.modified ?? 0) / 1000)
        try shelf.put("cccc", hour: 4)
        #expect(try index.refresh(archive: shelf.folder, at: now).read >= 1)
        #expect(try index.refresh(archive: shelf.folder, at: now).read >= 1)
    }

    /// Without the time to look at all old recordings, each is looked at some time.
    @Test func oldRecordingsTakeTurns() throws {
        var folders: [String] = []
        for number in 0..<700 { folders.append(try shelf.put("a" + number.padded(3), hour: -number)) }
        _ = try shelf.archive().rebuild()
        let index = try RecordingIndex(opening: self.index)
        var manifest = try RecordingManifest(
            parsing: SmallFile.read("\(shelf.folder)/\(folders[690])/recording.json"))
        manifest.participants = []
        try shelf.write(manifest, in: folders[690])
        var rounds = 0
        var found = 0
        while rounds < 10, found == 0 {
            rounds += 1
            found = try index.refresh(archive: shelf.folder, at: Shelf.later, budget: .zero).read
        }
        #expect(found == 1 && rounds > 1)
        #expect(try index.recording(inFolder: folders[690])?.people == 0)
    }

    enum Harm: CaseIterable { case garbage, truncated, foreign, newer, empty, tornPages }

    @Test(arguments: Harm.allCases)
    func aBadIndexIsMadeAnew(harm: Harm) throws {
        for number in 0..<50 {
            try shelf.put("a" + number.padded(3), hour: number, chat: (0..<20).map { said("word \($0)") })
        }
        _ = try shelf.archive().rebuild()
        let bytes = try SmallFile.read(index)
        switch harm {
        case .garbage: try AtomicFile.replace(index, with: Array(repeating: 0x41, count: 10_000))
        case .truncated: try AtomicFile.replace(index, with: Array(bytes.prefix(bytes.count / 2)))
        case .empty: try AtomicFile.replace(index, with: [])
        case .tornPages:
            try AtomicFile.replace(index, with: bytes.enumerated().map { $0.offset < 8192 ? $0.element : 0x55 })
        case .foreign:
            SmallFile.remove(index)
            try Database(index).run("CREATE TABLE recordings (mine TEXT)")
        case .newer: try Database(index).migrate(IndexSchema.steps + [["CREATE TABLE news (a TEXT)"]])
        }
        var notices: [String] = []
        let archive = try shelf.archive { notices.append($0) }
        #expect(try archive.recordings().elements.count == 50)
        #expect(try archive.lines(with: SearchWords("word"), limit: 2000).elements.count == 1000)
        #expect(notices.count == 1 && notices[0].hasPrefix("the index was made anew: "), "\(notices)")
        #expect(try archive.recordings().elements.count == 50)
        #expect(notices.count == 1)
        #expect(try archive.damage() == nil)
    }

    /// A rebuild that is told to stop, or was killed, leaves the old index.
    @Test func aRebuildIsAllOrNothing() throws {
        for number in 0..<5 { try shelf.put("a" + number.padded(3), hour: number) }
        let archive = try shelf.archive()
        #expect(try archive.rebuild() == 5)
        let inode = FileStatus(index)?.inode
        let error = #expect(throws: ArchiveError.self) { try archive.rebuild { $0 < 0.5 } }
        #expect(error == .stopped && FileStatus(index)?.inode == inode)
        #expect(FileStatus(index + ".new") == nil)
        // What a killed one has left is in nobody's way.
        try AtomicFile.replace(index + ".new", with: [1, 2, 3])
        #expect(try archive.rebuild() == 5)
        #expect(FileStatus(index)?.inode != inode && FileStatus(index + ".new") == nil)
        // Killed between taking the old one away and putting the new one in its place.
        SmallFile.remove(index)
        #expect(try archive.recordings().elements.count == 5)
    }

    /// Several processes list, add, remove and rebuild at once: here threads, each with locks and connections of its own.
    @Test func manyAtOnceDoNotDisturbEachOther() async throws {
        for number in 0..<20 { try shelf.put("a" + number.padded(3), hour: number, chat: [said("word")]) }
        let folder = shelf.folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    let archive = try Archive(folder, now: { Shelf.later })
                    for round in 0..<8 {
                        if worker == 0 {
                            _ = try archive.rebuild()
                        } else if worker == 1 {
                            let recording = try archive.recording(named: "20261130T\((19 - round).padded(2))")
                            try archive.remove(recording)
                        } else {
                            let count = try archive.recordings().elements.count
                            let lines = try archive.lines(with: SearchWords("word"), limit: 100).elements.count
                            #expect((12...20).contains(count) && (12...20).contains(lines))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let archive = try shelf.archive()
        #expect(try archive.recordings().elements.count == 12)
        #expect(try archive.damage() == nil)
    }

    @Test func theIndexIsPrivate() throws {
        try shelf.put("aaaa")
        #expect(try shelf.archive().tails() == "aaaa")
        var status = stat()
        #expect(stat(index, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// A recorder knows nothing of the index: its recording is there as soon as it has begun, and its chat while it runs.
    @Test func whatIsBeingRecordedIsListed() throws {
        let archive = try Archive(shelf.folder)
        #expect(try archive.tails() == "")
        do {
            let capture = try Capture(
                at: .archive(shelf.folder),
                manifest: RecordingManifest(
                    id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
                    room: .init(address: "janus+ws://127.0.0.1:8188/1234"),
                    origin: WallTime(microseconds: 1_796_011_648_123_000)), room: "Daily")
            #expect(try archive.recordings().elements.map(\.state) == [.recording])
            capture.record(.participantJoined(Participant(id: ParticipantID("1"), name: "Ada")), at: .zero)
            capture.record(
                .chat(
                    ChatMessage(
                        kind: .message, sender: "1", name: "Ada", text: "one moment", sentAt: nil, isHistory: false)),
                at: .ms(1000))
            capture.tick(at: .ms(5000))
            let found = try archive.lines(with: SearchWords("moment"), limit: 10).elements
            #expect(found.map(\.excerpt) == ["one moment"] && found.map(\.at) == [.ms(1000)])
            let recording = try archive.recording(named: "20261130")
            let error = #expect(throws: ArchiveError.self) { try archive.remove(recording) }
            #expect(error == .running(archive.path(of: recording)))
            withExtendedLifetime(capture) {}
        }
        // Its recorder is gone, and has left it as it is.
        #expect(try archive.recordings().elements.map(\.state) == [.interrupted])
    }

    /// Where a recorder has just made the folder, there is nothing damaged.
    @Test func whatIsAboutToBeginIsNotListedYet() throws {
        try Folder.create(shelf.folder + "/2026/11/30/20261130T040728Z-k3f9-Daily")
        let archive = try Archive(shelf.folder)
        #expect(try archive.tails() == "")
        #expect(try archive.tails() == "")
        #expect(try shelf.archive().recordings().elements.map(\.state) == [.damaged])
    }
}
