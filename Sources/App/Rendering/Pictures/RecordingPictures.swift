import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
package import Storage

/// Makes what a finished recording can be looked over by at a glance: thumbnails, waveform, who spoke how much, and the poster
/// where there is none. What is there and not older than what it is made of stays. The recording is only read until all
/// is made, and locked while it is put in its place.
package struct RecordingPictures {
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case notARecording(String)
        case running(String)
        /// Its recorder was stopped, and nobody has repaired it.
        case cutShort(String)
        /// Somebody has the folder's lock.
        case busy(String)
        /// It was changed while pictures were made of it.
        case changed(String)
        case storage(StorageError)
        case stopped

        package var description: String {
            switch self {
            case .notARecording(let folder): "\(folder) is not a recording that this callbot can read"
            case .running(let folder): "\(folder) is still being recorded: pictures are made when that is over"
            case .cutShort(let folder): "\(folder) was cut short: 'callbot repair' makes a whole recording of it first"
            case .busy(let folder): "\(folder) is being repaired or moved just now: try again when that is over"
            case .changed(let folder): "\(folder) was changed while pictures were made of it: try again"
            case .storage(let error): "\(error)"
            case .stopped: "stopped; what was not done is as it was"
            }
        }
    }

    package struct Outcome: Hashable, Sendable {
        /// The files that were made.
        package var made: [String] = []
        /// What could not be made, a sentence each.
        package var problems: [String] = []
    }

    package var folder: String
    /// Whether all is made, however new what is there is.
    package var isForced = false

    package init(folder: String) { self.folder = folder }

    /// - Parameter progress: called often with the share that is done, 0 to 1; says whether to go on.
    package func make(progress: @escaping (Double) -> Bool = { _ in true }) throws(Failure) -> Outcome {
        let manifest = try self.manifest()
        let sources = Sources(of: folder)
        var making = PicturesMaking(folder: folder, manifest: manifest, progress: progress)
        for file in Self.files where isForced || isStale(file, sources) { making.wanted.insert(file) }
        making.wantsPoster = FileStatus(path(FileNaming.poster)) == nil
        do { try making.make(hasComposite: sources.composite != nil) } catch { throw .stopped }
        try put(making.made, sources)
        return Outcome(made: making.made.map(\.name), problems: making.problems)
    }

    /// What a recording is made of that pictures are made of.
    private struct Sources: Hashable {
        var composite: FileStatus?
        var journal: FileStatus?

        init(of folder: String) {
            composite = FileStatus(folder + "/" + FileNaming.composite)
            journal = FileStatus(folder + "/" + FileNaming.journal)
        }
    }

    private static let files = [
        FileNaming.thumbnails, FileNaming.thumbnailCues, FileNaming.waveform, FileNaming.speaking,
    ]

    private func path(_ file: String) -> String { folder + "/" + file }

    private func manifest() throws(Failure) -> RecordingManifest {
        guard let bytes = try? SmallFile.read(path(FileNaming.manifest)),
            let manifest = try? RecordingManifest(parsing: bytes)
        else { throw .notARecording(folder) }
        guard manifest.state != .recording, manifest.duration != nil else {
            throw FileLock.isHeld(ofFolder: folder) ? .running(folder) : .cutShort(folder)
        }
        return manifest
    }

    /// Whether a file is missing, or not newer than what it is made of.
    private func isStale(_ file: String, _ sources: Sources) -> Bool {
        guard let status = FileStatus(path(file)), status.kind == .file else { return true }
        let source = file == FileNaming.speaking ? sources.journal : sources.composite ?? sources.journal
        // Of the same tick of the clock it may be either: the file system's is some milliseconds long.
        return status.modified <= source?.modified ?? -1
    }

    /// Puts what was made into the folder, and lists it.
    private func put(_ made: [PicturesMaking.File], _ sources: Sources) throws(Failure) {
        let lock: FileLock
        do { lock = try FileLock(folder: folder) } catch {
            throw error.cause == .locked ? .busy(folder) : .storage(error)
        }
        defer { withExtendedLifetime(lock) {} }
        var manifest = try self.manifest()
        guard Sources(of: folder) == sources else { throw .changed(folder) }
        do {
            for file in made { try AtomicFile.replace(path(file.name), with: file.bytes) }
            let files = listed(in: manifest)
            guard files != manifest.files else { return }
            manifest.files = files
            try AtomicFile.replace(path(FileNaming.manifest), with: Array(manifest.json.pretty.utf8))
        } catch { throw .storage(error) }
    }

    /// The manifest's files, with the pictures as they are now.
    private func listed(in manifest: RecordingManifest) -> [RecordingFile] {
        var files = manifest.files
        for (name, kind) in RecordingFile.pictures {
            guard let status = FileStatus(path(name)), status.kind == .file else { continue }
            let file = RecordingFile(path: name, kind: kind, bytes: status.bytes)
            if let index = files.firstIndex(where: { $0.path == name }) {
                files[index] = file
            } else {
                files.append(file)
            }
        }
        return files
    }
}
