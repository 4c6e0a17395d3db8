package import JSON
package import MediaTypes
package import RecordingFormat
package import RoomProtocol
package import Storage
import WebM

/// Keeps a call as it was received: every frame untouched in its track's file, every event in the journal, the chat.
///
/// Synchronous, and owned by one thread. A failure of one file never stops the others, and never loses what was written;
/// failures are taken with `nextFailure`. What a full disk has no room for waits in memory and is tried again; some room
/// is kept spare from the beginning, and given back for that.
///
/// **What survives what.** Journal and chat are written line by line, frames at every `tick`, so a killed process loses no
/// more than the quarter of a second between two of them. For a power failure everything has to reach the disk, too: with
/// `synchronizing`, a thread of its own sees to that (`DiskThread`), the journal first, which says what the other files
/// are, then the chat, then the tracks, then the names of new files. It begins anew as soon as it is done, at most that often, so
/// what is lost is what came between two ticks, while the disk was waited for, and in the time before that: half a second
/// and twice what the disk takes. A slow disk makes that more, but never holds the capture up. At the end all is waited for.
package final class Capture {
    /// Where a recording goes.
    package enum Place: Hashable, Sendable {
        /// Into an archive, under a name of its own.
        case archive(String)
        /// Into exactly this folder, which must not exist yet.
        case folder(String)
    }

    /// The recording's folder.
    package let folder: String

    /// How often the disk is to be waited for where nobody says.
    package static let usualSynchronizing = Duration.milliseconds(250)

    /// Frames go into their files this often at most. Shorter than the time between two ticks, which may come early.
    private static let flushInterval = Duration.milliseconds(200)
    /// How often the manifest is written when something in it has changed.
    private static let manifestInterval = Duration.seconds(2)
    /// After hours of coming and going it is long, and is written less often, by a second for each so many bytes.
    private static let manifestBytesPerSecond = 200_000
    /// How long after its end a track's file stays open for frames that were still on their way.
    private static let linger = Duration.seconds(3)
    /// How long after its end a track is let go of: frames, figures and looks have long come then, the composite's too, and so
    /// has the news of a break in the connection that it ended in.
    private static let retention = Duration.seconds(60)

    /// The facts so far.
    package private(set) var manifest: RecordingManifest
    /// The report, and what is gathered for it.
    package let reporting: ReportFile
    let journal: LineFile
    let chat: LineFile
    private let lock: FileLock
    private let synchronizing: Duration?
    private let spare: SpareSpace?
    /// Nil where the disk is not waited for, and at the end.
    var disk: DiskThread?
    /// Folders with new names.
    private var changedFolders: Set<String> = []

    var tracks: [TrackID: TrackCapture] = [:]
    let endedTracks: EndedTracks
    /// Tracks whose files are not complete yet.
    private var unfinished: Set<TrackID> = []
    var otherFiles: [RecordingFile] = []
    /// The tracks of those who recorded before, in a recording that is gone on with.
    var earlierTracks: [RecordedTrack] = []
    private var failures = OutputQueue<StorageError>()
    private var nextFlush = TimelineTime.zero
    private var nextManifest = TimelineTime.zero
    private var nextSynchronization = TimelineTime.zero
    private var isManifestStale = false
    /// Of the manifest as it was written last.
    private var manifestBytes = 0
    private var isManifestFailing = false
    private var isDiskFailing = false
    /// Tracks whose complete files are not on the disk yet.
    private var justFinished: [TrackCapture] = []
    /// Frames of tracks that never started.
    private var strayFrames = 0

    /// Finds out whether a recording can be made at a place, as far as that can be known: what is missing of the archive
    /// is made, and it must be writable.
    package static func check(_ place: Place) throws(StorageError) {
        switch place {
        case .archive(let archive):
            try Folder.createMissing(archive)
            try Folder.requireWritable(archive)
        case .folder(let folder):
            guard !Folder.exists(folder) else { throw StorageError.exists(folder) }
            try Folder.createMissing(Folder.parent(of: folder))
            try Folder.requireWritable(Folder.parent(of: folder))
        }
    }

    /// Begins a recording: makes its folder, takes the lock, and writes manifest and journal. The moment is the
    /// timeline's zero.
    /// - Parameters:
    ///   - manifest: the facts known now; its origin is the wall time of this moment.
    ///   - room: the room's name or id, for the folder's name.
    ///   - synchronizing: how often to have everything brought onto the disk; nil: at the end.
    ///   - spare: bytes of the disk to be kept for the end, where the file system can do that.
    package init(
        at place: Place, manifest: RecordingManifest, room: String, synchronizing: Duration? = nil, spare: Int64 = 0
    ) throws(StorageError) {
        switch place {
        case .archive(let archive):
            folder = archive + "/" + FileNaming.folder(of: manifest.id, room: room, startingAt: manifest.origin)
        case .folder(let path): folder = path
        }
        self.manifest = manifest
        self.manifest.state = .recording
        self.synchronizing = synchronizing
        disk = synchronizing == nil ? nil : DiskThread()
        reporting = ReportFile(path: folder + "/" + FileNaming.report)
        endedTracks = EndedTracks(folder: folder)
        journal = LineFile(path: folder + "/" + FileNaming.journal)
        chat = LineFile(path: folder + "/" + FileNaming.chat)
        try Folder.create(folder)
        do {
            lock = try FileLock(folder: folder)
            try AtomicFile.replace(folder + "/" + FileNaming.manifest, with: Array(self.manifest.json.pretty.utf8))
        } catch {
            Folder.removeEmpty(folder)
            throw error
        }
        self.spare = spare > 0 ? try? SpareSpace(in: folder, bytes: spare) : nil
        log(JournalEntry(at: .zero, wall: manifest.origin, event: .recordingStarted(manifest.id)))
    }

    /// Goes on with a recording that was cut short or ended, on its timeline. What was open is over since its last moment.
    /// - Parameters:
    ///   - now: the moment on the recording's timeline.
    ///   - wall: the wall time of that.
    ///   - recipe: what is asked for from now on.
    ///   - spare: bytes of the disk to be kept for the end, where the file system can do that.
    package init(
        resuming resumption: Resumption, at now: TimelineTime, wall: WallTime, recipe: JSONValue,
        synchronizing: Duration? = nil, spare: Int64 = 0
    ) throws(StorageError) {
        folder = resumption.folder
        lock = resumption.lock
        manifest = resumption.manifest
        self.synchronizing = synchronizing
        disk = synchronizing == nil ? nil : DiskThread()
        reporting = ReportFile(path: folder + "/" + FileNaming.report)
        endedTracks = EndedTracks(folder: folder)
        journal = try LineFile(goingOnWith: folder + "/" + FileNaming.journal)
        chat = try LineFile(goingOnWith: folder + "/" + FileNaming.chat)
        self.spare = spare > 0 ? try? SpareSpace(in: folder, bytes: spare) : nil
        if let bytes = try? SmallFile.read(folder + "/" + FileNaming.report),
            let report = try? RecordingReport(parsing: bytes)
        {
            reporting.builder.goOn(after: report)
        }
        let openTracks = manifest.tracks.filter { $0.ended == nil }
        manifest.resume(after: resumption.last, at: now)
        manifest.recipe = recipe
        earlierTracks = manifest.tracks
        otherFiles = manifest.files.filter {
            [.composite, .poster, .thumbnails, .waveform, .speaking, .other].contains($0.kind)
        }
        for track in openTracks { log(JournalEntry(at: resumption.last, event: .room(.trackEnded(track.id)))) }
        log(JournalEntry(at: now, wall: wall, event: .recordingResumed(after: resumption.last)))
        log(JournalEntry(at: now, event: .gap(nil, from: resumption.last, to: now, reason: "the recorder was stopped")))
        (nextFlush, nextManifest, nextSynchronization) = (now, now, now)
        writeManifest()
        if let failure = failures.next() { throw failure }
    }

    /// The next thing that could not be written. The recording goes on without it.
    package func nextFailure() -> StorageError? { failures.next() }

    package func record(_ event: RoomEvent, at time: TimelineTime) {
        log(JournalEntry(at: time, event: .room(event)))
        let name = event.named.map(manifest.name(of:))
        if manifest.follow(event, at: time) { isManifestStale = true }
        if let who = event.named, manifest.name(of: who) != name { rename(who) }
        switch event {
        case .trackStarted(let publication):
            tracks[publication.id] = TrackCapture(RecordedTrack(publication, started: time))
            unfinished.insert(publication.id)
            isManifestStale = true
        case .trackEnded(let id):
            tracks[id]?.end(at: time)
            isManifestStale = true
        case .chat(let message):
            noting(chat.path) { () throws(StorageError) in try chat.append(ChatLine(at: time, message: message).line) }
        default:
            break
        }
    }

    /// Has what is wrong with somebody's tracks told under their new name.
    private func rename(_ who: ParticipantID) {
        for track in reporting.builder.faulty(of: who) {
            do {
                guard let report = try endedTracks.report(of: track) else { continue }
                reporting.builder.judge(report, name: manifest.name(of: who))
            } catch { failures.append(error) }
        }
    }

    /// Writes down what happened to the recording itself.
    package func note(_ event: JournalEvent, at time: TimelineTime, wall: WallTime? = nil) {
        log(JournalEntry(at: time, wall: wall, event: event))
    }

    /// Keeps a frame of a track that has started.
    /// - Parameter level: how loud it is, where that is known.
    package func frame(_ frame: EncodedFrame, of id: TrackID, level: SoundLevel? = nil) {
        guard let track = tracks[id] else {
            if !endedTracks.countLate(of: id) { strayFrames += 1 }
            return
        }
        let before = track.recorded.frames
        defer { if track.recorded.frames > before { reporting.builder.frame(frame, of: id, level: level) } }
        noting(track.recorded.file, at: frame.time) { () throws(StorageError) in
            let isNew = try track.write(
                frame, in: folder,
                labels: TrackCapture.Labels(
                    participantName: manifest.name(of: track.recorded.participant), roomAddress: manifest.room.address,
                    origin: manifest.origin))
            if isNew {
                isManifestStale = true
                changedFolders.insert(folder + "/" + FileNaming.tracksFolder)
            }
        }
    }

    /// Brings what is in memory into the files. To be called several times a second.
    package func tick(at now: TimelineTime) {
        guard now >= nextFlush else { return }
        nextFlush = now + Self.flushInterval
        noting(chat.path, at: now) { () throws(StorageError) in try chat.flush() }
        for id in unfinished {
            guard let track = tracks[id] else { continue }
            noting(track.recorded.file, at: now) { () throws(StorageError) in
                if let ended = track.recorded.ended, now - ended >= Self.linger {
                    try track.finish(duration: now - .zero)
                } else {
                    try track.flush(upTo: now)
                }
            }
            if track.isFinished {
                unfinished.remove(id)
                if disk != nil { justFinished.append(track) } else { synchronize(track, at: now) }
            }
        }
        for (id, track) in tracks { letGo(of: track, id, at: now) }
        do { try journal.flush() } catch { failures.append(error) }
        if reporting.isDue(at: now) { writeReport(at: now) }
        if isManifestStale, now >= nextManifest, disk?.isReplacing != true {
            writeManifest()
            nextManifest = now + Self.manifestInterval + .seconds(manifestBytes / Self.manifestBytesPerSecond)
        }
        synchronize(at: now)
    }

    /// Forgets a track that ended long enough ago, but for what the files say of it.
    private func letGo(of track: TrackCapture, _ id: TrackID, at now: TimelineTime) {
        let recorded = track.recorded
        guard let ended = recorded.ended, now - ended >= Self.retention, !unfinished.contains(id),
            !justFinished.contains(where: { $0 === track }), let report = reporting.builder.finalReport(on: recorded)
        else { return }
        do throws(StorageError) {
            try endedTracks.append(recorded, report, file: track.file, durationOffset: track.durationOffset)
            reporting.builder.close(report, name: manifest.name(of: recorded.participant))
            tracks[id] = nil
        } catch {
            // There may be space the next time.
        }
    }

    /// Waits until a track's file is on the disk.
    private func synchronize(_ track: TrackCapture, at time: TimelineTime) {
        noting(track.recorded.file, at: time) { () throws(StorageError) in
            try track.takeSynchronizable()?.synchronize()
        }
    }

    /// Has what was written since the last time brought onto the disk, unless that is still under way.
    private func synchronize(at now: TimelineTime) {
        guard let disk, let synchronizing else { return }
        take(disk.takeFailures())
        guard now >= nextSynchronization, !disk.isSynchronizing else { return }
        nextSynchronization = now + synchronizing
        let files = changedFiles()
        guard !files.isEmpty else { return }
        disk.synchronize(files, folders: changedFolders.sorted())
        changedFolders = []
    }

    /// The files with more in them than is on the disk, in the order in which they are to get there.
    private func changedFiles() -> [SynchronizableFile] {
        var files: [SynchronizableFile] = []
        for lines in [journal, chat] {
            let isNew = lines.isNew
            guard let file = lines.takeSynchronizable() else { continue }
            files.append(file)
            if isNew { changedFolders.insert(folder) }
        }
        for id in unfinished.sorted() {
            if let file = tracks[id]?.takeSynchronizable() { files.append(file) }
        }
        files += justFinished.compactMap { $0.takeSynchronizable() }
        justFinished = []
        return files
    }

    /// What the disk's thread could not do: handed out once for several times in a row.
    private func take(_ diskFailures: [StorageError]) {
        guard let failure = diskFailures.first else {
            if disk?.isSynchronizing == false { isDiskFailing = false }
            return
        }
        if diskFailures.contains(where: { $0.operation == .replace }) { isManifestStale = true }
        if !isDiskFailing { failures.append(failure) }
        isDiskFailing = true
    }

    /// Ends the recording: every track's file gets the whole recording's duration, the chat its subtitles, the manifest
    /// its end.
    package func finish(at end: TimelineTime, _ ending: RecordingEnding) {
        spare?.giveBack()
        if let disk {
            disk.finish()
            take(disk.takeFailures())
        }
        disk = nil
        endedTracks.among(tracks.sorted { $0.key < $1.key }, number: \.key) {
            finish($0, at: end)
        } other: {
            finish($0.value, at: end)
        }
        unfinished = []
        justFinished = []
        if strayFrames > 0 { note(.failed("\(strayFrames) frames of tracks that never started", file: nil), at: end) }
        manifest.endStays(at: end)
        manifest.duration = end - .zero
        manifest.end = ending
        manifest.state = .finished
        log(JournalEntry(at: end, event: .recordingEnded(ending)))
        do {
            try journal.synchronize()
            try writeSubtitles()
            try chat.synchronize()
            for folder in changedFolders { try Folder.synchronize(folder) }
        } catch { failures.append(error) }
        // The longest work comes last: whenever it is cut short, the journal says already how the recording ended.
        finishEarlierTracks(at: end)
        writeReport(at: end)
        writeManifest()
    }

    private func finish(_ track: TrackCapture, at end: TimelineTime) {
        track.end(at: end)
        noting(track.recorded.file, at: end) { () throws(StorageError) in try track.finish(duration: end - .zero) }
        // There is no later at which there could be more space.
        track.abandon("no space left")
        synchronize(track, at: end)
        noteDropped(of: track.recorded, at: end)
    }

    /// Gives the file of a track that was let go of the recording's duration.
    private func finish(_ entry: EndedTracks.Entry, at end: TimelineTime) {
        noting(nil, at: end) { () throws(StorageError) in
            guard var recorded = try endedTracks.recorded(entry) else { return }
            noting(recorded.file, at: end) { () throws(StorageError) in
                guard let offset = entry.durationOffset, let file = recorded.file else { return }
                let amended: SynchronizableFile
                do throws(StorageError) {
                    amended = try WebMFile.amend(
                        folder + "/" + file, durationOffset: Int64(offset), to: end - .zero)
                } catch {
                    recorded.failure = error.reason
                    if let report = try endedTracks.change(recorded) {
                        reporting.builder.judge(report, name: manifest.name(of: recorded.participant))
                    }
                    throw error
                }
                try amended.synchronize()
            }
            noteDropped(of: recorded, at: end)
        }
    }

    /// Makes the report anew when something has become known after the end.
    package func amendReport() {
        guard let duration = manifest.duration else { return }
        writeReport(at: .zero + duration)
        writeManifest()
    }

    /// Finishes the files of those who recorded before, if nobody has, and gives them the recording's duration.
    private func finishEarlierTracks(at end: TimelineTime) {
        for index in earlierTracks.indices {
            let track = earlierTracks[index]
            guard let file = track.file else { continue }
            var repair = WebMRepair(path: folder + "/" + file)
            repair.duration = end - .zero
            repair.tags = track.tags(
                participantName: manifest.name(of: track.participant), roomAddress: manifest.room.address)
            do {
                let survey = try repair.survey()
                if let content = survey.tracks.first { earlierTracks[index].take(content) }
                _ = try repair.repair(knowing: survey)
            } catch {
                if case .storage(let failure) = error { failures.append(failure) }
                note(.failed("the track that was recorded before stays unfinished", file: file), at: end)
            }
        }
    }

    /// Bytes of the disk that are kept spare now.
    package var spareBytes: Int64 { spare?.bytes ?? 0 }

    /// Bytes of the tracks' files so far.
    package var bytesWritten: Int64 { tracks.values.reduce(endedTracks.bytes) { $0 + ($1.fileLength ?? 0) } }

    /// How many tracks are in memory: those that are there and those that ended a moment ago.
    package var liveTracks: Int { tracks.count }

    /// Lists a file that somebody else made in the recording's folder; one that is listed already gets the new facts.
    package func list(_ file: RecordingFile) {
        otherFiles.removeAll { $0.path == file.path }
        otherFiles.append(file)
        isManifestStale = true
        if manifest.state == .finished { writeManifest() }
    }

    private func log(_ entry: JournalEntry) {
        reporting.builder.follow(entry.event, at: entry.at)
        do { try journal.append(entry.line) } catch { failures.append(error) }
    }

    /// Runs something of one file; its failure is put down in the journal and handed out.
    private func noting(_ path: String?, at time: TimelineTime? = nil, _ body: () throws(StorageError) -> Void) {
        do { try body() } catch {
            if error.cause == .noSpace { spare?.giveBack() }
            failures.append(error)
            isManifestStale = true
            let prefix = folder + "/"
            let file = error.path.hasPrefix(prefix) ? String(error.path.dropFirst(prefix.count)) : path
            log(
                JournalEntry(
                    at: time ?? nextFlush,
                    event: .failed("cannot \(error.operation.rawValue): \(error.reason)", file: file)))
        }
    }

    private func noteDropped(of track: RecordedTrack, at time: TimelineTime) {
        let dropped = track.dropped
        for (count, reason) in [
            (dropped.beforeOrigin, "before the recording's start"),
            (dropped.beforeKeyframe, "before the first keyframe"),
            (dropped.afterEnd, "after the track's end"),
        ] where count > 0 {
            note(.framesDropped(track.id, count: count, reason: reason), at: time)
        }
    }

    private func writeSubtitles() throws(StorageError) {
        guard chat.length != nil else { return }
        let (lines, _) = ChatLine.lines(in: try SmallFile.read(chat.path))
        try AtomicFile.replace(folder + "/" + FileNaming.subtitles, with: Array(ChatSubtitles.text(of: lines).utf8))
    }

    /// Writes the report on what is in the files.
    private func writeReport(at now: TimelineTime) {
        manifest.tracks = earlierTracks + tracks.sorted { $0.key < $1.key }.map(\.value.recorded)
        // While it grows, the manifest need only know that it is there.
        if reporting.length == nil { isManifestStale = true }
        do { try reporting.write(manifest, and: endedTracks, at: now) } catch { failures.append(error) }
    }

    private func writeManifest() {
        isManifestStale = false
        manifest.tracks = earlierTracks + tracks.sorted { $0.key < $1.key }.map(\.value.recorded)
        let path = folder + "/" + FileNaming.manifest
        let text = FileText(pieces: manifest.text(tracks: listTracks, files: listFiles), scratch: endedTracks.scratch)
        manifestBytes = text.count
        if let disk { return disk.replace(path, with: text) }
        do {
            _ = try AtomicFile.replace(path, writing: text.write)
            isManifestFailing = false
        } catch {
            // Tried again at the next turn.
            isManifestStale = true
            if !isManifestFailing { failures.append(error) }
            isManifestFailing = true
        }
    }
}
