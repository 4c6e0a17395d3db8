import Capture
import JSON
import MediaTypes
import RecordingFormat
import Rendering
import Storage
import WebM

extension RecordingRepair {
    /// How much of the recording's end a composite may lack that was drawn while it was recorded: it is some seconds behind.
    private static var usualLack: Duration { .seconds(5) }
    /// Of a recording that was gone on with, all is drawn at once, after it.
    private static var lackWhenResumed: Duration { .milliseconds(500) }

    /// Finishes the composite as far as it is drawn, or makes it from the tracks when it is missing, unreadable or lacks a part
    /// of the recording.
    /// - Returns: whether anything was made.
    func repairComposite() throws(Failure) -> Bool {
        let file = FileNaming.composite
        let isThere = Folder.exists(path(file))
        if isThere, !remakesComposite {
            do {
                let repair = WebMRepair(path: path(file))
                let survey = try repair.survey { progress(file, $0 / 2) }
                if survey.problem == nil, !lacks(survey) || compositeRecipe == nil {
                    let outcome = try finish(survey)
                    report(outcome, file)
                    return outcome != .whole
                }
            } catch {
                if compositeRecipe == nil || error == .stopped { try note(error, of: file) }
            }
            if compositeRecipe == nil {
                report(file, "left as it is; 'callbot render' makes it from the tracks", isFailure: true)
                return false
            }
        }
        guard let recipe = compositeRecipe?(manifest.recipe), !manifest.tracks.allSatisfy({ $0.file == nil }) else {
            return false
        }
        return try render(recipe, isThere ? "made anew from the tracks" : "made from the tracks")
    }

    /// Whether so much is missing that it is better made again.
    private func lacks(_ survey: SegmentSurvey) -> Bool {
        guard let duration = manifest.duration else { return false }
        // One that was killed before anything was drawn is nothing to look at.
        if survey.tracks.allSatisfy({ $0.frames == 0 }) { return true }
        return duration - (survey.end - .zero)
            > (manifest.interruptions.isEmpty ? Self.usualLack : Self.lackWhenResumed)
    }

    private func finish(_ survey: SegmentSurvey) throws(WebMRepair.Failure) -> WebMRepair.Outcome {
        var repair = WebMRepair(path: path(FileNaming.composite))
        repair.duration = manifest.duration
        repair.tags = manifest.compositeTags
        repair.chapters = chapters
        return try repair.repair(knowing: survey) { progress(FileNaming.composite, 0.5 + $0 / 2) }
    }

    /// The marks that were set.
    private var chapters: [Chapter] {
        var list = ChapterList()
        for entry in journal {
            if case .control(.mark(let title)) = entry.event { list.mark(title, at: entry.at) }
        }
        return list.chapters(before: .zero + (manifest.duration ?? .zero))
    }

    private func render(_ recipe: CompositeRecipe, _ praise: String) throws(Failure) -> Bool {
        do {
            let summary = try RecordingRendering(folder: folder, settings: RenderSettings(recipe))
                .replace(path(FileNaming.composite)) { progress(FileNaming.composite, $0) }
            guard let summary else { throw Failure.stopped }
            if let poster = summary.poster { try AtomicFile.replace(path(FileNaming.poster), with: poster) }
            try reportComposite(summary)
            report(FileNaming.composite, praise)
            return true
        } catch let error as Failure {
            throw error
        } catch let error as StorageError {
            throw .storage(error)
        } catch {
            report(FileNaming.composite, "cannot be made: \(error)", isFailure: true)
            return false
        }
    }

    /// Puts down in the report that there is a whole composite now.
    private func reportComposite(_ summary: RenderSummary) throws(StorageError) {
        guard let stored = try? SmallFile.read(path(FileNaming.report)),
            var report = try? RecordingReport(parsing: stored)
        else { return }
        report.composite = CompositeReport(
            state: .afterwards, undecodableFrames: summary.undecodableFrames,
            concealedPackets: summary.concealedPackets)
        report.verdict = Verdict(judging: report)
        try AtomicFile.replace(path(FileNaming.report), with: Array(report.json.pretty.utf8))
    }
}
