package import Database
package import Storage

/// What an archive could not do: one sentence that says what, where, and what can be done.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no folder there.
    case noArchive(String)
    case noSuchRecording(String, archive: String)
    /// More than one recording is meant: their folders.
    case ambiguous(String, [String])
    /// What was named is not in the archive.
    case outside(String, archive: String)
    case running(String)
    case held(String)
    /// The destination is in the recording, or is where it is already.
    case misplaced(String)
    /// Told to stop.
    case stopped
    case storage(StorageError)
    case database(DatabaseError)

    package var description: String {
        switch self {
        case .noArchive(let path): "there is no archive at \(path)"
        case .noSuchRecording(let name, let archive): "there is no recording '\(name)' in the archive \(archive)"
        case .ambiguous(let name, let folders):
            "'\(name)' could be \(folders.count) recordings (\(folders.prefix(3).joined(separator: ", "))\(folders.count > 3 ? ", …" : "")): say more of the id, or the folder"
        case .outside(let path, let archive): "\(path) is not in the archive \(archive): say --archive"
        case .running(let name): "\(name) is being recorded, repaired or moved just now"
        case .held(let name): "\(name) is held: 'callbot release' lets it go"
        case .misplaced(let path): "\(path) is where the recording is already"
        case .stopped: "stopped; what was not done is as it was"
        case .storage(let error): "\(error)"
        case .database(let error): "\(error)"
        }
    }
}
