import Archive
import CallbotTesting
import EventLoop
import Foundation
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage

/// `ArchiveBench FOLDER RECORDINGS LINES`: makes an archive of so many recordings with so many lines of chat together, and
/// prints how long it takes to ask it.
@main enum ArchiveBench {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let recordings = Int(arguments[2]), let lines = Int(arguments[3]), recordings > 0
        else { fatalError("ArchiveBench FOLDER RECORDINGS LINES") }
        let folder = arguments[1]
        let made = try Maker(folder: folder, lines: lines / recordings).make(recordings)
        print("\(recordings) recordings, \(lines) lines of chat, made in \(made.words)")
        let archive = try Archive(folder)

        var count = 0
        row("rebuild of the index", time { count = try archive.rebuild() }, "\(count) recordings")
        // By files that have just been made nobody can tell whether they change again in the same moment.
        sleep(3)
        try archive.refresh()
        row("refresh, looking at every recording", try best { try archive.refresh() })
        row("list, the first page of 50", try best { _ = try archive.recordings(limit: 50) })
        var cursor = try archive.recordings(limit: recordings / 2 + 1).next
        row("list, a page in the middle", try best { _ = try archive.recordings(limit: 50, after: cursor) })
        var filter = RecordingFilter()
        filter.person = "Person 77"
        filter.room = "room 3"
        row("list, by room and person", try best { _ = try archive.recordings(filter, limit: 50) })
        row("list, the largest", try best { _ = try archive.recordings(order: .size, limit: 50) })
        for words in [
            "everywhere", "rare77", "common1 common2", "\"common1 common2\"", "rare*", "everywhere rare7", "absent",
        ] {
            var page: Page<FoundLine>?
            let span = try best { page = try archive.lines(with: SearchWords(words), limit: 50) }
            row("search \(words)", span, "\(page?.elements.count ?? 0) lines")
            cursor = page?.next
        }
        row(
            "search everywhere, the next page",
            try best {
                let next = try archive.lines(with: SearchWords("everywhere"), limit: 50).next
                _ = try archive.lines(with: SearchWords("everywhere"), limit: 50, after: next)
            })
        var words = RecordingFilter()
        words.words = SearchWords("rare77")
        row("list, with a word", try best { _ = try archive.recordings(words, limit: 50) })
        try Maker(folder: folder, lines: 100).one(recordings + 1)
        row("list, with one new recording", time { _ = try archive.recordings(limit: 50) })
        try archive.remove(archive.recordings(limit: 1).elements[0])
        let bytes = try SmallFile.length(of: folder + "/.index.sqlite3")
        print("the index has \(bytes / 1_000_000) MB")
    }

    private static func time(_ body: () throws -> Void) -> Duration {
        let begin = HostClock.now()
        do { try body() } catch { fatalError("\(error)") }
        return HostClock.now() - begin
    }

    /// Of five: other work on the machine only adds.
    private static func best(_ body: () throws -> Void) throws -> Duration {
        (0..<5).map { _ in time(body) }.min() ?? .zero
    }

    private static func row(_ name: String, _ span: Duration, _ more: String = "") {
        let name = name + String(repeating: " ", count: max(0, 40 - name.count))
        let words = span.words
        print("\(name)\(String(repeating: " ", count: max(0, 10 - words.count)))\(words)  \(more)")
    }
}

extension Duration {
    fileprivate var words: String {
        let tenths = microseconds / 100
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

/// Makes recordings as callbot leaves them, but for the media.
private struct Maker {
    let folder: String
    /// Of each recording's chat.
    let lines: Int

    func make(_ count: Int) throws -> Duration {
        let begin = HostClock.now()
        for number in 0..<count { try one(number) }
        return HostClock.now() - begin
    }

    func one(_ number: Int) throws {
        var generator = SeededGenerator(seed: UInt64(number + 1))
        // Twenty a day.
        let start = WallTime(microseconds: 1_750_000_000_000_000 + Int64(number) * 4_320_000_000)
        let id = RecordingID(startingAt: start, using: &generator)
        let room = "room \(number % 40)"
        var manifest = RecordingManifest(
            id: id, state: .finished, software: "callbot bench",
            room: .init(address: "janus+ws://127.0.0.1:8188/\(number % 40)", description: room), origin: start)
        let length = Int64.random(in: 60...5400, using: &generator)
        manifest.duration = .seconds(length)
        let names = (0..<5).map { _ in "Person \(Int.random(in: 0..<500, using: &generator))" }
        manifest.participants = names.enumerated().map { index, name in
            RecordedParticipant(
                id: ParticipantID("\(index)"), name: name,
                stays: [.init(from: .zero, to: TimelineTime(microseconds: length * 1_000_000))])
        }
        manifest.tracks = names.indices.map { index in
            RecordedTrack(
                TrackPublication(
                    id: TrackID(index + 1), participant: ParticipantID("\(index)"), kind: .audio, source: .microphone,
                    codec: .opus, description: "", publishedAs: MediaSectionID("0"), section: MediaSectionID("0")),
                started: .zero)
        }
        let path = folder + "/" + FileNaming.folder(of: id, room: room, startingAt: start)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var report = RecordingReport(id: id, state: .finished, duration: .seconds(length))
        report.verdict = Verdict(grade: number % 7 == 0 ? .degraded : .good)
        try write(Array(report.json.pretty.utf8), path + "/report.json")
        var journal: [UInt8] = []
        for second in 0..<200 {
            journal +=
                JournalEntry(
                    at: TimelineTime(microseconds: Int64(second) * 1_000_000),
                    event: .room(.speaking(ParticipantID("\(second % 5)"), isSpeaking: second % 2 == 0))
                ).line
        }
        journal += JournalEntry(at: .zero, event: .control(.mark("Chapter of \(number)"))).line
        try write(journal, path + "/events.jsonl")
        var chat: [UInt8] = []
        for line in 0..<lines {
            let words = (0..<6).map { _ in "common\(Int.random(in: 0..<30, using: &generator))" }
            let rare = "rare\(Int.random(in: 0..<20_000, using: &generator))"
            chat +=
                ChatLine(
                    at: TimelineTime(microseconds: Int64(line) * 1_000_000),
                    message: ChatMessage(
                        kind: .message, sender: "1", name: names[line % 5],
                        text: "everywhere " + words.joined(separator: " ") + " " + rare, sentAt: nil, isHistory: false)
                ).line
        }
        try write(chat, path + "/chat.jsonl")
        try write(Array(manifest.json.pretty.utf8), path + "/recording.json")
    }

    private func write(_ bytes: [UInt8], _ path: String) throws { try AppendFile(creating: path).append(bytes) }
}
