package import Examination
import Glibc
import JSON
package import MediaTypes
package import RecordingFormat
import RoomProtocol
import Storage

/// A recording as it is watched: who was there and spoke when, what was written, what is missing, and which files there
/// are to be played. Made from the folder as it is now, whoever wrote what into it.
package struct RecordingView: Sendable {
    /// From one moment to another; nil while it lasts.
    package typealias Span = SpeakingTurns.Turn

    package struct Person: Sendable {
        package var id: ParticipantID
        package var name: String
        package var stays: [Span]
        package var speaking: [Span] = []
        /// How much they spoke.
        package var speech: SpeakingTimes.Person

        /// What they are called.
        package var label: String { name.isEmpty ? id.value : name }
    }

    package struct Gap: Sendable {
        /// Nil for the whole room.
        package var track: TrackID?
        package var span: Span
        package var reason: String
    }

    package struct Mark: Sendable {
        package var at: TimelineTime
        package var text: String
    }

    /// A picture, or a sound, of the whole call.
    package struct Rendering: Sendable {
        /// In the recording's folder.
        package var file: String
        package var bytes: Int64
    }

    package let manifest: RecordingManifest
    package let isRunning: Bool
    /// Nil where there is no report.
    package let verdict: Verdict?
    package private(set) var duration: Duration
    package private(set) var people: [Person]
    package private(set) var chat: [ChatLine]
    package private(set) var marks: [Mark] = []
    package private(set) var gaps: [Gap] = []
    package private(set) var renderings: [Rendering]
    package let hasPoster: Bool
    /// The names of the files that the call is looked over by, as far as they are there and of this call.
    package private(set) var overviews: Set<String> = []
    /// How long the files of tracks are, where they are not finished and grow.
    private(set) var openFiles: [String: Int64] = [:]

    /// Lists are cut off here, so that a page of them can still be shown.
    static let mostEntries = 50_000

    package init(folder: String) throws(RecordingExamination.Failure) {
        let examination = try RecordingExamination(folder: folder)
        let journal = (try? SmallFile.read(folder + "/" + FileNaming.journal, limit: 1 << 28)) ?? []
        let entries = JournalEntry.entries(in: journal).entries
        let report = examination.stored
        var manifest = examination.manifest
        // While it is made, and where it was cut short, the journal knows more.
        if manifest.state == .recording { manifest.follow(entries) }
        self.manifest = manifest
        isRunning = examination.isRunning
        // One that is not there is not made by reading all files for it.
        verdict = report == nil ? nil : examination.report().verdict
        let last = max(entries.last?.at.microseconds ?? 0, report?.duration.microseconds ?? 0)
        let length = TimelineTime(microseconds: manifest.duration?.microseconds ?? last).plausible
        duration = length - .zero
        people = manifest.participants.prefix(1000).map { somebody in
            Person(
                id: somebody.id, name: somebody.name,
                stays: somebody.stays.prefix(1000).map { Span(from: $0.from.plausible, to: $0.to?.plausible) },
                speech: .init(id: somebody.id, name: somebody.name))
        }
        let lines = (try? SmallFile.read(folder + "/" + FileNaming.chat, limit: 1 << 26)) ?? []
        chat = ChatLine.lines(in: lines).lines.suffix(Self.mostEntries).map {
            ChatLine(at: $0.at.plausible, message: $0.message)
        }.sorted { $0.at < $1.at }
        renderings = Self.renderings(in: folder)
        if manifest.state == .recording {
            for path in manifest.tracks.prefix(2000).compactMap(\.file) + renderings.map(\.file)
            where path.hasSuffix(".webm") {
                openFiles[path] = try? SmallFile.length(of: folder + "/" + path)
            }
        }
        hasPoster = Folder.exists(folder + "/" + FileNaming.poster)
        if manifest.state != .recording { overviews = Self.overviews(in: folder) }
        gaps = manifest.interruptions.prefix(1000).map {
            Gap(track: nil, span: Span(from: $0.from.plausible, to: $0.to.plausible), reason: "not recorded")
        }
        follow(entries)
    }

    /// Takes from the journal what only the journal knows.
    private mutating func follow(_ entries: [JournalEntry]) {
        var turns = SpeakingTurns()
        for entry in entries {
            let at = entry.at.plausible
            turns.follow(entry.event, at: at)
            switch entry.event {
            case .control(.mark(let text)):
                if marks.count < Self.mostEntries { marks.append(Mark(at: at, text: text)) }
            case .gap(let track, let from, let to, let reason):
                guard gaps.count < Self.mostEntries, to > from else { continue }
                gaps.append(
                    Gap(track: track, span: Span(from: from.plausible, to: to.plausible), reason: reason))
            default: break
            }
        }
        turns.finish(at: isRunning ? nil : .zero + duration)
        let times = SpeakingTimes(turns, of: Array(manifest.participants.prefix(people.count)), duration: duration)
        for (number, speech) in times.people.enumerated() {
            people[number].speaking = turns.turns(of: speech.id)
            people[number].speech = speech
        }
    }

    /// What is older than the composite is of another one.
    private static func overviews(in folder: String) -> Set<String> {
        let oldest = FileStatus(folder + "/" + FileNaming.composite)?.modified ?? 0
        func isOfIt(_ name: String) -> Bool {
            FileStatus(folder + "/" + name).map { $0.kind == .file && $0.modified >= oldest } ?? false
        }
        var names = Set([FileNaming.thumbnails, FileNaming.thumbnailCues, FileNaming.waveform].filter(isOfIt))
        // One is of no use without the other.
        if !names.contains(FileNaming.thumbnails) { names.remove(FileNaming.thumbnailCues) }
        return names
    }

    /// The composite first, then what else was rendered into the folder.
    private static func renderings(in folder: String) -> [Rendering] {
        let names = ((try? Folder.entries(folder)) ?? []).filter { RecordingFiles.isRendering($0) }
        return (names.filter { $0 == FileNaming.composite } + names.filter { $0 != FileNaming.composite })
            .prefix(100).compactMap { name in
                guard let bytes = try? SmallFile.length(of: folder + "/" + name), bytes > 0 else { return nil }
                return Rendering(file: name, bytes: bytes)
            }
    }
}
