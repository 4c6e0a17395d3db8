import Database
import EventLoop
import MediaTypes
import Storage

/// What a refresh has come to.
struct IndexRefresh: Hashable, Sendable {
    /// Recordings that were read.
    var read = 0
    /// Recordings that were there no more.
    var removed = 0
    /// Whether all recordings were looked at, and not only as many as there was time for.
    var isComplete = true
}

extension RecordingIndex {
    /// Recordings that are looked at whenever the index is refreshed, whatever time it takes.
    private static let newest = 500
    /// Old ones are looked at so many at a time.
    private static let step = 100
    private static let cursor = "refresh-cursor"
    /// Read and put in together: others that write wait for so long.
    private static let batch = 20

    /// Brings the index up to what the folders say: reads what has changed, and takes out what is gone.
    ///
    /// What comes and goes is seen by the folders that recordings lie in. That something of a recording has changed is
    /// seen by that one alone: the newest are looked at each time, the others in turns.
    /// - Parameter budget: the time for all looking; when it is over, the rest of the old ones is left to the next time.
    ///   Nil: looks at all.
    func refresh(archive: String, at now: WallTime, budget: Duration? = nil) throws(DatabaseError) -> IndexRefresh {
        let begin = HostClock.now()
        var found = Changes()
        let folders = try knownFolders()
        let walk = ArchiveWalk(of: archive, at: now, knowing: folders)
        try compare(walk, knowing: folders, &found)
        found.changed.formUnion(try knownRecordings(.unsettled).map(\.place))
        let cursor = try look(
            archive: archive, until: budget.map { begin + $0 }, &found)
        // What is gone was perhaps seen before that was.
        found.changed = found.changed.filter { !found.gone.contains($0.folder) }

        var refresh = IndexRefresh(read: found.changed.count, removed: found.gone.count, isComplete: cursor == nil)
        var waiting = found.changed.sorted { $0.folder < $1.folder }[...]
        while !waiting.isEmpty {
            let batch = waiting.prefix(Self.batch)
            waiting = waiting.dropFirst(Self.batch)
            let there = batch.filter { FileStatus(archive + "/" + $0.folder)?.kind == .folder }
            found.gone.formUnion(batch.filter { !there.contains($0) }.map(\.folder))
            let contents = there.map { RecordingReading(archive: archive, folder: $0.folder, now: now).contents() }
            try database.transaction { () throws(DatabaseError) in
                for (place, contents) in zip(there, contents) { try put(contents, of: place, at: now) }
            }
        }
        refresh.removed = found.gone.count
        refresh.read = found.changed.count - found.changed.count { found.gone.contains($0.folder) }
        let old = try mark(Self.cursor)
        guard !found.gone.isEmpty || !found.goneFolders.isEmpty || !walk.listed.isEmpty || cursor != old else {
            return refresh
        }
        // Last: a folder that is known is not listed again, so all in it has to be in by then.
        try database.transaction { () throws(DatabaseError) in
            for folder in found.gone { try remove(folder: folder) }
            for folder in found.goneFolders { try removeFolder(folder) }
            for folder in walk.listed { try put(folder) }
            try setMark(Self.cursor, cursor)
        }
        return refresh
    }

    private struct Changes {
        var changed: Set<ArchiveWalk.Place> = []
        /// Recordings.
        var gone: Set<String> = []
        var goneFolders: [String] = []
    }

    /// Finds what is new, and what is gone, in the folders that were listed.
    private func compare(
        _ walk: ArchiveWalk, knowing folders: [KnownFolder], _ found: inout Changes
    ) throws(DatabaseError) {
        let listed = Set(walk.listed.map(\.path))
        let places = Dictionary(grouping: walk.places, by: \.parent)
        for parent in listed.union(places.keys) {
            let there = places[parent] ?? []
            let known = Set(try knownRecordings(.inFolder(parent)).map(\.place))
            found.changed.formUnion(there.filter { !known.contains($0) })
            if listed.contains(parent) { found.gone.formUnion(known.subtracting(there).map(\.folder)) }
        }
        for folder in folders where !walk.folders.contains(folder.path) {
            found.goneFolders.append(folder.path)
            found.gone.formUnion(try knownRecordings(.inFolder(folder.path)).map(\.place.folder))
        }
        // It may only lie elsewhere now: in a folder that became one of recordings.
        found.gone.subtract(walk.places.map(\.folder))
    }

    /// Looks whether recordings have changed.
    /// - Returns: where to go on the next time; nil for the beginning.
    private func look(
        archive: String, until deadline: MonotonicTime?, _ found: inout Changes
    ) throws(DatabaseError) -> String? {
        func look(_ known: [KnownRecording]) {
            for one in known {
                let stamp = RecordingStamp(of: archive + "/" + one.place.folder)
                if stamp.inode == 0 {
                    found.gone.insert(one.place.folder)
                } else if stamp != one.stamp {
                    found.changed.insert(one.place)
                }
            }
        }
        let newest = try knownRecordings(.settled(before: .max, limit: Self.newest))
        look(newest)
        guard newest.count == Self.newest, let last = newest.last else { return nil }
        var next = last.number
        // Where there is time for all, there are no turns.
        if deadline != nil, let mark = try mark(Self.cursor), let number = Int64(mark) { next = min(next, number) }
        while true {
            let step = try knownRecordings(.settled(before: next, limit: Self.step))
            guard let last = step.last else { return nil }
            look(step)
            next = last.number
            if let deadline, HostClock.now() > deadline { return "\(next)" }
        }
    }

    /// Puts all recordings of an archive into an index that is empty.
    /// - Parameter progress: called with the share that is done, 0 to 1; says whether to go on.
    /// - Returns: how many there are; nil when it was told to stop.
    func fill(
        archive: String, at now: WallTime, progress: (Double) -> Bool
    ) throws(DatabaseError) -> Int? {
        let walk = ArchiveWalk(of: archive, at: now)
        var isStopped = false
        try database.transaction { () throws(DatabaseError) in
            for (count, place) in walk.places.enumerated() {
                guard progress(Double(count) / Double(walk.places.count)) else {
                    isStopped = true
                    return
                }
                try put(
                    RecordingReading(archive: archive, folder: place.folder, now: now).contents(), of: place, at: now)
            }
            for folder in walk.listed { try put(folder) }
        }
        guard !isStopped else { return nil }
        // One index instead of many small ones: searches are faster.
        try database.run("INSERT INTO words (words) VALUES ('optimize')")
        return walk.places.count
    }

    /// Reads one recording and puts it in; takes it out when it is there no more.
    func update(_ folder: String, archive: String, at now: WallTime) throws(DatabaseError) {
        let place = ArchiveWalk.Place(folder: folder, parent: Folder.parentWithin(folder))
        guard FileStatus(archive + "/" + folder)?.kind == .folder else {
            return try database.transaction { () throws(DatabaseError) in try remove(folder: folder) }
        }
        let contents = RecordingReading(archive: archive, folder: folder, now: now).contents()
        try database.transaction { () throws(DatabaseError) in try put(contents, of: place, at: now) }
    }

    private func put(
        _ contents: RecordingContents, of place: ArchiveWalk.Place, at now: WallTime
    ) throws(DatabaseError) {
        // One that is being made is looked at every time: its chat grows without a sign of it.
        let isSettled = contents.recording.state != .recording && contents.stamp.isSettled(at: now)
        try put(contents, parent: place.parent, isSettled: isSettled)
    }
}

extension Folder {
    /// The folder that a path within an archive lies in; empty for the archive's own.
    static func parentWithin(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
