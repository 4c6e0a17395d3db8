import CallbotTesting
import Foundation
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage

@testable import Archive

/// An archive in a temporary folder, with recordings as callbot leaves them.
final class Shelf {
    let temporary: TemporaryFolder
    let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path + "/archive"
        try Folder.create(folder)
    }

    /// Long after all recordings were made, as the index sees it: so it takes them for settled.
    static let later = WallTime(microseconds: 4_000_000_000_000_000)

    func archive(at now: WallTime = later, notice: @escaping (String) -> Void = { _ in }) throws -> Archive {
        try Archive(folder, now: { now }, notice: notice)
    }

    /// Puts a recording in: its id's time is so many hours after 2026-11-30T00:00.
    /// - Returns: its folder within the archive.
    @discardableResult
    func put(
        _ tail: String, hour: Int = 0, room: String = "Daily", address: String = "janus+ws://127.0.0.1:8188/1234",
        people: [String] = ["Ada", "Bob"], minutes: Int = 10, grade: Verdict.Grade = .good, chat: [ChatLine] = [],
        marks: [(Int64, String)] = [], change: (inout RecordingManifest) -> Void = { _ in }
    ) throws -> String {
        let start = WallTime(microseconds: 1_795_996_800_000_000 + Int64(hour) * 3_600_000_000)
        let time = start.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        let id = RecordingID("\(time)Z-\(tail)")
        var manifest = RecordingManifest(
            id: id, state: .finished, software: "callbot test", room: .init(address: address, description: room),
            origin: start)
        manifest.duration = .seconds(minutes * 60)
        manifest.participants = people.enumerated().map { number, name in
            RecordedParticipant(
                id: ParticipantID("\(number + 1)"), name: name,
                stays: [.init(from: .zero, to: TimelineTime(microseconds: 60_000_000))])
        }
        change(&manifest)
        let path = FileNaming.folder(of: id, room: room, startingAt: start)
        try FileManager.default.createDirectory(atPath: folder + "/" + path, withIntermediateDirectories: true)
        try write(manifest, in: path)
        var report = RecordingReport(id: id, state: .finished, duration: .seconds(minutes * 60))
        report.verdict = Verdict(
            grade: grade, reasons: grade == .good ? [] : [.init(.lost, "something of \(people.first ?? "") was lost")])
        try write(Array(report.json.pretty.utf8), "report.json", in: path)
        let entries = marks.map { JournalEntry(at: .ms($0.0), event: .control(.mark($0.1))) }
        try write(entries.flatMap(\.line), "events.jsonl", in: path)
        if !chat.isEmpty { try write(chat.flatMap(\.line), "chat.jsonl", in: path) }
        return path
    }

    func write(_ manifest: RecordingManifest, in path: String) throws {
        try write(Array(manifest.json.pretty.utf8), "recording.json", in: path)
    }

    func write(_ bytes: [UInt8], _ name: String, in path: String) throws {
        // As a recorder does it, but without waiting for the disk.
        let file = "\(folder)/\(path)/\(name)"
        SmallFile.remove(file + ".new")
        try AppendFile(creating: file + ".new").append(bytes)
        try SmallFile.rename(file + ".new", to: file)
    }
}

func said(_ text: String, by name: String? = "Ada", at milliseconds: Int64 = 1000) -> ChatLine {
    ChatLine(
        at: .ms(milliseconds),
        message: ChatMessage(
            kind: .message, sender: name?.lowercased(), name: name, text: text, sentAt: nil, isHistory: false))
}

extension Archive {
    /// The ends of the ids, in their order.
    func tails(
        _ filter: RecordingFilter = .init(), order: RecordingOrder = .start, isReversed: Bool = false
    ) throws -> String {
        try recordings(filter, order: order, isReversed: isReversed).elements
            .map { $0.id.split(separator: "-").last.map(String.init) ?? $0.id }.joined(separator: " ")
    }

    func tails(_ change: (inout RecordingFilter) -> Void) throws -> String {
        var filter = RecordingFilter()
        change(&filter)
        return try tails(filter)
    }
}
