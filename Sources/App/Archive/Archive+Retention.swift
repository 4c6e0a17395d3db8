import MediaTypes
import RecordingFormat
package import Retention
import Storage

extension Archive {
    /// Which recordings are to go by some rules, the oldest first, and why.
    /// - Parameter busy: folders that somebody will go on with, and that stay as if they were being made.
    package func removals(
        by rules: RetentionRules, sparing busy: Set<String> = []
    ) throws(ArchiveError) -> [(ArchivedRecording, Removal.Reason)] {
        let recordings = try recordings().elements
        let byFolder = Dictionary(recordings.map { ($0.folder, $0) }) { first, _ in first }
        let plan = rules.plan(
            recordings.map { recording in
                var retained = recording.retained
                if busy.contains(path(of: recording)) { retained.isRunning = true }
                return retained
            }, now: now(), free: try? Folder.freeSpace(of: folder))
        return plan.compactMap { removal in byFolder[removal.recording.name].map { ($0, removal.reason) } }
    }

    /// What became of one that is to go.
    package enum Pruned {
        case removed(ArchivedRecording, Removal.Reason)
        /// It stays, for now.
        case kept(ArchivedRecording, ArchiveError)
    }

    /// Removes what is to go by some rules, the oldest first. One that is held, or that somebody works on in this moment, stays.
    /// - Parameters:
    ///   - isDryRun: whether it is only said what would go.
    ///   - tell: called for each; says whether to go on.
    package func prune(
        by rules: RetentionRules, sparing busy: Set<String> = [], isDryRun: Bool = false, tell: (Pruned) -> Bool
    ) throws(ArchiveError) {
        try refresh()
        for (recording, reason) in try removals(by: rules, sparing: busy) {
            var outcome = Pruned.removed(recording, reason)
            if !isDryRun {
                do throws(ArchiveError) { try remove(recording) } catch { outcome = .kept(recording, error) }
            }
            guard tell(outcome) else { return }
        }
    }

    /// Removes what was left by processes that were stopped.
    package func clean() throws(ArchiveError) {
        do throws(StorageError) { try removeLeftovers() } catch { throw .storage(error) }
    }
}

extension ArchivedRecording {
    var retained: RetainedRecording {
        RetainedRecording(
            name: folder, room: room.address, ended: start.map { $0 + (duration ?? .zero) }, bytes: bytes,
            isRunning: state == .recording, isHeld: isHeld)
    }
}

extension Removal.Reason {
    /// In words.
    package var words: String {
        switch self {
        case .age: "older than is kept"
        case .countPerRoom: "more of this room than are kept"
        case .count: "more recordings than are kept"
        case .bytes: "more bytes than are kept"
        case .bytesPerRoom: "more bytes of this room than are kept"
        case .freeSpace: "too little of the disk is free"
        }
    }
}

extension ArchiveError {
    /// Whether it was taken, or held, in this moment, which is no fault.
    package var isExpectedWhenPruning: Bool {
        switch self {
        case .running, .held, .noSuchRecording: true
        default: false
        }
    }
}
