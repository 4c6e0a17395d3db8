package import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage

/// Makes the composite of a recording that is on disk, with the same renderer as during the call.
package struct RecordingRendering {
    package var folder: String
    package var settings: RenderSettings
    /// The part to render, on the recording's timeline; the file's time begins at its start. Nil: to the end.
    package var from = TimelineTime.zero
    package var to: TimelineTime?
    /// Whose part alone to render: a participant's name or id, or the number of a track of theirs. Nil for everybody.
    package var participant: String?
    /// Whether the layout changes when somebody asked for that during the call. Marks are chapters in any case.
    package var followsLayoutChanges = true

    /// What was asked for is not in the recording.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case noSuchParticipant(String, known: [String])

        package var description: String {
            switch self {
            case .noSuchParticipant(let who, let known):
                "the recording has no participant and no track '\(who)'"
                    + (known.isEmpty ? "" : " (there were \(known.joined(separator: ", ")))")
            }
        }
    }

    /// - Parameters:
    ///   - folder: the recording's folder.
    ///   - settings: title and origin are taken from the recording where they are not set.
    package init(folder: String, settings: RenderSettings = RenderSettings()) {
        self.folder = folder
        self.settings = settings
    }

    /// Renders into a new file; nothing is left of it when that fails.
    /// - Parameter progress: called every half second of the recording with the share that is done, 0 to 1; returns
    ///   whether to go on. When it says no, the file ends there, whole.
    package func render(to path: String, progress: (Double) -> Bool = { _ in true }) throws -> RenderSummary {
        let file = try AppendFile(creating: path)
        do { return try render(into: file, progress: progress) } catch {
            SmallFile.remove(path)
            throw error
        }
    }

    /// Renders beside a file that may be there already, and puts the new one in its place when it is complete and on the
    /// disk.
    /// - Returns: nil when the progress said not to go on; then the old file stays.
    package func replace(_ path: String, progress: (Double) -> Bool) throws -> RenderSummary? {
        let replacement = try FileReplacement(of: path)
        var isStopped = false
        let summary = try render(into: replacement.file) { share in
            isStopped = isStopped || !progress(share)
            return !isStopped
        }
        if isStopped { return nil }
        try replacement.commit()
        return summary
    }

    /// Renders into any output.
    package func render(
        into output: any RenderOutput, progress: (Double) -> Bool = { _ in true }
    ) throws -> RenderSummary {
        let length = try RecordingReader.measuredDuration(of: folder)
        let reader = try RecordingReader(folder: folder)
        let selection = try selection(of: reader.manifest)
        var settings = settings
        if settings.title.isEmpty { settings.title = reader.manifest.title }
        settings.origin = settings.origin ?? (reader.manifest.origin + (from - TimelineTime.zero))
        let renderer: any CompositeRenderer =
            if let container = settings.soundOnly {
                try SoundRenderer(settings, as: container, output: output)
            } else {
                try Renderer(settings, output: output)
            }
        let wholeEnd = TimelineTime.zero + length
        let end = min(to ?? wholeEnd, wholeEnd)
        let shift = from - TimelineTime.zero

        func handle(_ event: RoomEvent, _ time: TimelineTime) {
            if selection?.holds(event) ?? true { renderer.handle(event, at: time - shift) }
        }
        func obey(_ control: ControlEvent, _ time: TimelineTime) {
            if followsLayoutChanges || control.isMark { renderer.handle(control, at: time - shift) }
        }
        var lead = LeadIn()
        reader.read(
            before: from, event: handle, control: obey,
            frame: { if selection?.holds($1) ?? true { lead.keep($0, of: $1) } })
        for (id, frame) in lead.frames { renderer.frame(frame.shifted(back: shift), of: id) }

        var time = from
        while time < end {
            time = min(time + .milliseconds(500), end)
            reader.read(
                before: time, event: handle, control: obey,
                frame: { if selection?.holds($1) ?? true { renderer.frame($0.shifted(back: shift), of: $1) } })
            try renderer.advance(to: time - shift)
            let share = (time - from).seconds / (end - from).seconds
            if !progress(share) { break }
        }
        return try renderer.finish(at: max(time, from) - shift, tags: reader.manifest.compositeTags)
    }

    private func selection(of manifest: RecordingManifest) throws(Failure) -> ParticipantSelection? {
        guard let participant else { return nil }
        guard let selection = ParticipantSelection(participant, in: manifest) else {
            throw .noSuchParticipant(participant, known: manifest.participants.map(\.name).filter { !$0.isEmpty })
        }
        return selection
    }
}

/// What of the frames before the part to render is needed to begin in the middle: every video track's frames from its
/// last keyframe on.
private struct LeadIn {
    private var kept: [TrackID: [EncodedFrame]] = [:]

    mutating func keep(_ frame: EncodedFrame, of id: TrackID) {
        guard frame.codec.kind == .video else { return }
        if frame.isKeyframe { kept[id] = [] }
        kept[id, default: []].append(frame)
    }

    var frames: [(TrackID, EncodedFrame)] {
        kept.sorted { $0.key < $1.key }.flatMap { id, frames in frames.map { (id, $0) } }
    }
}

extension ControlEvent {
    fileprivate var isMark: Bool { if case .mark = self { true } else { false } }
}

extension EncodedFrame {
    fileprivate func shifted(back span: Duration) -> EncodedFrame {
        var frame = self
        frame.time = frame.time - span
        return frame
    }
}
