import MediaTypes
import RecordingFormat
import RoomProtocol

/// Holds the manifest against the journal, which has the same facts one by one.
struct JournalComparison {
    var entries: [JournalEntry]
    var unreadableLines: Int
    var manifest: RecordingManifest

    var findings: [Finding] {
        var texts: [String] = []
        let isFinished = manifest.state == .finished
        // The last line of a recording that was cut short may be torn.
        if unreadableLines > (isFinished ? 0 : 1) { texts.append("\(unreadableLines) lines cannot be read") }
        if case .recordingStarted(manifest.id)? = entries.first?.event {
        } else {
            texts.append("it does not begin with the start of \(manifest.id)")
        }
        if isFinished {
            let ends = entries.compactMap {
                if case .recordingEnded(let ending) = $0.event { (ending, $0.at) } else { nil }
            }
            if ends.isEmpty {
                texts.append("it has no end")
            } else if !ends.contains(where: { $0.0 == manifest.end && $0.1 - .zero == manifest.duration }) {
                texts.append("its end is not that of the manifest")
            }
            texts += people + tracks
        }
        return texts.map { Finding(FileNaming.journal, $0) }
    }

    private var people: [String] {
        var told = manifest
        told.participants = []
        for entry in entries {
            if case .room(let event) = entry.event { told.follow(event, at: entry.at) }
        }
        if let duration = manifest.duration { told.endStays(at: .zero + duration) }
        let (a, b) = (Set(told.participants), Set(manifest.participants))
        return a.symmetricDifference(b).map(\.id.value).sorted().reduce(into: []) { texts, id in
            let text = "participant \(id) is not as in the manifest"
            if texts.last != text { texts.append(text) }
        }
    }

    private var tracks: [String] {
        var begun: [TrackID: (publication: TrackPublication, from: TimelineTime, to: TimelineTime?)] = [:]
        for entry in entries {
            switch entry.event {
            case .room(.trackStarted(let track)): begun[track.id] = (track, entry.at, nil)
            case .room(.trackEnded(let id)) where begun[id]?.to == nil: begun[id]?.to = entry.at
            default: break
            }
        }
        let end = manifest.duration.map { TimelineTime.zero + $0 }
        var texts: [String] = []
        for track in manifest.tracks {
            guard let told = begun.removeValue(forKey: track.id) else {
                texts.append("track \(track.id) is in the manifest alone")
                continue
            }
            let isSame =
                told.publication.participant == track.participant && told.publication.kind == track.kind
                && told.publication.source == track.source && told.publication.codec == track.codec
                && told.from == track.started && (told.to ?? end) == track.ended
            if !isSame { texts.append("track \(track.id) is not as in the manifest") }
        }
        return texts + begun.keys.sorted().map { "track \($0) is not in the manifest" }
    }
}
