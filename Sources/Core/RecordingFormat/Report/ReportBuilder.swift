package import MediaTypes
import RoomProtocol

/// Gathers what the report says, from the same events and frames that journal and files are made of: during the call, or
/// from its files. Takes memory for each track, not for its length, and little once the track's account is closed.
package struct ReportBuilder: Sendable {
    private let knowsLoss: Bool
    private var ledgers: [TrackID: TrackLedger] = [:]
    private var mutedSections: Set<Section> = []
    private var offers: [Offer] = []
    private var offsets: [ParticipantID: OffsetHistogram] = [:]
    /// How far sound and picture are apart just now of whom they are farthest apart; nil when that cannot be told of anybody.
    package private(set) var offset: Duration?
    private var events: [RecordingReport.Event] = []
    private var composite: CompositeReport?
    private var degradations: [CompositeReport.Degradation] = []
    /// What was reported before the recorder was stopped in the middle.
    private var earlier: RecordingReport?
    /// The latest frame of each track, and of all those whose accounts are closed.
    private var latest: [TrackID: TimelineTime] = [:]
    private var latestOfClosed: TimelineTime?
    /// What is left of tracks whose accounts are closed, by their numbers.
    private var closed: [TrackJudgement] = []
    /// Whether nothing of the room can be had just now. What there was is known when that is over.
    private var isCutOff = false

    private struct Section: Hashable {
        var participant: ParticipantID
        var section: MediaSectionID
    }

    /// A track that somebody publishes.
    private struct Offer {
        var section: Section
        var kind: MediaKind
        var codec: Codec?
        var from: TimelineTime
        var to: TimelineTime?
        var isStarted = false
    }

    /// - Parameter knowsLoss: whether `lost` is called for packets that are given up. A hole that nothing explains is
    ///   somebody's silence then, and otherwise nobody knows what.
    package init(knowsLoss: Bool) { self.knowsLoss = knowsLoss }

    /// Goes on after an earlier report on the same recording, whose recorder was stopped in the middle: tracks that had begun
    /// by then are as it says, and up to the last frame that is in their files.
    package mutating func goOn(after report: RecordingReport) {
        earlier = report
        events = report.events + events
    }

    // MARK: - What happens

    package mutating func follow(_ event: JournalEvent, at time: TimelineTime) {
        switch event {
        case .room(let event): follow(event, at: time)
        case .gap(let track?, let from, let to, _): ledgers[track]?.outage(from: from, to: to)
        case .gap(nil, let from, let to, let reason):
            for id in ledgers.keys { ledgers[id]?.outage(from: from, to: to) }
            let length = "\(((to - from).seconds * 10).rounded() / 10) s"
            note(.gap, "nothing of the room could be had for \(length): \(reason)", at: from)
        case .diskSpace(let level, let free):
            note(.disk, "the disk's space is \(level.rawValue): \(free) bytes are free", at: time)
        case .framesDropped(let track, let count, let reason):
            note(.dropped, "\(count) frames of track \(track): \(reason)", at: time)
        case .compositeSteppedDown(_, let text), .compositeSteppedUp(_, let text):
            if degradations.count < RecordingReport.mostEntries { degradations.append(.init(at: time, text: text)) }
        case .clockStepped(let step): note(.clock, "the wall clock was set by \(step.seconds) s", at: time)
        case .failed(let text, let file): note(.failed, file.map { "\($0): \(text)" } ?? text, at: time)
        default: break
        }
    }

    private mutating func note(_ kind: RecordingReport.Event.Kind, _ text: String, at time: TimelineTime) {
        if events.count < RecordingReport.mostEntries { events.append(.init(at: time, kind: kind, text: text)) }
    }

    private mutating func follow(_ event: RoomEvent, at time: TimelineTime) {
        switch event {
        case .trackPublished(let who, let kind, let section, let codec):
            let section = Section(participant: who, section: section)
            end(section, at: time)
            offers.append(Offer(section: section, kind: kind, codec: codec, from: time))
        case .trackUnpublished(let who, let section): end(Section(participant: who, section: section), at: time)
        case .participantLeft(let who, _):
            for index in offers.indices where offers[index].section.participant == who && offers[index].to == nil {
                offers[index].to = time
            }
            dismissOffers()
            mutedSections = mutedSections.filter { $0.participant != who }
            offsets[who]?.settle()
        case .connectionChanged(let state): isCutOff = state != .restored
        case .trackStarted(let track): start(track, at: time)
        case .trackMuted(let who, let section, let isMuted):
            let section = Section(participant: who, section: section)
            if isMuted { mutedSections.insert(section) } else { mutedSections.remove(section) }
            for (id, ledger) in ledgers where self.section(of: ledger) == section {
                ledgers[id]?.muted.set(isMuted, at: time)
            }
        case .trackReceiving(let track, let isReceiving): ledgers[track]?.notReceived.set(!isReceiving, at: time)
        case .layerRequested(let track, let spatial): ledgers[track]?.requestLayer(spatial)
        case .layerForwarded(let track, let spatial, let temporal):
            ledgers[track]?.forwardLayer(spatial, temporal, at: time)
        default: break
        }
    }

    private func section(of ledger: TrackLedger) -> Section {
        Section(participant: ledger.publication.participant, section: ledger.publication.publishedAs)
    }

    private mutating func start(_ track: TrackPublication, at time: TimelineTime) {
        var ledger = TrackLedger(track, started: time, knowsLoss: knowsLoss)
        let section = section(of: ledger)
        if mutedSections.contains(section) { ledger.muted.set(true, at: time) }
        ledgers[track.id] = ledger
        for index in offers.indices where offers[index].section == section && offers[index].to == nil {
            offers[index].isStarted = true
        }
    }

    private mutating func end(_ section: Section, at time: TimelineTime) {
        for index in offers.indices where offers[index].section == section && offers[index].to == nil {
            offers[index].to = time
        }
        mutedSections.remove(section)
        dismissOffers()
    }

    /// Forgets offers that have come to something and are over, and those beyond counting.
    private mutating func dismissOffers() {
        offers.removeAll { $0.isStarted && $0.to != nil }
        if offers.count > RecordingReport.mostEntries { offers.removeFirst() }
    }

    /// Counts a frame that is in its track's file.
    package mutating func frame(_ frame: EncodedFrame, of track: TrackID, level: SoundLevel? = nil) {
        var frame = frame
        frame.time = TimelineTime(microseconds: frame.time.milliseconds &* 1000)
        guard frame.time >= .zero else { return }
        ledgers[track]?.frame(frame, level: level)
        latest[track] = max(latest[track] ?? .zero, frame.time)
    }

    /// Packets of a track are given up: whatever hole is before its next frame is theirs.
    package mutating func lost(of track: TrackID) { ledgers[track]?.lose() }

    /// What a track's picture looks like from a moment on.
    package mutating func look(
        _ look: PictureLook, of track: TrackID, at time: TimelineTime, by measure: TrackReport.Pictures.Measure
    ) {
        ledgers[track]?.look(look, at: time, by: measure)
    }

    /// What the network had to say so far. To be called once a second.
    package mutating func receive(_ figures: [TrackID: ReceptionFigures], at time: TimelineTime) {
        for (track, figures) in figures { ledgers[track]?.reception = figures }
        var clocks: [ParticipantID: [MediaKind: ReceptionFigures]] = [:]
        for (track, figures) in figures {
            guard let ledger = ledgers[track], figures.clockError != nil,
                let last = latest[track], time - last <= .seconds(5),
                [.microphone, .camera].contains(ledger.publication.source)
            else { continue }
            clocks[ledger.publication.participant, default: [:]][ledger.publication.kind] = figures
        }
        offset = nil
        for (who, figures) in clocks {
            guard let sound = figures[.audio], let picture = figures[.video],
                let early = sound.clockError, let late = picture.clockError
            else { continue }
            offset = max(offset ?? .zero, early < late ? late - early : early - late)
            offsets[who, default: OffsetHistogram()].add(
                early - late, isReported: sound.usesSenderReports && picture.usesSenderReports)
        }
    }

    /// What became of the composite; nil when none was asked for.
    package mutating func setComposite(_ report: CompositeReport?) { composite = report }

    // MARK: - What is over

    /// The report on a track that ended so long ago that nothing more comes of it, not even news of what happened before; nil
    /// while it may still become another one.
    package func finalReport(on track: RecordedTrack) -> TrackReport? {
        guard let ended = track.ended, !isCutOff, let ledger = ledgers[track.id],
            ledger.reach.map({ othersGoOn(after: $0, without: track.id) }) ?? true
        else { return nil }
        return ledger.report(on: track, at: ended) { _ in true }
    }

    /// Closes the account of a track: forgets it but for what the verdict needs.
    /// - Parameters:
    ///   - report: its final one.
    ///   - name: of its participant.
    package mutating func close(_ report: TrackReport, name: String) {
        let track = report.track
        ledgers[track] = nil
        if let last = latest.removeValue(forKey: track) { latestOfClosed = max(latestOfClosed ?? last, last) }
        judge(report, name: name)
    }

    /// The tracks whose accounts are closed and whose reports name somebody.
    package func faulty(of who: ParticipantID) -> [TrackID] {
        closed.filter { $0.participant == who && !$0.reasons.isEmpty }.map(\.track)
    }

    /// Takes what has become of the report on a track whose account is closed.
    package mutating func judge(_ report: TrackReport, name: String) {
        let label = "\(name.isEmpty ? report.participant.value : name)'s \(report.sourceWords)"
        let judgement = TrackJudgement(of: report, label: label)
        let index = closed.lastIndex { $0.track <= report.track }
        if let index, closed[index].track == report.track {
            closed[index] = judgement
        } else {
            closed.insert(judgement, at: index.map { $0 + 1 } ?? 0)
        }
    }

    /// Whether frames of other tracks came long after a moment.
    private func othersGoOn(after last: TimelineTime, without track: TrackID) -> Bool {
        if let latestOfClosed, latestOfClosed - last >= .seconds(1) { return true }
        return latest.contains { $0.key != track && $0.value - last >= .seconds(1) }
    }

    // MARK: - What it comes to

    /// The report on what has been gathered, with the facts of a manifest of the same moment. Tracks whose accounts are
    /// closed are not in it but for the verdict.
    package func report(of manifest: RecordingManifest, at now: TimelineTime) -> RecordingReport {
        let end = max(.zero, manifest.duration.map { .zero + $0 } ?? now)
        var report = RecordingReport(
            id: manifest.id, state: manifest.state, duration: end - .zero, ending: manifest.end)
        report.tracks = manifest.tracks.map { track in
            ledgers[track.id]?.report(on: track, at: end) { othersGoOn(after: $0, without: track.id) }
                ?? TrackReport(
                    unaccounted: track, earlier: earlier?.tracks.first { $0.track == track.id }, at: end)
        }
        report.participants = manifest.participants.filter { $0.id != manifest.bot?.id }.map { somebody in
            ParticipantReport(
                id: somebody.id, name: somebody.name, present: somebody.present(until: end),
                offset: offsets[somebody.id]?.report
                    ?? earlier?.participants.first { $0.id == somebody.id }?.offset,
                unrecorded: unrecorded(of: somebody.id, at: end))
        }
        report.composite = composite
        report.composite?.degradations = degradations
        report.events = events
        report.verdict = Verdict(judging: report, ended: closed)
        return report
    }

    private func unrecorded(of who: ParticipantID, at end: TimelineTime) -> [ParticipantReport.Unrecorded] {
        offers.filter { $0.section.participant == who && !$0.isStarted }.map {
            .init(kind: $0.kind, codec: $0.codec, time: max(.zero, ($0.to ?? end) - $0.from))
        }
    }
}

extension TrackReport {
    /// Of a track that nothing was gathered about but what the manifest says, and a report that is some seconds older.
    fileprivate init(unaccounted track: RecordedTrack, earlier: TrackReport?, at end: TimelineTime) {
        self.init(track, to: end)
        from = max(.zero, earlier?.from ?? from)
        let known = earlier.map { max(from, $0.to) }
        to = max(known ?? from, to)
        expected = to - from
        waited = track.firstFrame.map { min(expected, max(.zero, $0 - from)) }
        guard let earlier, let known else { return }
        waited = earlier.waited ?? waited
        received = earlier.received
        if let last = track.lastFrame, last > known { received += min(last, to) - known }
        lost = earlier.lost
        notSent = earlier.notSent
        muted = earlier.muted
        reception = earlier.reception
        sound = earlier.sound
        pictures = earlier.pictures
        gaps = earlier.gaps
        gapCount = earlier.gapCount
        layers = earlier.layers
        rates = earlier.rates
    }
}

extension RecordedParticipant {
    fileprivate func present(until end: TimelineTime) -> Duration {
        stays.reduce(.zero) { $0 + max(.zero, ($1.to ?? end) - max(.zero, $1.from)) }
    }
}
