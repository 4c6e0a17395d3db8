import Database
import MediaTypes
import RecordingFormat
import Storage

extension Archive {
    /// Removes a recording with all its files. One that is held, or that somebody works on, stays.
    ///
    /// Its folder is renamed first, to where nothing is listed: so whenever the process is stopped, all of the recording is
    /// there, or nothing of it is; what is left over is removed with the next one.
    package func remove(_ recording: ArchivedRecording) throws(ArchiveError) {
        let path = try ownPath(of: recording)
        let lock = try lock(path)
        defer { withExtendedLifetime(lock) {} }
        // Now, and not when it was listed.
        guard FileStatus(path + "/" + FileNaming.hold) == nil else { throw .held(recording.folder) }
        try setAside(path)
        try update(recording.folder)
        do throws(StorageError) { try removeLeftovers() } catch { throw .storage(error) }
        removeEmptyDay(of: recording.folder)
    }

    /// Takes a folder out of what is listed.
    func setAside(_ path: String) throws(ArchiveError) {
        do throws(StorageError) {
            try Folder.createMissing(removals)
            let name = path.split(separator: "/").last ?? ""
            for number in 0... {
                do throws(StorageError) {
                    guard try FolderTree.rename(path, to: "\(removals)/\(name).\(number)") else {
                        // A disk of its own within the archive.
                        throw StorageError(.remove, path, errno: Self.otherFileSystem)
                    }
                    return
                } catch {
                    guard error.cause == .exists else { throw error }
                }
            }
        } catch {
            throw .storage(error)
        }
    }

    /// EXDEV
    private static let otherFileSystem: Int32 = 18

    /// Removes what was set aside, now or by a process that was stopped.
    func removeLeftovers() throws(StorageError) {
        guard FileStatus(removals)?.kind == .folder else { return }
        for name in try Folder.entries(removals) where FileStatus(removals + "/" + name)?.kind == .folder {
            // Another process may be at it, too.
            do throws(StorageError) { try FolderTree.remove(removals + "/" + name) } catch {
                guard error.cause == .missing else { throw error }
            }
        }
        Folder.removeEmpty(removals)
    }

    /// Bytes of recordings that are removed and still there, because a process was stopped.
    package var leftoverBytes: Int64 { FileStatus(removals)?.kind == .folder ? FolderTree.bytes(removals) : 0 }

    private var removals: String { folder + "/" + Self.removalName }

    func lock(_ path: String) throws(ArchiveError) -> FileLock {
        do { return try FileLock(folder: path) } catch {
            switch error.cause {
            case .locked: throw .running(path)
            case .missing: throw .noSuchRecording(path, archive: folder)
            default: throw .storage(error)
            }
        }
    }

    /// The folder of a day that is over and has no recordings any more. Not of today: a recorder may be about to use it.
    private func removeEmptyDay(of folder: String) {
        let parts = folder.split(separator: "/").dropLast()
        guard parts.count == 3, let day = WallTime(iso8601: parts.joined(separator: "-") + "T00:00:00Z"),
            day + .seconds(3 * 86_400) < now()
        else { return }
        Folder.removeEmpty(self.folder + "/" + parts.joined(separator: "/"))
    }
}
