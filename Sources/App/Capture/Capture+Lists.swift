import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage

/// The manifest's lists of tracks and files: of what is in memory, and of what is not.
extension Capture {
    func listTracks(_ list: inout FileText.Builder) {
        endedTracks.among(manifest.tracks, number: \.id) {
            endedTracks.appendTrack($0, to: &list)
        } other: {
            list.append($0.json)
        }
    }

    func listFiles(_ list: inout FileText.Builder) {
        func append(_ path: String, _ kind: RecordingFile.Kind, _ bytes: Int64?) {
            if let bytes { list.append(RecordingFile(path: path, kind: kind, bytes: bytes).json) }
        }
        append(FileNaming.journal, .journal, journal.length)
        for track in earlierTracks {
            guard let path = track.file else { continue }
            append(path, .track, try? SmallFile.length(of: folder + "/" + path))
        }
        endedTracks.among(tracks.sorted { $0.key < $1.key }, number: \.key) { entry in
            if let text = entry.fileText { list.append(kept: text) }
        } other: { _, track in
            if let file = track.file { list.append(file.json) }
        }
        if chat.length != nil {
            append(FileNaming.chat, .chat, chat.length)
            append(FileNaming.subtitles, .subtitles, try? SmallFile.length(of: folder + "/" + FileNaming.subtitles))
        }
        append(FileNaming.report, .report, reporting.length)
        for file in otherFiles { list.append(file.json) }
    }
}

extension RoomEvent {
    /// Whom it gives a name.
    var named: ParticipantID? {
        switch self {
        case .participantJoined(let participant): participant.id
        case .participantRenamed(let id, _): id
        default: nil
        }
    }
}
