import Database
import EventLoop
package import MediaTypes
import Storage

/// A folder of recordings, and the index over them, which is made from the folders and can always be made again. Several
/// processes may use one archive at once. Nothing outside of its folder is read, changed or removed.
///
/// The index is `.index.sqlite3` in the archive's folder. Whoever uses it shares the lock of that folder meanwhile;
/// whoever puts a new one in its place has it alone, so that nobody goes on with the old one. Where it cannot be
/// written, an index in memory takes its place.
package final class Archive {
    static let indexName = ".index.sqlite3"
    /// Where recordings that are being removed wait, and are no longer listed.
    static let removalName = ".removing"

    /// How long a refresh may look for changes of old recordings.
    private static let budget = Duration.milliseconds(20)

    package let folder: String
    let now: () -> WallTime
    private let notice: (String) -> Void
    private let indexing: (Double) -> Void

    /// - Parameters:
    ///   - now: the wall clock.
    ///   - notice: takes what an operator should know, a sentence each: that the index was made anew, and why.
    ///   - indexing: called while the index is made because there is none, with the share that is done, 0 to 1.
    package init(
        _ folder: String, now: @escaping () -> WallTime = HostClock.wallTime,
        notice: @escaping (String) -> Void = { _ in }, indexing: @escaping (Double) -> Void = { _ in }
    ) throws(ArchiveError) {
        var folder = folder
        while folder.count > 1, folder.last == "/" { folder.removeLast() }
        guard Folder.isFolder(folder) else { throw .noArchive(folder) }
        self.folder = folder
        self.now = now
        self.notice = notice
        self.indexing = indexing
    }

    var indexPath: String { folder + "/" + Self.indexName }

    // MARK: - Asking

    package func recordings(
        _ filter: RecordingFilter = .init(), order: RecordingOrder = .start, isReversed: Bool = false,
        limit: Int? = nil, after cursor: PageCursor? = nil
    ) throws(ArchiveError) -> Page<ArchivedRecording> {
        try withIndex { (index) throws(DatabaseError) in
            try index.recordings(filter, order: order, isReversed: isReversed, limit: limit, after: cursor)
        }
    }

    package func lines(
        with words: SearchWords, in filter: RecordingFilter = .init(), kinds: Set<FoundLine.Kind> = [],
        limit: Int, after cursor: PageCursor? = nil
    ) throws(ArchiveError) -> Page<FoundLine> {
        try withIndex { (index) throws(DatabaseError) in
            try index.lines(with: words, in: filter, kinds: kinds, limit: limit, after: cursor)
        }
    }

    /// How many recordings there are, and how many bytes they have together.
    package func totals(_ filter: RecordingFilter = .init()) throws(ArchiveError) -> (count: Int, bytes: Int64) {
        try withIndex { (index) throws(DatabaseError) in try index.totals(filter) }
    }

    /// Brings the index up to the folders, however long that takes.
    package func refresh() throws(ArchiveError) {
        try withIndex(refreshing: false) { (index) throws(DatabaseError) in
            _ = try index.refresh(archive: folder, at: now())
        }
    }

    /// What is wrong with the index's file; nil for nothing.
    package func damage() throws(ArchiveError) -> String? {
        try withIndex { (index) throws(DatabaseError) in try index.database.damage() }
    }

    // MARK: - The index

    /// Uses the index, which is brought up to the folders first. One that is missing, damaged or not ours is made anew,
    /// and `body` called again when that is seen in the middle of it.
    func withIndex<Value>(
        refreshing: Bool = true, _ body: (RecordingIndex) throws(DatabaseError) -> Value
    ) throws(ArchiveError) -> Value {
        for attempt in 0... {
            let failure: DatabaseError
            do {
                return try useIndex(refreshing: refreshing, body)
            } catch {
                guard case .database(let error) = error else { throw error }
                failure = error
            }
            switch failure.cause {
            case .corrupt, .tooNew, .cannotOpen, .wrongType:
                let old = FileStatus(indexPath)
                guard attempt < 2, Folder.isWritable(folder) else { return try useMemory(body) }
                do throws(ArchiveError) {
                    if try rebuild(unlessReplacing: old) != nil, old != nil {
                        notice("the index was made anew: \(failure.reason)")
                    }
                } catch {
                    notice("the index cannot be made anew: \(error)")
                    return try useMemory(body)
                }
            case .readOnly: return try useMemory(body)
            case .busy, .noSpace, .constraint, .other: throw .database(failure)
            }
        }
        throw .stopped
    }

    private func useIndex<Value>(
        refreshing: Bool, _ body: (RecordingIndex) throws(DatabaseError) -> Value
    ) throws(ArchiveError) -> Value {
        let lock = try locked(isShared: true)
        defer { withExtendedLifetime(lock) {} }
        do {
            let index = try RecordingIndex(opening: indexPath)
            if refreshing { _ = try index.refresh(archive: folder, at: now(), budget: Self.budget) }
            return try body(index)
        } catch {
            throw .database(error)
        }
    }

    private func useMemory<Value>(
        _ body: (RecordingIndex) throws(DatabaseError) -> Value
    ) throws(ArchiveError) -> Value {
        do {
            let index = try RecordingIndex(in: Database())
            _ = try index.fill(archive: folder, at: now()) { _ in true }
            return try body(index)
        } catch {
            throw .database(error)
        }
    }

    private func locked(isShared: Bool) throws(ArchiveError) -> FileLock {
        do { return try FileLock(waitingFor: folder, isShared: isShared) } catch { throw .storage(error) }
    }

    /// Makes the index anew, beside the old one, which it replaces when it is complete. Whenever the process is stopped,
    /// the old one is there, or the new one, or none, and then it is made when it is needed next.
    /// - Parameter progress: called with the share that is done, 0 to 1; says whether to go on.
    /// - Returns: how many recordings it has.
    package func rebuild(progress: (Double) -> Bool = { _ in true }) throws(ArchiveError) -> Int {
        guard let count = try rebuild(always: true, unlessReplacing: nil, progress: progress) else { throw .stopped }
        return count
    }

    /// - Parameter old: the file that is not good; when there is another one by now, nothing is done.
    private func rebuild(unlessReplacing old: FileStatus?) throws(ArchiveError) -> Int? {
        try rebuild(always: false, unlessReplacing: old) {
            indexing($0)
            return true
        }
    }

    private func rebuild(
        always: Bool, unlessReplacing old: FileStatus?, progress: (Double) -> Bool
    ) throws(ArchiveError) -> Int? {
        let path = indexPath
        let new = path + ".new"
        do {
            // One at a time builds.
            let building = try FileLock(waitingFor: path + ".lock")
            defer { withExtendedLifetime(building) {} }
            if !always, FileStatus(path)?.inode != old?.inode { return nil }
            // What was left by one that was stopped.
            for suffix in ["", "-journal", "-wal", "-shm"] { SmallFile.remove(new + suffix) }
            defer { SmallFile.remove(new) }
            var count: Int?
            do {
                let index = try RecordingIndex(in: Database(building: new))
                count = try index.fill(archive: folder, at: now(), progress: progress)
            }
            guard let count else { throw ArchiveError.stopped }
            try AppendFile(reopening: new).synchronize()
            let alone = try locked(isShared: false)
            defer { withExtendedLifetime(alone) {} }
            // The old log first would be changes without their database; and it must not meet the new one.
            for suffix in ["", "-wal", "-shm"] { SmallFile.remove(path + suffix) }
            try SmallFile.rename(new, to: path)
            return count
        } catch let error as ArchiveError {
            throw error
        } catch let error as DatabaseError {
            throw .database(error)
        } catch let error as StorageError {
            throw .storage(error)
        } catch {
            throw .stopped
        }
    }
}
