import JSON
package import MediaTypes
package import RecordingFormat
package import RoomProtocol
import Storage
import WebMReading

/// Reads a recording's folder in the order of time: the journal's room events, and the frames of all tracks. Takes memory
/// for the journal and for one frame of each track, however long the recording is. The recording may be unfinished, or
/// have ended in the middle of a write.
package final class RecordingReader {
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// The manifest cannot be read: this is no recording's folder, or one of a newer format.
        case notARecording(String)
        /// A track's file is there and is no WebM file; rendering goes on without it.
        case unreadableTrack(TrackID, file: String)

        package var description: String {
            switch self {
            case .notARecording(let folder): "\(folder) is not a recording that this callbot can read"
            case .unreadableTrack(let id, let file): "track \(id) cannot be read from \(file)"
            }
        }
    }

    package let manifest: RecordingManifest
    /// What was found to be wrong on the way, in order.
    package private(set) var failures: [Failure] = []
    /// Lines of the journal that are no entries.
    package let unreadableLines: Int

    private let folder: String
    private var entries: ArraySlice<JournalEntry>
    private var tracks: [Source]
    private var lastTime = TimelineTime.zero

    private final class Source {
        let id: TrackID
        let file: String
        /// From when on there may be frames.
        let begin: TimelineTime
        var reader: WebMReader?
        var next: EncodedFrame?
        init(id: TrackID, file: String, begin: TimelineTime) {
            self.id = id
            self.file = file
            self.begin = begin
        }
    }

    /// - Parameter kind: whose tracks alone are read; nil for all.
    package init(folder: String, kind: MediaKind? = nil) throws {
        self.folder = folder
        manifest = try Self.manifest(of: folder)
        // A recording that was cut short may lack the journal's end, but not its beginning.
        let journal = (try? SmallFile.read(folder + "/" + FileNaming.journal, limit: 1 << 30)) ?? []
        let (lines, unreadable) = JournalEntry.entries(in: journal)
        let entries = Self.closingInterruptions(in: lines)
        // What is known by the time of capture stands a little later than it was.
        let order = entries.indices.sorted { (entries[$0].at, $0) < (entries[$1].at, $1) }
        self.entries = order.map { entries[$0] }[...]
        unreadableLines = unreadable
        tracks = manifest.tracks.compactMap { track in
            guard let file = track.file, kind == nil || track.kind == kind else { return nil }
            // What was captured before the track was announced cannot be much before it.
            return Source(id: track.id, file: file, begin: track.firstFrame ?? (track.started - .seconds(10)))
        }
        lastTime = entries.last?.at ?? .zero
    }

    /// Where another recorder went on, those who were there are gone since the first one stopped, and with them their
    /// tracks: who is still there joins anew.
    private static func closingInterruptions(in lines: [JournalEntry]) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        var present: [ParticipantID] = []
        var open: [TrackID] = []
        for entry in lines {
            switch entry.event {
            case .room(.participantJoined(let participant)): present.append(participant.id)
            case .room(.participantLeft(let id, _)): present.removeAll { $0 == id }
            case .room(.trackStarted(let track)): open.append(track.id)
            case .room(.trackEnded(let id)): open.removeAll { $0 == id }
            case .recordingResumed(let last):
                entries += open.map { JournalEntry(at: last, event: .room(.trackEnded($0))) }
                entries += present.map { JournalEntry(at: last, event: .room(.participantLeft($0, .dropped))) }
                (open, present) = ([], [])
            default: break
            }
            entries.append(entry)
        }
        return entries
    }

    /// What the recording in a folder is.
    package static func manifest(of folder: String) throws(Failure) -> RecordingManifest {
        guard let bytes = try? SmallFile.read(folder + "/" + FileNaming.manifest),
            let manifest = try? RecordingManifest(parsing: bytes)
        else { throw .notARecording(folder) }
        return manifest
    }

    /// The recording's length: as the manifest says, or what has been seen of it so far.
    package var duration: Duration { manifest.duration ?? .microseconds(lastTime.microseconds) }

    /// The latest end of anything in the recording, for one whose manifest does not say how long it is. Reads all of it.
    package static func measuredDuration(of folder: String) throws -> Duration {
        let reader = try RecordingReader(folder: folder)
        if let duration = reader.manifest.duration { return duration }
        reader.read(
            before: TimelineTime(microseconds: .max), event: { _, _ in }, control: { _, _ in }, frame: { _, _ in })
        return reader.duration
    }

    /// Hands out everything before `time` that has not been handed out: first what happened in the room and what
    /// somebody asked for, then each track's frames.
    package func read(
        before time: TimelineTime, event: (RoomEvent, TimelineTime) -> Void,
        control: (ControlEvent, TimelineTime) -> Void, frame: (EncodedFrame, TrackID) -> Void
    ) {
        while let entry = entries.first, entry.at < time {
            switch entry.event {
            case .room(let happened): event(happened, entry.at)
            case .control(let asked): control(asked, entry.at)
            default: break
            }
            entries.removeFirst()
        }
        for track in tracks where track.begin < time {
            while let next = nextFrame(of: track), next.time < time {
                frame(next, track.id)
                lastTime = max(lastTime, next.time + (next.duration ?? .zero))
                track.next = nil
            }
        }
        tracks.removeAll { $0.begin < time && $0.next == nil }
    }

    /// The frame that a track's file has next; nil at its end.
    private func nextFrame(of track: Source) -> EncodedFrame? {
        if let next = track.next { return next }
        do {
            let reader = try track.reader ?? WebMReader(path: folder + "/" + track.file)
            track.reader = reader
            repeat {
                track.next = try reader.nextFrame()?.frame
            } while track.next.map { OpusSilence.isFiller($0.payload) } ?? false
        } catch {
            failures.append(.unreadableTrack(track.id, file: track.file))
            track.next = nil
        }
        return track.next
    }
}
