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
    private static let cursor = "refresh-cursor"
    /// Read and put in together: others that write wait for so long.
    private static let batch = 20

    /// Brings the index up to what the folders say: reads what has changed, and takes out what is gone.
    /// - Parameter budget: the time for looking whether old recordings have changed. When it is over, the rest is left
    ///   to the next time; nil: looks at all.
    func refresh(archive: String, at now: WallTime, budget: Duration? = nil) throws(DatabaseError) -> IndexRefresh {
        let begin = HostClock.now()
        let known = try knownRecordings()
        let folders = try knownFolders()
        let walk = ArchiveWalk(of: archive, at: now, knowing: folders, and: known)
        var refresh = IndexRefresh()

        let stamps = Dictionary(known.map { ($0.folder, $0) }) { first, _ in first }
        var changed: [ArchiveWalk.Place] = []
        var settled: [(place: ArchiveWalk.Place, stamp: RecordingStamp)] = []
        for place in walk.places {
            if let one = stamps[place.folder], one.isSettled, one.parent == place.parent {
                settled.append((place, one.stamp))
            } else {
                changed.append(place)
            }
        }
        func look(_ one: (place: ArchiveWalk.Place, stamp: RecordingStamp)) {
            if RecordingStamp(of: archive + "/" + one.place.folder) != one.stamp { changed.append(one.place) }
        }
        // The newest, and then as many as there is time for, from where the last one stopped.
        settled.reverse()
        settled.prefix(Self.newest).forEach(look)
        let rest = settled.dropFirst(Self.newest)
        let old = try mark(Self.cursor)
        let start = old.flatMap { old in rest.firstIndex { $0.place.folder == old } } ?? rest.startIndex
        var next: String?
        for (count, one) in (rest[start...] + rest[..<start]).enumerated() {
            if count % 64 == 63, let budget, HostClock.now() - begin > budget {
                next = one.place.folder
                refresh.isComplete = false
                break
            }
            look(one)
        }

        let there = Set(walk.places.map(\.folder))
        let gone = known.map(\.folder).filter { !there.contains($0) }
        let goneFolders = folders.map(\.path).filter { !walk.folders.contains($0) }
        refresh.removed = gone.count
        refresh.read = changed.count
        guard !gone.isEmpty || !goneFolders.isEmpty || !changed.isEmpty || !walk.listed.isEmpty || next != old else {
            return refresh
        }
        var waiting = changed[...]
        while !waiting.isEmpty {
            let batch = waiting.prefix(Self.batch)
            waiting = waiting.dropFirst(Self.batch)
            let contents = batch.map { RecordingReading(archive: archive, folder: $0.folder, now: now).contents() }
            try database.transaction { () throws(DatabaseError) in
                for (place, contents) in zip(batch, contents) { try put(contents, of: place, at: now) }
            }
        }
        // Last: a folder that is known is not listed again, so all in it has to be in by then.
        try database.transaction { () throws(DatabaseError) in
            for folder in gone { try remove(folder: folder) }
            for folder in goneFolders { try removeFolder(folder) }
            for folder in walk.listed { try put(folder) }
            try setMark(Self.cursor, next)
        }
        return refresh
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
