package import MediaTypes
import RecordingFormat
import Storage

/// Makes the composite of a recording that is on disk, with the same renderer as during the call.
package struct RecordingRendering {
    package var folder: String
    package var settings: RenderSettings
    /// The part to render, on the recording's timeline; the file's time begins at its start. Nil: to the end.
    package var from = TimelineTime.zero
    package var to: TimelineTime?

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

    /// Renders into any output.
    package func render(
        into output: any RenderOutput, progress: (Double) -> Bool = { _ in true }
    ) throws -> RenderSummary {
        let length = try RecordingReader.measuredDuration(of: folder)
        let reader = try RecordingReader(folder: folder)
        var settings = settings
        if settings.title.isEmpty { settings.title = reader.manifest.title }
        settings.origin = settings.origin ?? (reader.manifest.origin + (from - TimelineTime.zero))
        let renderer = try Renderer(settings, output: output)
        let wholeEnd = TimelineTime.zero + length
        let end = min(to ?? wholeEnd, wholeEnd)
        let shift = from - TimelineTime.zero

        var lead = LeadIn()
        reader.read(
            before: from, event: { renderer.handle($0, at: $1 - shift) }, frame: { lead.keep($0, of: $1) })
        for (id, frame) in lead.frames { renderer.frame(frame.shifted(back: shift), of: id) }

        var time = from
        while time < end {
            time = min(time + .milliseconds(500), end)
            reader.read(
                before: time, event: { renderer.handle($0, at: $1 - shift) },
                frame: { renderer.frame($0.shifted(back: shift), of: $1) })
            try renderer.advance(to: time - shift)
            let share = (time - from).seconds / (end - from).seconds
            if !progress(share) { break }
        }
        return try renderer.finish(at: max(time, from) - shift, tags: reader.manifest.compositeTags)
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

extension EncodedFrame {
    fileprivate func shifted(back span: Duration) -> EncodedFrame {
        var frame = self
        frame.time = frame.time - span
        return frame
    }
}
