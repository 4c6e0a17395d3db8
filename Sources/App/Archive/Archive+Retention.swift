import MediaTypes
import RecordingFormat
package import Retention
import Storage

extension Archive {
    /// Which recordings are to go by some rules, the oldest first, and why.
    package func removals(by rules: RetentionRules) throws(ArchiveError) -> [(ArchivedRecording, Removal.Reason)] {
        let recordings = try recordings().elements
        let byFolder = Dictionary(recordings.map { ($0.folder, $0) }) { first, _ in first }
        let plan = rules.plan(
            recordings.map(\.retained), now: now(), free: try? Folder.freeSpace(of: folder))
        return plan.compactMap { removal in byFolder[removal.recording.name].map { ($0, removal.reason) } }
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
