import Archive
import RecordingFormat
import Retention
import Storage

/// Removes recordings by rules, on a thread where that may take long.
actor RetentionKeeper {
    /// One that is gone, or should be and cannot.
    struct Line: Sendable {
        var folder: String
        var id: String
        var room: String
        var bytes: Int64
        var text: String
        var isRemoved: Bool
    }

    /// - Parameter busy: recordings that somebody will go on with.
    func prune(_ folder: String, by rules: RetentionRules, sparing busy: Set<String>) throws -> [Line] {
        guard Folder.isFolder(folder) else { return [] }
        let archive = try Archive(folder)
        var lines: [Line] = []
        try archive.prune(by: rules, sparing: busy) { outcome in
            switch outcome {
            case .removed(let recording, let reason):
                lines.append(Self.line(recording, archive, "removed: \(reason.words)", isRemoved: true))
            case .kept(let recording, let error):
                guard !error.isExpectedWhenPruning else { break }
                lines.append(Self.line(recording, archive, "cannot be removed: \(error)", isRemoved: false))
            }
            return true
        }
        return lines
    }

    private static func line(
        _ recording: ArchivedRecording, _ archive: Archive, _ text: String, isRemoved: Bool
    ) -> Line {
        Line(
            folder: archive.path(of: recording), id: recording.id, room: recording.room.address,
            bytes: recording.bytes, text: text, isRemoved: isRemoved)
    }
}
