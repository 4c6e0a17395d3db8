import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage

/// Reads a recording's folder for the index. Whatever is in it, there is an answer: a recording that cannot be read is
/// a damaged one, and says why. Nothing outside of the folder is looked at, whatever its files say.
struct RecordingReading {
    /// More of these of one recording are not kept.
    static let mostLines = 200_000
    static let mostGaps = 1000
    static let mostPeople = 10_000
    static let mostTracks = 10_000
    /// Bytes of a text that are searched through.
    static let longestText = 8192
    private static let longestFile = 32 << 20

    /// The archive, and the recording's folder within it.
    let archive: String
    let folder: String
    let now: WallTime
    private var path: String { archive + "/" + folder }

    func contents() -> RecordingContents {
        // First, so that what changes while it is read is seen the next time.
        let stamp = RecordingStamp(of: path)
        var contents = readContents()
        contents.stamp = stamp
        contents.recording.bytes = FolderTree.bytes(path)
        contents.recording.isHeld = FileStatus(path + "/" + FileNaming.hold) != nil
        return contents
    }

    private func readContents() -> RecordingContents {
        let manifest: RecordingManifest
        switch Result(catching: { () throws(Problem) in try readManifest() }) {
        case .success(let read): manifest = read
        case .failure(let problem): return damaged(problem.words)
        }
        var recording = ArchivedRecording(
            folder: folder, id: manifest.id.value, room: manifest.room, start: manifest.origin,
            state: state(of: manifest), bytes: 0, people: manifest.participants.count)
        recording.duration = manifest.duration
        recording.source = manifest.recipe["schedule"]?.string
        var contents = RecordingContents(recording: recording)
        contents.people = manifest.participants.prefix(Self.mostPeople).map { .init(id: $0.id.value, name: $0.name) }
        contents.tracks = manifest.tracks.prefix(Self.mostTracks).map { track in
            .init(
                number: track.id.number, participant: track.participant.value, kind: track.kind.rawValue,
                source: track.source.rawValue, codec: track.codec.rawValue, started: track.started, ended: track.ended,
                bytes: track.bytes, file: track.file)
        }
        contents.gaps = manifest.interruptions.map {
            .init(track: nil, from: $0.from, to: $0.to, reason: "interrupted")
        }
        contents.lines = names(in: manifest)
        readReport(into: &contents)
        readJournal(into: &contents)
        readChat(into: &contents)
        contents.gaps = Array(contents.gaps.prefix(Self.mostGaps))
        return contents
    }

    // MARK: - recording.json

    private struct Problem: Error { var words: String }

