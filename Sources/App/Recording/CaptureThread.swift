import Capture
import EventLoop
import MediaTypes
import RecordingFormat
import Rendering
import RoomProtocol
import Storage

/// What the loop hands to the capture's thread: one item a frame or event.
enum CaptureItem: Sendable {
    case event(RoomEvent, at: TimelineTime)
    case control(ControlEvent, at: TimelineTime)
    case note(JournalEvent, at: TimelineTime, wall: WallTime? = nil)
    /// `attenuation` is how loud it is, where the sender says so: -dBov.
    case frame(EncodedFrame, of: TrackID, attenuation: UInt8? = nil)
    /// Packets of a track are given up; its next frame comes behind them.
    case lost(TrackID)
    /// What the network had to say so far.
    case reception([TrackID: ReceptionFigures], at: TimelineTime)
    /// Time has passed; all that the loop knows of up to this moment has been handed over.
    case tick(TimelineTime)
    /// The end of the call.
    case finish(RecordingEnding, at: TimelineTime)
}

/// What the capture's thread tells the session.
enum CaptureNews: Sendable {
    /// The recording's folder is there.
    case began(folder: String)
    case failed(StorageError)
    /// The composite is left to a later rendering, and why.
    case compositeGivenUp(String)
    /// The composite is made with more or less from now on.
    case compositeStepped(CompositeLevel, isUp: Bool, String)
    /// The composite can show these tracks again from their next keyframe on.
    case keyframesWanted([TrackID])
    /// There is a composite that lacks something, or none; what, and how to make a whole one.
    case compositeLacking(String)
    /// So many bytes are free on the disk.
    case freeSpace(Int64)
    /// How far the composite is behind the call; nil when none is made any more.
    case compositeLag(Duration?)
    /// How far sound and picture are apart, at most; nil when that cannot be told.
    case offset(Duration?)
    /// The free space has come to another level.
    case diskLevel(DiskLevel, free: Int64)
    /// Somebody began or stopped to speak.
    case speaking(RoomEvent, at: TimelineTime)
    /// All files are closed.
    case finished(folder: String?, Verdict?)
}

/// Keeps the call and passes it on to the composite. Lives on the capture's thread.
final class CaptureThread {
    /// How far behind the present the composite is drawn: the longest that a frame may wait for a retransmission, and a
    /// little for its way.
    private static let compositeDelay = Duration.milliseconds(2300)

    /// The most bytes of the disk that are kept spare for the end.
    private static let mostSpare: Int64 = 8 << 20

    private let capture: Capture?
    private let report: @Sendable (CaptureNews) -> Void
    private let isHurried: Locked<Bool>
    private(set) var composite: CompositeThread?
    private var ladder = OverloadLadder()
    /// The tracks of pictures that there are now.
    private var pictureTracks: Set<TrackID> = []
    private var disk: DiskWatch
    private let freeSpace: (String) throws(StorageError) -> Int64
    private var speech = SpeechWatch()
    /// What the composite looks like of a recording that was gone on with.
    private let resumedComposite: CompositeRecipe?
    /// Looks at pictures while no composite is drawn; nil while one is.
    private var pictures: PictureWatch?

    /// - Parameters:
    ///   - resumption: the recording to go on with, and the present moment on its timeline.
    ///   - isDeferred: whether somebody else is to make a composite afterwards.
    ///   - reserve: bytes of the disk that stay free; the recording ends when there are fewer.
    ///   - freeSpace: how many bytes are free where a path lies.
    init(
        at place: Capture.Place, resuming resumption: (Resumption, at: TimelineTime)? = nil,
        manifest: RecordingManifest, room: String, composite recipe: CompositeRecipe?, isDeferred: Bool = false,
        compositeCapacity: Int = CompositeThread.usualCapacity, reserve: Int64 = RecordRecipe.usualReserve,
        freeSpace: @escaping (String) throws(StorageError) -> Int64 = Folder.freeSpace, isHurried: Locked<Bool>,
        report: @escaping @Sendable (CaptureNews) -> Void
    ) {
        self.report = report
        self.isHurried = isHurried
        self.freeSpace = freeSpace
        disk = DiskWatch(reserve: reserve)
        resumedComposite = resumption == nil ? nil : recipe
        let spare = min(Self.mostSpare, reserve / 4)
        do {
            let capture =
                if let (resumption, now) = resumption {
                    try Capture(
                        resuming: resumption, at: now, wall: manifest.origin + (now - .zero), recipe: manifest.recipe,
                        synchronizing: Capture.usualSynchronizing, spare: spare)
                } else {
                    try Capture(
                        at: place, manifest: manifest, room: room, synchronizing: Capture.usualSynchronizing,
                        spare: spare)
                }
            self.capture = capture
            report(.began(folder: capture.folder))
            if let recipe, resumption == nil {
                composite = CompositeThread(
                    recipe, path: capture.folder + "/" + FileNaming.composite, manifest: manifest,
                    capacity: compositeCapacity)
                capture.reporting.builder.setComposite(CompositeReport(state: .drawing))
            } else {
                if isDeferred { capture.reporting.builder.setComposite(CompositeReport(state: .deferred)) }
                pictures = PictureWatch()
            }
        } catch {
            capture = nil
            report(.failed(error))
        }
    }

    func work(_ batch: [CaptureItem]) {
        for item in batch { work(item) }
        // Once for all that has come: a batch that has piled up behind a slow disk is no lapse of time.
        let ticks = batch.compactMap { item in if case .tick(let now) = item { now } else { nil } }
        if let now = ticks.last {
            watchDisk(at: now)
            watchComposite(at: now)
            if let wishes = pictures?.nextWishes(), !wishes.isEmpty { report(.keyframesWanted(wishes)) }
        }
        while let failure = capture?.nextFailure() { report(.failed(failure)) }
    }

