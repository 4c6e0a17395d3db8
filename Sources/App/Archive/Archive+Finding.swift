import Database
import RecordingFormat
import Storage

extension Archive {
    /// The recording that somebody means.
    /// - Parameter name: `last` for the newest one; its id, the beginning of its id or of its folder's name, when it is the only one so; or its folder.
    package func recording(named name: String) throws(ArchiveError) -> ArchivedRecording {
        if let folder = try folderWithin(ofPath: name) {
            // Read as it is now, whatever the index has of it.
            return RecordingReading(archive: self.folder, folder: folder, now: now()).contents().recording
        }
        if name == "last" {
            guard let newest = try recordings(limit: 1).elements.first else {
                throw .noSuchRecording(name, archive: folder)
            }
            return newest
        }
        var filter = RecordingFilter()
        filter.id = FolderName(name)?.id ?? name
        let found = try recordings(filter).elements.filter {
            $0.id.hasPrefix(name) || $0.folderName.hasPrefix(name)
        }
        // An id that is also the beginning of another one is meant itself.
        let exact = found.filter { $0.id == name || $0.folderName == name }
        let meant = exact.isEmpty ? found : exact
        guard let first = meant.first else { throw .noSuchRecording(name, archive: folder) }
        guard meant.count == 1 else { throw .ambiguous(name, meant.map(\.folder)) }
        return first
    }

    /// The path within the archive of a recording's folder that is named by its path; nil for what is no path of one.
    private func folderWithin(ofPath path: String) throws(ArchiveError) -> String? {
        let isPath = path.contains("/") || path == "." || path == ".."
        guard Folder.isFolder(path) else {
            // A path that lists show: within the archive.
            guard isPath, !path.hasPrefix("/"), Folder.isFolder(folder + "/" + path) else { return nil }
            return try folderWithin(ofPath: folder + "/" + path)
        }
        let isRecording = [FileNaming.manifest, FileNaming.journal].contains { Folder.exists(path + "/" + $0) }
        guard isPath || isRecording else { return nil }
        guard let real = Folder.resolved(path), let archive = Folder.resolved(folder) else { return nil }
        guard real.hasPrefix(archive == "/" ? "/" : archive + "/") else { throw .outside(path, archive: folder) }
        guard isRecording || FolderName(real.split(separator: "/").last.map(String.init) ?? "") != nil else {
            throw .noSuchRecording(path, archive: folder)
        }
        return String(real.dropFirst(archive == "/" ? 1 : archive.count + 1))
    }

    /// The whole path of a recording's folder.
    package func path(of recording: ArchivedRecording) -> String { folder + "/" + recording.folder }

    /// The same, after making sure that it lies in the archive, and that no link leads elsewhere.
    func ownPath(of recording: ArchivedRecording) throws(ArchiveError) -> String {
        let path = path(of: recording)
        guard let real = Folder.resolved(path) else { throw .noSuchRecording(recording.folder, archive: folder) }
        guard let archive = Folder.resolved(folder), real == (archive == "/" ? "" : archive) + "/" + recording.folder
        else { throw .outside(path, archive: folder) }
        return path
    }
}

extension ArchivedRecording {
    /// The last part of its folder's path.
    package var folderName: String { folder.split(separator: "/").last.map(String.init) ?? folder }
}