    private func readManifest() throws(Problem) -> RecordingManifest {
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(path + "/" + FileNaming.manifest, limit: Self.longestFile) } catch {
            throw Problem(words: "recording.json: \(error.reason)")
        }
        do { return try RecordingManifest(parsing: bytes) } catch {
            switch error {
            case .notJSON(let error): throw Problem(words: "recording.json is no JSON: \(error)")
            case .unsupportedVersion(let version?):
                throw Problem(words: "recording.json is of version \(version), which this callbot does not know")
            case .unsupportedVersion(nil): throw Problem(words: "recording.json has no version")
            case .missing(let key): throw Problem(words: "recording.json has no '\(key)' that can be read")
            }
        }
    }

    private func state(of manifest: RecordingManifest) -> ArchivedRecording.State {
        switch manifest.state {
        case .finished: .finished
        case .interrupted: .interrupted
        case .recording: FileLock.isHeld(ofFolder: path) ? .recording : .interrupted
        }
    }

    /// By its name, since that is all there is.
    private func damaged(_ problem: String) -> RecordingContents {
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        let named = FolderName(name)
        var recording = ArchivedRecording(
            folder: folder, id: named?.id ?? name, room: .init(address: "", description: named?.room ?? ""),
            start: named?.start, state: .damaged, bytes: 0)
        recording.problem = problem
        return RecordingContents(recording: recording)
    }

    private func names(in manifest: RecordingManifest) -> [RecordingContents.Line] {
        var lines: [RecordingContents.Line] = []
        if !manifest.room.description.isEmpty {
            lines.append(.init(at: .zero, kind: .room, person: nil, text: Self.cut(manifest.room.description)))
        }
        for person in manifest.participants.prefix(Self.mostPeople) where !person.name.isEmpty {
            let text = Self.cut(person.name)
            lines.append(.init(at: person.stays.first?.from ?? .zero, kind: .name, person: text, text: text))
        }
        return lines
    }

    // MARK: - The other files

    private func readReport(into contents: inout RecordingContents) {
        let state = contents.recording.state
        guard let bytes = try? SmallFile.read(path + "/" + FileNaming.report, limit: Self.longestFile),
            var report = try? RecordingReport(parsing: bytes)
        else {
            if state == .finished { contents.recording.problem = "report.json is missing, or cannot be read" }
            return
        }
        if report.state == .recording, state != .recording {
            // Nobody was left to write that it was cut short.
            report.state = state == .finished ? .finished : .interrupted
            report.verdict = Verdict(judging: report)
        }
        if state == .recording {
            report.verdict.reasons.removeAll { $0.code == .unfinished }
            if report.verdict.reasons.isEmpty { report.verdict.grade = .good }
        }
        if contents.recording.duration == nil { contents.recording.duration = report.duration }
        contents.recording.grade = report.verdict.grade
        contents.recording.reasons = report.verdict.reasons.prefix(100).map { Self.cut($0.text) }
        for track in report.tracks {
            contents.gaps += track.gaps.map {
                .init(track: track.track.number, from: $0.from, to: $0.to, reason: $0.reason.rawValue)
            }
        }
    }

    /// Marks, and gaps of the whole room.
    private func readJournal(into contents: inout RecordingContents) {
        var count = 0
        LineScan.lines(of: path + "/" + FileNaming.journal, containing: ["\"mark\"", "\"gap\""]) { line in
            guard let json = try? JSONValue(parsing: Array(line)), let entry = try? JournalEntry(json) else {
                return true
            }
            count += 1
            switch entry.event {
            case .control(.mark(let text)):
                contents.lines.append(.init(at: entry.at, kind: .mark, person: nil, text: Self.cut(text)))
            case .gap(nil, let from, let to, let reason):
                contents.gaps.append(.init(track: nil, from: from, to: to, reason: reason))
            default: break
            }
            return count < Self.mostLines
        }
    }

    private func readChat(into contents: inout RecordingContents) {
        LineScan.lines(of: path + "/" + FileNaming.chat) { line in
            guard let json = try? JSONValue(parsing: Array(line)), let chat = try? ChatLine(json) else { return true }
            let message = chat.message
            contents.lines.append(
                .init(
                    at: chat.at, kind: .init(message.kind), person: (message.name ?? message.sender).map(Self.cut),
                    text: Self.cut(message.text)))
            return contents.lines.count < Self.mostLines
        }
    }

    /// A text of no more bytes than are kept.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        return String(decoding: text.utf8.prefix(longestText), as: UTF8.self)
    }
}

/// What the name of a recording's folder tells: `20261130T040728Z-k3f9-room`.
struct FolderName: Hashable, Sendable {
    var id: String
    var room: String
    var start: WallTime

    init?(_ name: String) {
        let parts = name.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].utf8.count == 16, !parts[1].isEmpty else { return nil }
        let digits = Array(parts[0])
        guard digits[8] == "T", digits[15] == "Z" else { return nil }
        func number(_ range: Range<Int>) -> String { String(digits[range]) }
        let text =
            "\(number(0..<4))-\(number(4..<6))-\(number(6..<8))T\(number(9..<11)):\(number(11..<13)):\(number(13..<15))Z"
        guard let start = WallTime(iso8601: text) else { return nil }
        id = "\(parts[0])-\(parts[1])"
        room = parts.count > 2 ? String(parts[2]) : ""
        self.start = start
    }
}
