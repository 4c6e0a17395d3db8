import MediaTypes
import RecordingFormat

/// Holds the recorder's report against the manifest and against one made anew from the files.
struct ReportComparison {
    var stored: RecordingReport
    var found: RecordingReport
    var manifest: RecordingManifest

    /// What the recorder cannot know as exactly as whoever decodes everything: the first and last seconds of a track, and
    /// levels that a sender states.
    private static func slack(_ track: TrackReport) -> Duration { max(.seconds(4), track.expected * 0.1) }

    var findings: [Finding] { texts.map { Finding(FileNaming.report, $0) } }

    private var texts: [String] {
        guard stored.state == .finished || manifest.state == .finished else { return [] }
        var texts: [String] = []
        if stored.id != manifest.id { texts.append("it is of another recording, \(stored.id)") }
        if stored.state != manifest.state { texts.append("it says \(stored.state), the manifest \(manifest.state)") }
        if stored.duration != manifest.duration ?? .zero { texts.append("its duration is not the manifest's") }
        if stored.ending != manifest.end { texts.append("its end is not the manifest's") }
        if stored.verdict != Verdict(judging: stored) { texts.append("its verdict does not follow from its figures") }
        if stored.tracks.map(\.track) != manifest.tracks.map(\.id) { texts.append("its tracks are not the manifest's") }
        for track in stored.tracks {
            guard let told = manifest.tracks.first(where: { $0.id == track.track }),
                let found = found.tracks.first(where: { $0.track == track.track })
            else { continue }
            if track.frames != told.frames || track.bytes != told.bytes || track.dropped != told.dropped.total {
                texts.append("track \(track.track) is not as in the manifest")
            }
            texts += differences(of: track, from: found)
        }
        return texts + newReasons
    }

    private func differences(of track: TrackReport, from found: TrackReport) -> [String] {
        var texts: [String] = []
        func compare(_ what: String, _ told: Duration?, _ seen: Duration?, slack: Duration) {
            guard let told, let seen else { return }
            if told > seen + slack || seen > told + slack {
                texts.append(
                    "track \(track.track): \(told.inSeconds) s \(what), \(seen.inSeconds) s in the file")
            }
        }
        compare("received", track.received, found.received, slack: .milliseconds(50))
        compare("without frames", track.lost + track.notSent, found.lost + found.notSent, slack: .milliseconds(50))
        if track.sound?.measuredBy != TrackReport.Sound.Measure.none {
            compare("audible", track.sound?.audible, found.sound?.audible, slack: Self.slack(track))
        }
        if track.pictures?.measuredBy == .composite {
            compare("black", track.pictures?.black, found.pictures?.black, slack: Self.slack(track))
        }
        return texts
    }

    /// Why the recording is not good, as the files show and the report does not say.
    private var newReasons: [String] {
        let shown: Set<Verdict.Code> = [.silent, .black, .frozen, .empty]
        return found.verdict.reasons.filter { reason in
            guard shown.contains(reason.code) else { return false }
            return !stored.verdict.reasons.contains { told in
                guard told.track == reason.track else { return false }
                // A sender that paused, and one that was lost, look the same from here.
                return told.code == reason.code || reason.code == .frozen
            } && !(reason.code == .frozen && isExplained(reason.track))
        }.map { "it does not say that \($0.text)" }
    }

    /// Whether the report knows of holes in a track's pictures that nobody lost.
    private func isExplained(_ id: TrackID?) -> Bool {
        guard let id, let told = stored.tracks.first(where: { $0.track == id }),
            let seen = found.tracks.first(where: { $0.track == id })
        else { return false }
        return seen.pictures?.frozenCount ?? 0 > 0 && told.notSent + told.lost + .seconds(1) >= seen.lost
    }
}
