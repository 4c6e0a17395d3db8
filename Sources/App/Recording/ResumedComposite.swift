import EventLoop
import MediaTypes
import RecordingFormat
import Rendering
import Storage

/// The composite of a recording that was gone on with: what was drawn before cannot be gone on with, so all of it is made
/// anew from the tracks. Until that is done, what was drawn before stays.
enum ResumedComposite {
    /// - Parameter isHurried: when true, nothing is made that can be made later.
    /// - Returns: the files there are.
    static func make(_ recipe: CompositeRecipe, of folder: String, isHurried: Locked<Bool>) -> [RecordingFile] {
        guard !isHurried.withLock({ $0 }) else { return [] }
        let rendering = RecordingRendering(folder: folder, settings: RenderSettings(recipe))
        let summary = try? rendering.replace(folder + "/" + FileNaming.composite) { _ in !isHurried.withLock { $0 } }
        guard let summary = summary ?? nil else { return [] }
        var files = [RecordingFile(path: FileNaming.composite, kind: .composite, bytes: summary.bytes)]
        if let poster = summary.poster, (try? AtomicFile.replace(folder + "/" + FileNaming.poster, with: poster)) != nil
        {
            files.append(RecordingFile(path: FileNaming.poster, kind: .poster, bytes: Int64(poster.count)))
        }
        return files
    }
}
