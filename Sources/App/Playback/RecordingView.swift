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
    package struct Span: Hashable, Sendable {
        package var from: TimelineTime
        package var to: TimelineTime?
    }

    package struct Person: Sendable {
        package var id: ParticipantID
        package var name: String
        package var stays: [Span]
        package var speaking: [Span] = []

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
    /// How long the files of tracks are, where they are not finished and grow.
    private(set) var openFiles: [String: Int64] = [:]

    /// Lists are cut off here, so that a page of them can still be shown.
    static let mostEntries = 50_000
    /// Nothing lies beyond, in microseconds: ten years.
    private static let latest: Int64 = 315_360_000_000_000

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
        let length = Self.clamped(TimelineTime(microseconds: manifest.duration?.microseconds ?? last))
        duration = length - .zero
        people = manifest.participants.prefix(1000).map { somebody in
            Person(
                id: somebody.id, name: somebody.name,
                stays: somebody.stays.prefix(1000).map {
                    Span(from: Self.clamped($0.from), to: $0.to.map(Self.clamped))
                })
        }
        let lines = (try? SmallFile.read(folder + "/" + FileNaming.chat, limit: 1 << 26)) ?? []
        chat = ChatLine.lines(in: lines).lines.suffix(Self.mostEntries).map {
            ChatLine(at: Self.clamped($0.at), message: $0.message)
        }.sorted { $0.at < $1.at }
        renderings = Self.renderings(in: folder)
        if manifest.state == .recording {
            for path in manifest.tracks.prefix(2000).compactMap(\.file) + renderings.map(\.file)
            where path.hasSuffix(".webm") {
                openFiles[path] = try? SmallFile.length(of: folder + "/" + path)
            }
        }
        hasPoster = Folder.exists(folder + "/" + FileNaming.poster)
        gaps = manifest.interruptions.prefix(1000).map {
            Gap(track: nil, span: Span(from: Self.clamped($0.from), to: Self.clamped($0.to)), reason: "not recorded")
        }
        follow(entries)
    }

    /// Takes from the journal what only the journal knows.
    private mutating func follow(_ entries: [JournalEntry]) {
        var index: [ParticipantID: Int] = [:]
        for (number, somebody) in people.enumerated() { index[somebody.id] = number }
        var since: [ParticipantID: TimelineTime] = [:]
        func end(_ id: ParticipantID, _ time: TimelineTime?) {
            guard let from = since.removeValue(forKey: id), let number = index[id],
                people[number].speaking.count < Self.mostEntries, time.map({ $0 > from }) ?? true
            else { return }
            people[number].speaking.append(Span(from: from, to: time))
        }
        for entry in entries {
            let at = Self.clamped(entry.at)
            switch entry.event {
            case .room(.speaking(let id, isSpeaking: true)): if since[id] == nil { since[id] = at }
            case .room(.speaking(let id, isSpeaking: false)), .room(.participantLeft(let id, _)): end(id, at)
            case .recordingResumed(let last): for id in Array(since.keys) { end(id, Self.clamped(last)) }
            case .recordingEnded: for id in Array(since.keys) { end(id, at) }
            case .control(.mark(let text)):
                if marks.count < Self.mostEntries { marks.append(Mark(at: at, text: text)) }
            case .gap(let track, let from, let to, let reason):
                guard gaps.count < Self.mostEntries, to > from else { continue }
                gaps.append(
                    Gap(track: track, span: Span(from: Self.clamped(from), to: Self.clamped(to)), reason: reason))
            default: break
            }
        }
        for id in Array(since.keys) { end(id, isRunning ? nil : .zero + duration) }
        for number in people.indices { people[number].speaking.sort { $0.from < $1.from } }
    }

    private static func clamped(_ time: TimelineTime) -> TimelineTime {
        TimelineTime(microseconds: min(max(0, time.microseconds), latest))
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
