import CallbotTesting
import Glibc
import MediaTypes
import RecordingFormat
import Retention
import Storage
import Testing

@testable import Archive

struct ChangeTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func whatIsRemovedIsGone() throws {
        let folder = try shelf.put("aaaa", chat: [said("word")])
        try shelf.put("bbbb", hour: 30, chat: [said("word")])
        let archive = try shelf.archive()
        try archive.remove(archive.recording(named: "20261130"))
        #expect(try archive.tails() == "bbbb")
        #expect(try archive.lines(with: SearchWords("word"), limit: 10).elements.count == 1)
        // With the folder of its day, but for that of today.
        #expect(!Folder.exists(shelf.folder + "/2026/11/30") && Folder.exists(shelf.folder + "/2026/12/01"))
        #expect(!Folder.exists(shelf.folder + "/.removing"))
        _ = folder
        let today = try shelf.archive(at: WallTime(iso8601: "2026-12-01T12:00:00Z")!)
        try today.remove(today.recording(named: "20261201"))
        #expect(Folder.exists(shelf.folder + "/2026/12/01"))
    }

    /// A kill in the middle leaves all of it or nothing: first it is renamed, and then removed.
    @Test func aKilledRemovalLeavesNothingListed() throws {
        try shelf.put("aaaa")
        try shelf.put("bbbb", hour: 1)
        let archive = try shelf.archive()
        let recording = try archive.recording(named: "20261130T00")
        try archive.setAside(archive.path(of: recording))
        #expect(try archive.tails() == "bbbb")
        #expect(archive.leftoverBytes == recording.bytes)
        _ = try archive.rebuild()
        #expect(try archive.tails() == "bbbb")
        // The next one removes what is left.
        try archive.remove(archive.recording(named: "20261130T01"))
        #expect(archive.leftoverBytes == 0 && !Folder.exists(shelf.folder + "/.removing"))
    }

    @Test func whatIsHeldStays() throws {
        let folder = try shelf.put("aaaa")
        let archive = try shelf.archive()
        let recording = try archive.recording(named: folder)
        try archive.setHeld(true, recording)
        try archive.setHeld(true, recording)
        #expect(try archive.recordings().elements.map(\.isHeld) == [true])
        // By the folder, not by the index; and not by what was known before.
        SmallFile.remove(shelf.folder + "/.index.sqlite3")
        #expect(try archive.recordings().elements.map(\.isHeld) == [true])
        #expect(throws: ArchiveError.held(folder)) { try archive.remove(recording) }
        #expect(try archive.removals(by: RetentionRules(count: 0)).isEmpty)
        try archive.setHeld(false, recording)
        try archive.setHeld(false, recording)
        #expect(try archive.removals(by: RetentionRules(count: 0)).map(\.1) == [.count])
        try archive.remove(recording)
        #expect(try archive.tails() == "")
    }

    @Test func whatIsMovedIsInTheOtherArchive() throws {
        let folder = try shelf.put("aaaa", chat: [said("word")])
        let other = shelf.temporary.path + "/other"
        let archive = try shelf.archive()
        let recording = try archive.recording(named: folder)
        #expect(try archive.move(recording, to: .archive(other)) == other + "/" + folder)
        #expect(try archive.tails() == "")
        let moved = try Archive(other, now: { Shelf.later })
        #expect(try moved.recordings().elements == [recording])
        #expect(throws: ArchiveError.self) { try archive.move(recording, to: .archive(other)) }
        // To a place of one's own, and never over anything or into itself.
        #expect(
            try moved.move(recording, to: .folder(shelf.temporary.path + "/mine")) == shelf.temporary.path + "/mine")
        try shelf.put("aaaa")
        #expect(throws: ArchiveError.storage(.exists(shelf.temporary.path + "/mine"))) {
            try archive.move(recording, to: .folder(shelf.temporary.path + "/mine"))
        }
        #expect(throws: ArchiveError.self) {
            try archive.move(recording, to: .folder(archive.path(of: recording) + "/inside"))
        }
        #expect(throws: ArchiveError.self) { try archive.move(recording, to: .archive(shelf.folder)) }
        #expect(try archive.tails() == "aaaa")
    }

    /// Another file system: /dev/shm is one on every Linux.
    @Test func acrossFileSystemsItIsCopiedFirst() throws {
        let other = "/dev/shm/callbot-test-\(getpid())-\(UInt32.random(in: 0...(.max)))"
        guard Folder.isWritable("/dev/shm") else { return }
        defer { try? FolderTree.remove(other) }
        let folder = try shelf.put("aaaa", chat: [said("word")])
        try Folder.create("\(shelf.folder)/\(folder)/tracks")
        try shelf.write(Array(repeating: 7, count: 3_000_000), "tracks/01.webm", in: folder)
        let archive = try shelf.archive()
        let recording = try archive.recording(named: folder)
        // Told to stop, it is here and not there.
        let stopped = #expect(throws: ArchiveError.self) {
            try archive.move(recording, to: .archive(other)) { _ in false }
        }
        #expect(stopped == .stopped)
        #expect(try archive.tails() == "aaaa" && Archive(other).tails() == "")
        // What a killed one has left there is not listed, and is in nobody's way.
        try Folder.create("\(other)/2026/11/30/.moving-\(recording.folderName)")
        var copied: Int64 = 0
        _ = try archive.move(recording, to: .archive(other)) {
            copied += $0
            return true
        }
        #expect(copied == recording.bytes && copied > 3_000_000)
        #expect(try archive.tails() == "" && !Folder.exists(archive.path(of: recording)))
        #expect(!Folder.exists(shelf.folder + "/.removing"))
        #expect(try Archive(other).recordings().elements.map(\.bytes) == [recording.bytes])
    }

    @Test func partsAreExported() throws {
        let folder = try shelf.put("aaaa", chat: [said("word")])
        try Folder.create("\(shelf.folder)/\(folder)/tracks")
        for file in ["tracks/01-Ada.webm", "call.webm", "poster.jpg", "chat.vtt", "waveform.json", "held"] {
            try shelf.write(Array(file.utf8), file, in: folder)
        }
        symlink("/etc/hostname", "\(shelf.folder)/\(folder)/link")
        let archive = try shelf.archive()
        let recording = try archive.recording(named: folder)
        let target = shelf.temporary.path + "/out"
        func export(_ parts: [Archive.Part]) throws -> [String] {
            defer { try? FolderTree.remove(target) }
            let (files, bytes) = try archive.export(recording, parts, to: target)
            let found = FolderTree.files(target)
            #expect(files == found.count && bytes == found.reduce(0) { $0 + $1.bytes })
            return found.map(\.path)
        }
        #expect(try export([.composite]) == ["call.webm"])
        #expect(try export([.tracks, .chat]) == ["chat.jsonl", "chat.vtt", "tracks/01-Ada.webm"])
        #expect(try export([.report]) == ["events.jsonl", "recording.json", "report.json"])
        let all = try export([])
        #expect(try export([.pictures]) == ["poster.jpg", "waveform.json"])
        #expect(all.count == 9 && !all.contains("held") && !all.contains("link"))
        try Folder.create(target)
        #expect(throws: ArchiveError.storage(.exists(target))) { try archive.export(recording, to: target) }
        let stopped = #expect(throws: ArchiveError.self) {
            try archive.export(recording, to: target + "2") { _ in false }
        }
        #expect(stopped == .stopped && !Folder.exists(target + "2"))
    }

    @Test func rulesSayWhatIsToGo() throws {
        try shelf.put("aaaa", hour: 0)
        try shelf.put("bbbb", hour: 24)
        try shelf.put("cccc", hour: 48, address: "janus+ws://h/2")
        let archive = try shelf.archive(at: WallTime(iso8601: "2026-12-03T00:00:00Z")!)
        func plan(_ rules: RetentionRules) throws -> [String] {
            try archive.removals(by: rules).map { "\($0.0.id.suffix(4)) \($0.1.rawValue)" }
        }
        #expect(try plan(.init()) == [])
        #expect(try plan(.init(age: .seconds(60 * 3600))) == ["aaaa age"])
        #expect(try plan(.init(countPerRoom: 1)) == ["aaaa count-per-room"])
        #expect(try plan(.init(freeSpace: .max)).count == 3)
        #expect(try plan(.init(freeSpace: 1)) == [])
    }

    /// A day's folder that became a link after it was listed does not lead to what lies behind it.
    @Test func aFolderThatBecameALinkIsLeftAlone() throws {
        let elsewhere = try Shelf()
        try elsewhere.put("aaaa")
        let folder = try shelf.put("aaaa")
        let archive = try shelf.archive()
        let recording = try archive.recording(named: folder)
        try FolderTree.remove(shelf.folder + "/2026")
        symlink(elsewhere.folder + "/2026", shelf.folder + "/2026")
        for change in [
            { try archive.remove(recording) }, { try archive.setHeld(true, recording) },
            { _ = try archive.move(recording, to: .archive(shelf.temporary.path + "/other")) },
            { _ = try archive.export(recording, to: shelf.temporary.path + "/out") },
        ] {
            #expect(throws: ArchiveError.outside(archive.path(of: recording), archive: shelf.folder)) { try change() }
        }
        #expect(try elsewhere.archive().tails() == "aaaa" && archive.tails() == "")
    }
}
