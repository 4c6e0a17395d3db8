import MediaTypes
import RecordingFormat
import Storage

extension Archive {
    /// Where a recording is moved to.
    package enum Destination: Hashable, Sendable {
        /// Into another archive, under the same path there.
        case archive(String)
        /// To exactly this folder, which must not exist yet.
        case folder(String)
    }

    /// Moves a recording. Into another file system it is copied, onto the disk, before it is removed here: whenever the
    /// process is stopped, it is whole in one of both places, or in both.
    /// - Parameter progress: called with the bytes that were copied since the last call; says whether to go on.
    /// - Returns: where it is now.
    package func move(
        _ recording: ArchivedRecording, to destination: Destination, progress: (Int64) -> Bool = { _ in true }
    ) throws(ArchiveError) -> String {
        let path = try ownPath(of: recording)
        let target =
            switch destination {
            case .archive(let archive): archive + "/" + recording.folder
            case .folder(let folder): folder
            }
        let lock = try lock(path)
        defer { withExtendedLifetime(lock) {} }
        do throws(StorageError) {
            guard !Folder.exists(target) else { throw StorageError.exists(target) }
            try Folder.createMissing(Folder.parent(of: target))
        } catch {
            throw .storage(error)
        }
        guard let real = Folder.resolved(path), let parent = Folder.resolved(Folder.parent(of: target)),
            parent != real, !parent.hasPrefix(real + "/")
        else { throw .misplaced(target) }
        var isCopied = false
        do throws(StorageError) {
            if try !FolderTree.rename(path, to: target) {
                guard try copy(path, to: target, progress: progress) else { throw StorageError(.copy, path, errno: 0) }
                isCopied = true
            }
        } catch {
            if error.operation == .copy, error.errno == 0 { throw .stopped }
            throw .storage(error)
        }
        if isCopied {
            try setAside(path)
            do throws(StorageError) { try removeLeftovers() } catch { throw .storage(error) }
        }
        try update(recording.folder)
        return target
    }

    /// Copies a recording beside its new place, where nothing is listed, and then gives it its name.
    private func copy(_ path: String, to target: String, progress: (Int64) -> Bool) throws(StorageError) -> Bool {
        let name = target.split(separator: "/").last ?? ""
        let beside = Folder.parent(of: target) + "/.moving-\(name)"
        // What was left by one that was stopped.
        if FileStatus(beside)?.kind == .folder { try FolderTree.remove(beside) }
        guard try FolderTree.copy(path, to: beside, progress: progress) else { return false }
        _ = try FolderTree.rename(beside, to: target)
        return true
    }

    /// What of a recording is wanted elsewhere.
    package enum Part: String, CaseIterable, Sendable {
        case composite, tracks, chat, report, poster, pictures

        fileprivate func has(_ path: String) -> Bool {
            switch self {
            case .composite: path == FileNaming.composite
            case .tracks: path.hasPrefix(FileNaming.tracksFolder + "/")
            case .chat: path == FileNaming.chat || path == FileNaming.subtitles
            case .report: path == FileNaming.report || path == FileNaming.manifest || path == FileNaming.journal
            case .poster: path == FileNaming.poster
            case .pictures: RecordingFile.pictures.contains { $0.path == path }
            }
        }
    }

    /// Copies parts of a recording, which may be running, to a folder that must not exist yet; all of it when no parts are
    /// named. That it is held is not copied.
    /// - Parameter progress: called with the bytes that were copied since the last call; says whether to go on.
    /// - Returns: how many files there were to copy, and their bytes.
    package func export(
        _ recording: ArchivedRecording, _ parts: [Part] = [], to target: String,
        progress: (Int64) -> Bool = { _ in true }
    ) throws(ArchiveError) -> (files: Int, bytes: Int64) {
        let path = try ownPath(of: recording)
        func isWanted(_ file: String) -> Bool {
            parts.isEmpty
                ? file != FileNaming.hold && !file.hasSuffix(AtomicFile.suffix) : parts.contains { $0.has(file) }
        }
        guard !(Folder.resolved(Folder.parent(of: target)) ?? "").hasPrefix(Folder.resolved(path) ?? path) else {
            throw .misplaced(target)
        }
        var isStopped = false
        do throws(StorageError) {
            guard !Folder.exists(target) else { throw StorageError.exists(target) }
            isStopped = try !FolderTree.copy(path, to: target, where: isWanted, progress: progress)
        } catch {
            throw .storage(error)
        }
        guard !isStopped else { throw .stopped }
        let files = FolderTree.files(target)
        return (files.count, files.reduce(0) { $0 + $1.bytes })
    }
}