    private func work(_ item: CaptureItem) {
        switch item {
        case .event(let event, let time):
            if speech.follow(event, at: time) { record(event, at: time) }
            recordSpeech()
        case .control(let control, let time):
            capture?.note(.control(control), at: time)
            composite?.push(.control(control, at: time))
        case .note(let event, let time, let wall):
            capture?.note(event, at: time, wall: wall)
        case .frame(let frame, let track, let attenuation):
            let level = speech.hear(frame, of: track, attenuation: attenuation)
            capture?.frame(frame, of: track, level: level)
            composite?.push(.frame(frame, of: track))
            if let look = pictures?.see(frame, of: track) {
                capture?.reporting.builder.look(look, of: track, at: frame.time, by: .samples)
            }
            recordSpeech()
        case .lost(let track):
            capture?.reporting.builder.lost(of: track)
        case .reception(let figures, let time):
            capture?.reporting.builder.receive(figures, at: time)
            report(.offset(capture?.reporting.builder.offset))
        case .tick(let now):
            // A frame may come late by as much as the composite waits for it.
            speech.advance(to: now - Self.compositeDelay)
            recordSpeech()
            takeLooks()
            capture?.tick(at: now)
            composite?.push(.advance(to: now - Self.compositeDelay))
        case .finish(let ending, let end):
            finish(ending, at: end)
        }
    }

    private func record(_ event: RoomEvent, at time: TimelineTime) {
        switch event {
        case .trackStarted(let track) where track.kind == .video: pictureTracks.insert(track.id)
        case .trackEnded(let track): pictureTracks.remove(track)
        default: break
        }
        capture?.record(event, at: time)
        if case .trackEnded(let track) = event { pictures?.end(track) }
        composite?.push(.event(event, at: time))
    }

    private func recordSpeech() {
        while let (event, time) = speech.nextEvent() {
            record(event, at: time)
            report(.speaking(event, at: time))
        }
    }

    /// Passes on what the composite saw.
    private func takeLooks() {
        for look in composite?.takeLooks() ?? [] {
            capture?.reporting.builder.look(look.look, of: look.track, at: look.time, by: .composite)
        }
    }

    /// Looks how much is free, at every tick: a disk can be filled from one second to the next.
    private func watchDisk(at now: TimelineTime) {
        guard let capture, let unused = try? freeSpace(capture.folder) else { return }
        // What is spare is there for the end.
        let free = unused + capture.spareBytes
        report(.freeSpace(free))
        let written = capture.bytesWritten + (composite?.bytesWritten ?? 0)
        guard let level = disk.update(free: free, written: written, at: now) else { return }
        capture.note(.diskSpace(level, free: free), at: now)
        report(.diskLevel(level, free: free))
        if level >= .scarce, let composite, !composite.isGivenUp {
            giveUpComposite(
                "there is too little space for the composite; it can be made later", discarding: true, at: now)
        }
    }

    /// Sees to it that the composite gives way when the machine is too slow for all.
    private func watchComposite(at now: TimelineTime) {
        guard let composite, !composite.isGivenUp else { return }
        report(.compositeLag(composite.lag))
        if composite.isBehind {
            return giveUpComposite("the composite fell behind; it is made after the call", at: now)
        }
        let before = ladder.level
        guard let level = ladder.update(lag: composite.lag, at: now) else { return }
        let isUp = level < before
        let text = (isUp ? "the composite keeps up: " : "the machine is too slow for the composite: ") + level.words
        composite.level = level
        capture?.note(isUp ? .compositeSteppedUp(level, text) : .compositeSteppedDown(level, text), at: now)
        report(.compositeStepped(level, isUp: isUp, text))
        // What was passed over cannot be decoded without one.
        if before == .off { report(.keyframesWanted(pictureTracks.sorted())) }
    }

    /// - Parameter discarding: whether what there is of the file is removed.
    private func giveUpComposite(_ reason: String, discarding: Bool = false, at now: TimelineTime) {
        composite?.giveUp(discarding: discarding)
        report(.compositeLag(nil))
        pictures = PictureWatch()
        capture?.note(.compositeSteppedDown(.off, reason), at: now)
        report(.compositeGivenUp(reason))
    }

    private func finish(_ ending: RecordingEnding, at end: TimelineTime) {
        guard let capture else { return report(.finished(folder: nil, nil)) }
        capture.finish(at: end, ending)
        while let failure = capture.nextFailure() { report(.failed(failure)) }
        if let composite { finish(composite, of: capture, at: end) }
        if let resumedComposite {
            let files = ResumedComposite.make(resumedComposite, of: capture.folder, isHurried: isHurried)
            for file in files { capture.list(file) }
        }
        report(.finished(folder: capture.folder, capture.reporting.verdict))
    }

    private func finish(_ composite: CompositeThread, of capture: Capture, at end: TimelineTime) {
        let free = try? freeSpace(capture.folder)
        let room = (free ?? .max) - 2 * disk.reserve
        let (files, shortcoming) = composite.finish(
            at: end, tags: capture.manifest.compositeTags, recording: capture.folder, room: room, isHurried: isHurried)
        takeLooks()
        capture.reporting.builder.setComposite(composite.report)
        capture.amendReport()
        for file in files { capture.list(file) }
        if let shortcoming {
            report(.compositeLacking("\(shortcoming): 'callbot render \(capture.folder) --replace' makes a whole one"))
        }
    }
}

extension CompositeLevel {
    fileprivate var words: String {
        switch self {
        case .full: "it is as asked for again"
        case .halfRate: "it has every second picture from now on"
        case .halfSize: "it has every second picture, half as wide and high, from now on"
        case .off: "it has no new pictures from now on, and all of the sound"
        }
    }
}
