package import MediaTypes
import RoomProtocol

extension RecordingManifest {
    /// Goes on after nothing was recorded for a while: what was open is over since `last`.
    package mutating func resume(after last: TimelineTime, at now: TimelineTime) {
        endStays(at: last)
        endTracks(at: last)
        interruptions.append(Interruption(from: last, to: now))
        state = .recording
        duration = nil
        end = nil
    }

    /// Ends the tracks that are still open.
    package mutating func endTracks(at time: TimelineTime) {
        for index in tracks.indices where tracks[index].ended == nil {
            tracks[index].ended = max(time, tracks[index].started)
        }
    }

    /// Brings people, tracks and interruptions up to what the journal says, which is ahead of the manifest when the
    /// recorder was stopped in the middle. What only the manifest knows of a track stays.
    package mutating func follow(_ journal: [JournalEntry]) {
        guard !journal.isEmpty else { return }
        participants = []
        interruptions = []
        for index in tracks.indices { tracks[index].ended = nil }
        for entry in journal {
            switch entry.event {
            case .recordingResumed(let last): resume(after: last, at: entry.at)
            case .recordingEnded(let ending):
                end = ending
                endStays(at: entry.at)
                endTracks(at: entry.at)
            case .room(.trackStarted(let publication)): start(publication, at: entry.at)
            case .room(.trackEnded(let id)):
                if let index = tracks.firstIndex(where: { $0.id == id }) { tracks[index].ended = entry.at }
            case .room(let event): follow(event, at: entry.at)
            default: break
            }
        }
        tracks.sort { $0.id < $1.id }
    }

    private mutating func start(_ publication: TrackPublication, at time: TimelineTime) {
        var track = RecordedTrack(publication, started: time)
        guard let index = tracks.firstIndex(where: { $0.id == publication.id }) else { return tracks.append(track) }
        let known = tracks[index]
        track.file = known.file
        track.firstFrame = known.firstFrame
        track.lastFrame = known.lastFrame
        track.frames = known.frames
        track.bytes = known.bytes
        track.dropped = known.dropped
        track.channels = known.channels
        track.sizes = known.sizes
        track.failure = known.failure
        tracks[index] = track
    }

    /// What can be known of a recording whose manifest is lost.
    /// - Parameters:
    ///   - folderName: of the recording's folder, which begins with its id unless somebody named it.
    ///   - origin: the wall time of the timeline's zero as the media files have it; nil when they do not.
    ///   - address: of the room; empty when it is not known.
    /// - Returns: nil when nothing says when it was.
    package static func rebuilt(
        from journal: [JournalEntry], folderName: String, origin: WallTime?, address: String, software: String,
        using generator: inout some RandomNumberGenerator
    ) -> RecordingManifest? {
        let start = journal.first { if case .recordingStarted = $0.event { true } else { false } }
        guard let origin = start?.wall ?? origin else { return nil }
        var id = RecordingID(named: folderName) ?? RecordingID(startingAt: origin, using: &generator)
        if case .recordingStarted(let known)? = start?.event { id = known }
        var manifest = RecordingManifest(id: id, software: software, room: .init(address: address), origin: origin)
        manifest.follow(journal)
        return manifest
    }
}

extension RecordingID {
    /// The one that a folder's name begins with.
    fileprivate init?(named folder: String) {
        let parts = folder.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].utf8.count == 16, parts[0].hasSuffix("Z"), parts[1].utf8.count == 4,
            parts[0].first?.isNumber == true
        else { return nil }
        self.init("\(parts[0])-\(parts[1])")
    }
}
