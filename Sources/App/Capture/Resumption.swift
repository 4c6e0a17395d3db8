package import MediaTypes
package import RecordingFormat
import RoomProtocol
package import Storage
import WebM

/// A recording that is to be gone on with: what there is of it, and its lock, which is held from now on.
package struct Resumption: Sendable {
    package enum Failure: Error, Hashable {
        /// There is no manifest that can be read.
        case notARecording
        /// Another process holds the lock.
        case beingRecorded
        case storage(StorageError)
    }

    package let folder: String
    /// Up to what the journal says.
    package let manifest: RecordingManifest
    /// After this moment nothing was recorded.
    package let last: TimelineTime
    /// The number of the next track: no file and no line has it yet.
    package let firstTrack: Int
    let lock: FileLock

    package init(of folder: String) throws(Failure) {
        self.folder = folder
        guard Folder.isFolder(folder) else { throw .notARecording }
        do { lock = try FileLock(folder: folder) } catch {
            throw error.cause == .locked ? .beingRecorded : .storage(error)
        }
        guard let text = try? SmallFile.read(folder + "/" + FileNaming.manifest),
            var manifest = try? RecordingManifest(parsing: text)
        else { throw .notARecording }
        let lines = (try? SmallFile.read(folder + "/" + FileNaming.journal, limit: 1 << 30)) ?? []
        let journal = JournalEntry.entries(in: lines).entries
        manifest.follow(journal)

        var last = journal.map(\.at).max() ?? .zero
        if let duration = manifest.duration { last = max(last, .zero + duration) }
        var highest = manifest.tracks.map(\.id.number).max() ?? 0
        let names = (try? Folder.entries(folder + "/" + FileNaming.tracksFolder)) ?? []
        for name in names where name.hasSuffix(".webm") {
            guard let number = Int(name.prefix { $0.isNumber }) else { continue }
            highest = max(highest, number)
            let file = FileNaming.tracksFolder + "/" + name
            if let index = manifest.tracks.firstIndex(where: { $0.id.number == number }) {
                manifest.tracks[index].file = file
            }
            if let end = Self.end(of: folder + "/" + file) { last = max(last, end) }
        }
        self.manifest = manifest
        self.last = last
        firstTrack = highest + 1
    }

    /// When the last frame of a file is over; nil for one that cannot be read.
    private static func end(of path: String) -> TimelineTime? {
        guard let file = try? ReadableFile(path) else { return nil }
        let end = try? SegmentSurvey.end(length: file.length) { (offset, count) throws(StorageError) in
            try file.read(at: offset, count: count)
        }
        return end ?? nil
    }
}
