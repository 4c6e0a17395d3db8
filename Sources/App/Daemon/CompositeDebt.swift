import JSON
import RecordingFormat
import Storage

/// Whether a recording that has ended should have a composite, and has none, or none that is as it was asked for.
enum CompositeDebt {
    static func isOwed(by folder: String) -> Bool {
        guard let bytes = try? SmallFile.read(folder + "/" + FileNaming.manifest),
            let manifest = try? RecordingManifest(parsing: bytes), manifest.recipe["composite"] != .bool(false),
            manifest.tracks.contains(where: { $0.file != nil })
        else { return false }
        guard Folder.exists(folder + "/" + FileNaming.composite) else { return true }
        guard let bytes = try? SmallFile.read(folder + "/" + FileNaming.report),
            let composite = (try? RecordingReport(parsing: bytes))?.composite
        else { return manifest.state != .finished }
        return switch composite.state {
        case .drawing, .shortened, .deferred, .missing: true
        case .live: !composite.degradations.isEmpty
        case .afterwards: false
        }
    }
}
