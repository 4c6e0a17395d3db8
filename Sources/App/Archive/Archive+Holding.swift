import Database
import RecordingFormat
import Storage

extension Archive {
    /// Says that a recording is to be kept, or no longer. It is a file in the recording's folder that says so: the index
    /// only repeats it.
    package func setHeld(_ isHeld: Bool, _ recording: ArchivedRecording) throws(ArchiveError) {
        let path = try ownPath(of: recording) + "/" + FileNaming.hold
        do throws(StorageError) {
            if isHeld {
                if FileStatus(path) == nil { try AtomicFile.replace(path, with: []) }
            } else {
                try SmallFile.removeIfThere(path)
            }
        } catch {
            throw .storage(error)
        }
        try update(recording.folder)
    }

    /// Has the index read a recording again.
    func update(_ folder: String) throws(ArchiveError) {
        try withIndex(refreshing: false) { (index) throws(DatabaseError) in
            try index.update(folder, archive: self.folder, at: now())
        }
    }
}
