import JSON
import MediaTypes
package import RecordingFormat
import RoomProtocol
import Storage

/// Reads a recording from its files: makes the report anew, and finds what does not hold.
package final class RecordingExamination {
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case notARecording(String)

        package var description: String {
            switch self {
            case .notARecording(let folder): "\(folder) is not a recording that this callbot can read"
            }
        }
    }

    package let manifest: RecordingManifest
    /// The recorder's own report; nil when there is none that can be read.
    package let stored: RecordingReport?
    /// Whether a process is still making it.
    package let isRunning: Bool
    package private(set) var findings: [Finding] = []

    private let folder: String
    private let entries: [JournalEntry]
    private let unreadableLines: Int

    package init(folder: String) throws(Failure) {
        self.folder = folder
        guard let bytes = try? SmallFile.read(folder + "/" + FileNaming.manifest),
            let manifest = try? RecordingManifest(parsing: bytes)
        else { throw .notARecording(folder) }
        self.manifest = manifest
        stored = (try? SmallFile.read(folder + "/" + FileNaming.report)).flatMap { try? RecordingReport(parsing: $0) }
        isRunning = manifest.state == .recording && Self.isLocked(folder)
        let journal = (try? SmallFile.read(folder + "/" + FileNaming.journal, limit: 1 << 30)) ?? []
        let (entries, unreadable) = JournalEntry.entries(in: journal)
        let order = entries.indices.sorted { (entries[$0].at, $0) < (entries[$1].at, $1) }
        self.entries = order.map { entries[$0] }
        unreadableLines = unreadable
    }

    private static func isLocked(_ folder: String) -> Bool {
        do {
            _ = try FileLock(folder: folder)
            return false
        } catch { return error.cause == .locked }
    }

    /// The manifest as it is to be believed: a recording that nobody makes any more, and nobody has ended, was cut short.
    private var settled: RecordingManifest {
        var manifest = manifest
        if manifest.state == .recording, !isRunning { manifest.state = .interrupted }
        return manifest
    }

    /// The recorder's report, or one made from journal and files when there is none; judged by what has become of the
    /// recording since.
    package func report() -> RecordingReport {
        guard var report = stored else { return reexamined(decoding: false) { _ in } }
        guard manifest.state == .recording else { return report }
        report.state = settled.state
        report.verdict = Verdict(judging: report)
        if isRunning { report.verdict.dismissUnfinished() }
        return report
    }

    /// The report made anew from journal and files, and what is found on the way in `findings`.
    /// - Parameters:
    ///   - decoding: whether all sound and pictures are decoded.
    ///   - progress: called with the share that is done, 0 to 1.
    package func reexamined(decoding: Bool, progress: (Double) -> Void) -> RecordingReport {
        var builder = ReportBuilder(knowsLoss: false)
        var manifest = settled
        let tracks = manifest.tracks.compactMap { track in
            track.file.map { TrackExamination(track, path: folder + "/" + $0, decodes: decoding) }
        }
        let length = manifest.duration ?? .microseconds(entries.last?.at.microseconds ?? 0)
        for entry in entries where entry.isKnownBeforehand { builder.follow(entry.event, at: entry.at) }
        var rest = entries.filter { !$0.isKnownBeforehand }[...]
        var time = TimelineTime.zero
        while true {
            time = time + .milliseconds(500)
            while let entry = rest.first, entry.at < time {
                builder.follow(entry.event, at: entry.at)
                rest.removeFirst()
            }
            for track in tracks { track.read(before: time, into: &builder) }
            if rest.isEmpty, tracks.allSatisfy(\.isOver) { break }
            progress(min(1, time.seconds / max(1, length.seconds)))
        }
        // What was written after the manifest was.
        for track in tracks {
            guard manifest.state != .finished, let index = manifest.tracks.firstIndex(where: { $0.id == track.id })
            else { continue }
            track.amend(&manifest.tracks[index])
        }
        builder.setComposite(compositeFound)
        let last = tracks.compactMap(\.lastFrame).max() ?? .zero
        let report = builder.report(of: manifest, at: max(last, entries.last?.at ?? .zero))
        findings += tracks.flatMap { $0.findings(in: self.manifest) }
        return report
    }

    /// Reads every file whole, and holds each against the others.
    /// - Returns: the report made anew; what does not hold is in `findings`.
    package func verify(progress: (Double) -> Void) -> RecordingReport {
        checkJournal()
        checkFiles()
        let hasComposite = Folder.exists(folder + "/" + FileNaming.composite)
        let share = hasComposite ? 0.6 : 1
        let report = reexamined(decoding: true) { progress($0 * share) }
        if hasComposite {
            let marks = entries.count { if case .control(.mark) = $0.event { true } else { false } }
            findings += CompositeExamination(folder: folder, manifest: manifest, marks: marks).findings {
                progress(share + $0 * (1 - share))
            }
        } else if manifest.files.contains(where: { $0.kind == .composite }) {
            findings.append(Finding(FileNaming.composite, "it is listed and not there"))
        }
        if let stored {
            findings += ReportComparison(stored: stored, found: report, manifest: manifest).findings
        } else if manifest.state == .finished {
            findings.append(Finding(FileNaming.report, "it is missing, or cannot be read"))
        }
        return report
    }

    /// As the folder tells, for a report that nobody has left.
    private var compositeFound: CompositeReport? {
        if var composite = stored?.composite {
            composite.degradations = []
            if composite.state == .drawing, !isRunning { composite.state = .missing }
            return composite
        }
        if Folder.exists(folder + "/" + FileNaming.composite) { return CompositeReport(state: .live) }
        return manifest.recipe["composite"]?.object == nil
            ? nil : CompositeReport(state: isRunning ? .drawing : .missing)
    }

    private func checkJournal() {
        findings += JournalComparison(entries: entries, unreadableLines: unreadableLines, manifest: manifest).findings
        checkChat()
    }

    private func checkChat() {
        let said = entries.count { if case .room(.chat) = $0.event { true } else { false } }
        guard said > 0 else { return }
        let bytes = (try? SmallFile.read(folder + "/" + FileNaming.chat)) ?? []
        let (lines, unreadable) = ChatLine.lines(in: bytes)
        if lines.count != said {
            findings.append(Finding(FileNaming.chat, "it has \(lines.count) messages, the journal \(said)"))
        }
        if unreadable > 0, manifest.state == .finished {
            findings.append(Finding(FileNaming.chat, "\(unreadable) lines cannot be read"))
        }
        guard manifest.state == .finished else { return }
        if !Folder.exists(folder + "/" + FileNaming.subtitles) {
            findings.append(Finding(FileNaming.subtitles, "it is missing"))
        }
    }

    /// Whether the files that are listed are there, as long as they are said to be, and no others.
    private func checkFiles() {
        for file in manifest.files {
            guard let bytes = try? SmallFile.length(of: folder + "/" + file.path) else {
                findings.append(Finding(file.path, "it is listed and not there"))
                continue
            }
            if manifest.state == .finished, bytes != file.bytes {
                findings.append(Finding(file.path, "it has \(bytes) bytes, and \(file.bytes) in the manifest"))
            }
        }
        guard manifest.state == .finished else { return }
        let listed = Set(manifest.files.map(\.path))
        let tracks = ((try? Folder.entries(folder + "/" + FileNaming.tracksFolder)) ?? []).map {
            FileNaming.tracksFolder + "/" + $0
        }
        let known = [
            FileNaming.journal, FileNaming.chat, FileNaming.subtitles, FileNaming.composite, FileNaming.report,
        ]
        let pictures = RecordingFile.pictures.map(\.path)
        for path in tracks + (known + pictures).filter({ Folder.exists(folder + "/" + $0) })
        where !listed.contains(path) {
            findings.append(Finding(path, "it is there and not in the manifest"))
        }
    }
}

extension JournalEntry {
    /// Frames of a track may have been captured a little before it was announced; and a gap is told of when it is over.
    fileprivate var isKnownBeforehand: Bool {
        switch event {
        // What is published must not come behind the track that it became.
        case .room(.trackPublished), .room(.trackStarted), .gap: true
        default: false
        }
    }
}

extension Verdict {
    /// Takes away that the recording has not been ended: it is being made.
    fileprivate mutating func dismissUnfinished() {
        reasons.removeAll { $0.code == .unfinished }
        if reasons.isEmpty { grade = .good }
    }
}
