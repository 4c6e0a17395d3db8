import Capture
package import JSON
import MediaTypes
import RecordingFormat
import Rendering
import RoomProtocol
package import Storage
import WebM

/// Makes a whole recording of a folder whose recorder was stopped in the middle: every file finished, all of the recording's
/// length, the manifest up to what the journal says. What is whole already stays as it is, so that a second time does nothing.
package final class RecordingRepair {
    package enum Failure: Error, Hashable {
        case notARecording
        /// Another process holds the lock.
        case beingRecorded
        /// The manifest is of a version that is not known here.
        case unsupportedVersion(Int?)
        case storage(StorageError)
        /// The composite is there and would be another one, and the recording is held.
        case held
        /// The progress said so.
        case stopped
    }

    /// What became of one file.
    package struct Report: Hashable, Sendable {
        /// Within the recording's folder.
        package var file: String
        /// A part of a sentence.
        package var text: String
        /// Whether the file is not as it should be.
        package var isFailure: Bool
    }

    /// Called with the file that is worked on and the share of it that is done, 0 to 1; says whether to go on.
    package typealias Progress = (_ file: String, _ share: Double) -> Bool

    let folder: String
    let progress: Progress
    /// What the composite looks like, by what was asked for the recording; nil when there is to be none.
    let compositeRecipe: ((_ recipe: JSONValue) -> CompositeRecipe?)?
    /// Whether the composite is made anew, however whole the one is that is there.
    let remakesComposite: Bool
    private let software: String
    private let say: (Report) -> Void

    var manifest: RecordingManifest
    var journal: [JournalEntry] = []
    /// The manifest as it is on the disk; nil when it is missing or broken.
    private var writtenManifest: [UInt8]?

    /// - Parameters:
    ///   - composite: without this, no composite is made that is not there.
    ///   - remakesComposite: whether it is made anew in any case.
    ///   - say: takes a line a file.
    package init(
        folder: String, software: String, composite: ((_ recipe: JSONValue) -> CompositeRecipe?)?,
        remakesComposite: Bool = false, say: @escaping (Report) -> Void, progress: @escaping Progress = { _, _ in true }
    ) {
        self.folder = folder
        self.software = software
        compositeRecipe = composite
        self.remakesComposite = remakesComposite
        self.say = say
        self.progress = progress
        manifest = RecordingManifest(
            id: RecordingID(""), software: software, room: .init(address: ""), origin: WallTime(microseconds: 0))
    }

    package func run() throws(Failure) {
        guard Folder.isFolder(folder) else { throw .notARecording }
        let lock: FileLock
        do { lock = try FileLock(folder: folder) } catch {
            throw error.cause == .locked ? .beingRecorded : .storage(error)
        }
        defer { withExtendedLifetime(lock) {} }
        if remakesComposite, Folder.exists(path(FileNaming.hold)), Folder.exists(path(FileNaming.composite)) {
            throw .held
        }
        // Nothing is changed before it is known to be a recording.
        try readManifest()
        journal = readJournal()
        let surveys = try surveyTracks()
        try bringManifestUpToDate(with: surveys)
        try storing { () throws(StorageError) in
            try removeLeftovers()
            try cutTornLines()
        }
        try finishTracks(surveys)
        try storing { () throws(StorageError) in
            try writeSubtitles()
            try endJournal()
            try writeReport()
            try writeManifest()
        }
        if try repairComposite() { try storing { () throws(StorageError) in try writeManifest() } }
    }

    func path(_ file: String) -> String { folder + "/" + file }

    func report(_ file: String, _ text: String, isFailure: Bool = false) {
        say(Report(file: file, text: text, isFailure: isFailure))
    }

    // MARK: - Manifest

    /// Reads the manifest, if it can be read. One of another version is none of ours.
    private func readManifest() throws(Failure) {
        guard let bytes = try? SmallFile.read(path(FileNaming.manifest)) else { return }
        do {
            manifest = try RecordingManifest(parsing: bytes)
            writtenManifest = bytes
        } catch .unsupportedVersion(let version) where version != nil {
            throw .unsupportedVersion(version)
        } catch {
            // It is made anew.
        }
    }

    private func readJournal() -> [JournalEntry] {
        let bytes = (try? SmallFile.read(path(FileNaming.journal), limit: 1 << 30)) ?? []
        return JournalEntry.entries(in: bytes).entries
    }

    private func bringManifestUpToDate(with surveys: [TrackSurvey]) throws(Failure) {
        if writtenManifest == nil {
            let name = folder.split(separator: "/").last.map(String.init) ?? ""
            var generator = SystemRandomNumberGenerator()
            let rebuilt = RecordingManifest.rebuilt(
                from: journal, folderName: name, origin: surveys.compactMap(\.survey.dateUTC).first,
                address: surveys.compactMap { $0.survey.tags["ROOM"] }.first ?? "", software: software,
                using: &generator)
            guard let rebuilt else { throw .notARecording }
            manifest = rebuilt
        } else if !isSettled {
            manifest.follow(journal)
        }
        for survey in surveys { manifest.take(survey) }
        guard !isSettled else { return }
        let lastEvent = journal.map(\.at).max() ?? .zero
        let lastFrame = surveys.map(\.survey.end).max() ?? .zero
        let end = max(lastEvent, lastFrame, .zero)
        manifest.endStays(at: end)
        manifest.endTracks(at: end)
        manifest.duration = end - .zero
        manifest.state = hasEnding ? .finished : .interrupted
        if !hasEnding { manifest.end = Self.ending }
    }

    /// Whether the manifest says how the recording ended: nothing more is known of that.
    private var isSettled: Bool { manifest.state != .recording && manifest.duration != nil }

    /// Whether the journal says how the recording ended, and nothing after that.
    private var hasEnding: Bool {
        let last = journal.last {
            switch $0.event {
            case .recordingStarted, .recordingResumed, .recordingEnded: true
            default: false
            }
        }
        if case .recordingEnded? = last?.event { return true }
        return false
    }

    private static let ending = RecordingEnding(
        reason: "interrupted", message: "The recorder was stopped in the middle.", exitCode: nil)

    /// What the recorder reported last, judged by what has become of the recording; of one that is settled nothing new is known.
    private func writeReport() throws(StorageError) {
        let stored = try? SmallFile.read(path(FileNaming.report))
        guard stored == nil || manifest.state != .finished, let duration = manifest.duration else { return }
        var builder = ReportBuilder(knowsLoss: false)
        if let report = stored.flatMap({ try? RecordingReport(parsing: $0) }) {
            builder.goOn(after: report)
            // What was being drawn is judged by what is there; anything else is known already.
            if let composite = report.composite, composite.state != .drawing { builder.setComposite(composite) }
        } else {
            for entry in journal { builder.follow(entry.event, at: entry.at) }
        }
        let bytes = Array(builder.report(of: manifest, at: .zero + duration).json.pretty.utf8)
        guard bytes != stored else { return }
        try AtomicFile.replace(path(FileNaming.report), with: bytes)
        report(FileNaming.report, stored == nil ? "made anew" : "brought up to date")
    }

    private func writeManifest() throws(StorageError) {
        manifest.files = files
        let bytes = Array(manifest.json.pretty.utf8)
        guard bytes != writtenManifest else { return }
        try AtomicFile.replace(path(FileNaming.manifest), with: bytes)
        report(FileNaming.manifest, writtenManifest == nil ? "made anew" : "brought up to date")
        writtenManifest = bytes
    }

    /// All that is known and there, in the order in which a recorder lists it.
    private var files: [RecordingFile] {
        var kinds: [(path: String, kind: RecordingFile.Kind)] = [(FileNaming.journal, .journal)]
        kinds += manifest.tracks.compactMap { track in track.file.map { ($0, .track) } }
        kinds += [
            (FileNaming.chat, .chat), (FileNaming.subtitles, .subtitles), (FileNaming.composite, .composite),
            (FileNaming.report, .report),
        ]
        kinds += RecordingFile.pictures.map { ($0.path, $0.kind) }
        for file in manifest.files where !kinds.contains(where: { $0.path == file.path }) {
            kinds.append((file.path, file.kind))
        }
        return kinds.compactMap { file in
            guard let bytes = try? SmallFile.length(of: path(file.path)) else { return nil }
            return RecordingFile(path: file.path, kind: file.kind, bytes: bytes)
        }
    }

    // MARK: - Lines

    private func cutTornLines() throws(StorageError) {
        for file in [FileNaming.journal, FileNaming.chat] where Folder.exists(path(file)) {
            let torn = try TornLine.cut(off: path(file))
            if torn > 0 { report(file, "\(torn) bytes of a torn line cut off") }
        }
    }

    private func endJournal() throws(StorageError) {
        guard !hasEnding, manifest.state == .interrupted, let duration = manifest.duration else { return }
        let entry = JournalEntry(at: .zero + duration, event: .recordingEnded(manifest.end ?? Self.ending))
        let file =
            if Folder.exists(path(FileNaming.journal)) {
                try AppendFile(reopening: path(FileNaming.journal))
            } else {
                try AppendFile(creating: path(FileNaming.journal))
            }
        try file.append(entry.line)
        try file.synchronize()
    }

    private func writeSubtitles() throws(StorageError) {
        guard let chat = try? SmallFile.read(path(FileNaming.chat)) else { return }
        let text = Array(ChatSubtitles.text(of: ChatLine.lines(in: chat).lines).utf8)
        guard text != (try? SmallFile.read(path(FileNaming.subtitles))) else { return }
        try AtomicFile.replace(path(FileNaming.subtitles), with: text)
        report(FileNaming.subtitles, "written")
    }

    /// Takes away what a recorder or a repair left that was stopped in the middle.
    private func removeLeftovers() throws(StorageError) {
        SmallFile.remove(path(FileNaming.controlSocket))
        let pictures = RecordingFile.pictures.map(\.path)
        for file in [FileNaming.manifest, FileNaming.subtitles, FileNaming.report] + pictures {
            SmallFile.remove(path(file + AtomicFile.suffix))
        }
        for place in [folder, path(FileNaming.tracksFolder)] where Folder.isFolder(place) {
            for name in try Folder.entries(place) where name.hasSuffix(FileReplacement.suffix) {
                SmallFile.remove(place + "/" + name)
            }
        }
    }
}

func storing<Value>(_ body: () throws(StorageError) -> Value) throws(RecordingRepair.Failure) -> Value {
    do { return try body() } catch { throw .storage(error) }
}
