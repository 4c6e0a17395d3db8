import Capture
package import EventLoop
import Glibc
import JSON
import LocalSocket
package import Logging
import MediaTypes
import RTP
import Reception
package import RecordingFormat
import RoomClient
import RoomProtocol
import Storage
import Transport

/// One recording, from joining the room to closed files. Only wires: the room client says what happens, the machine
/// decides, the capture's thread keeps.
package actor RecordingSession {
    package nonisolated let loop: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Bytes of frames that may wait for a slow disk.
    private static let mostWaiting = 256 << 20

    private let recipe: RecordRecipe
    private let software: String
    private let logger: Logger
    private let ending: @Sendable (RecordingEnd) -> RecordingEnding
    private let showProgress: @Sendable (RecordingProgress) -> Void
    private let place: Capture.Place
    /// The recording that is gone on with.
    private var resumption: Resumption?

    private var machine: RecordingMachine
    private var room: RoomConnection?
    private var capture: WorkerThread<CaptureItem>?
    private let isHurried = Locked(false)
    /// What the capture's thread has told.
    private let news = Locked([CaptureNews]())
    private var deadline: LoopTimer?
    private var ticker: LoopTimer?
    private var signals: [SignalSource] = []
    private var control: LocalServer?
    private var origin: MonotonicTime?
    private var end: RecordingEnd?
    private var verdict: Verdict?
    private var whenDone: CheckedContinuation<RecordingOutcome, Never>?

    private var people: Set<ParticipantID> = []
    private var bot: ParticipantID?
    private var tracks: Set<TrackID> = []
    private var layers: LayerWatch?
    private var rotations: [TrackID: PictureRotation] = [:]
    private var capturedBytes: Int64 = 0
    private var unkept = UnkeptFrames()
    private var wallClock = WallClockWatch()
    /// The recording's folder, once it is made.
    private var folder: String?
    private var meter = ProgressMeter()
    /// What could not be written, first of all.
    private var failure: StorageError?

    /// - Parameters:
    ///   - archive: the archive's folder, used when the recipe names no place.
    ///   - ending: how an end is put down in the recording.
    package init(
        _ recipe: RecordRecipe, archive: String, software: String, loop: LoopExecutor, logger: Logger,
        ending: @escaping @Sendable (RecordingEnd) -> RecordingEnding,
        progress: @escaping @Sendable (RecordingProgress) -> Void
    ) {
        self.recipe = recipe
        self.software = software
        self.loop = loop
        self.logger = logger
        self.ending = ending
        showProgress = progress
        place = (recipe.resumes?.folder ?? recipe.output).map { .folder($0) } ?? .archive(recipe.archive ?? archive)
        layers = recipe.ownComposite.map(LayerWatch.init)
        machine = RecordingMachine(
            limits: .init(
                duration: recipe.duration, emptyTimeout: recipe.emptyTimeout, mediaTimeout: recipe.mediaTimeout))
    }

    /// Records, and comes back when all files are closed.
    package func run() async -> RecordingOutcome {
        if let resumed = recipe.resumes {
            if let end = open(resumed) { return RecordingOutcome(end) }
        } else if let end = check() {
            return RecordingOutcome(end)
        }
        if let free = try? Folder.freeSpace(of: place.disk), free < recipe.reserve {
            return RecordingOutcome(.noSpaceToBegin(free: free, reserve: recipe.reserve))
        }
        return await withCheckedContinuation { done in
            whenDone = done
            start()
        }
    }

    /// Why nothing can be recorded there.
    private func check() -> RecordingEnd? {
        do { try Capture.check(place) } catch {
            if error.cause == .exists, place == .folder(error.path) { return .outputExists(error.path) }
            return .outputUnusable("\(error)")
        }
        return nil
    }

    /// Why the recording cannot be gone on with.
    private func open(_ resumed: ResumedRecording) -> RecordingEnd? {
        do {
            let found = try Resumption(of: resumed.folder)
            let now = ResumedTimeline(found, wall: HostClock.wallTime()).now
            if recipe.duration == nil, let planned = resumed.plannedDuration, .zero + planned <= now {
                return .notResumable("the duration that was asked for is over: give another --duration")
            }
            resumption = found
            return nil
        } catch {
            switch error {
            case .beingRecorded: return .beingRecorded(resumed.folder)
            case .notARecording:
                return .notResumable(
                    "\(resumed.folder) has no recording.json that can be read; 'callbot repair' makes one")
            case .storage(let error): return .notResumable("\(error)")
            }
        }
    }

    private func start() {
        deadline = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.wake() } }
        ticker = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.tick() } }
        signals = [SIGINT, SIGTERM].map { signal in
            SignalSource(signal, on: loop) { [weak self] in self?.assumeIsolated { $0.handle(.stop(signal: signal)) } }
        }
        var configuration = RoomClient.Configuration(recipe)
        if let resumption { configuration.room.firstTrack = resumption.firstTrack }
        let room = RoomConnection(
            configuration, window: recipe.reconnectWindow, loop: loop, logger: logger
        ) { [weak self] output in
            self?.assumeIsolated { $0.take(output) }
        }
        self.room = room
        room.assumeIsolated { $0.start() }
    }

    // MARK: - What happens

    private func take(_ output: RoomConnection.Output) {
        switch output {
        case .event(let event, let time): take(event, at: time)
        case .frame(let track, let frame): take(frame, of: track)
        case .reception(let track, let news, let time): take(news, of: track, at: time)
        case .gap(let from, let to):
            guard let origin else { return }
            let span = (from: TimelineTime.zero + (from - origin), to: TimelineTime.zero + (to - origin))
            capture?.push(
                .note(.gap(nil, from: span.from, to: span.to, reason: "the connection was lost"), at: span.to))
        case .ended(let reason, let time, let at):
            machine.handle(.roomEnded(reason, triedFor: time), at: at)
            perform()
        }
    }

    private func take(_ frame: ReceivedFrame, of track: TrackID) {
        machine.handle(.media, at: HostClock.now())
        guard let origin else { return }
        if let end = machine.end, frame.captureTime >= end { return }
        if frame.rotation != rotations[track, default: .none] {
            rotations[track] = frame.rotation
            capture?.push(.event(.trackRotated(track, frame.rotation), at: .zero + (frame.captureTime - origin)))
        }
        let bytes = frame.payload.count
        capturedBytes += Int64(bytes)
        let encoded = EncodedFrame(
            codec: frame.codec, time: .zero + (frame.captureTime - origin), duration: frame.duration,
            isKeyframe: frame.isKeyframe, size: frame.size, payload: frame.payload)
        layers?.follow(encoded, of: track)
        let isTaken = capture?.push(
            .frame(encoded, of: track, attenuation: frame.audioLevel?.attenuation), weight: bytes + 1)
        if isTaken == false, unkept.add(track, at: .zero + (HostClock.now() - origin)) {
            logger.error("the disk is too slow, and there is no more room for what waits: frames are lost")
        }
    }

    private func take(_ event: RoomEvent, at time: MonotonicTime) {
        machine.handle(.room(event), at: time)
        if case .joined(let me, let description) = event {
            bot = me.id
            begin(as: me, in: description, at: time)
        }
        perform()
        follow(event)
        guard let origin else { return }
        capture?.push(.event(event, at: .zero + (time - origin)))
        layers?.follow(event, at: .zero + (time - origin))
    }

    /// Asks for the layers that the composite is worth.
    private func requestLayers(at now: TimelineTime) {
        for (track, spatial) in layers?.wishes(at: now) ?? [] {
            room?.assumeIsolated { $0.requestLayer(track, spatial: spatial) }
            capture?.push(.event(.layerRequested(track, spatial: spatial), at: now))
        }
    }

    private func take(_ news: ReceptionEvent, of track: TrackID, at time: MonotonicTime) {
        guard let origin else { return }
        let now = TimelineTime.zero + (time - origin)
        switch news {
        case .packetsLost(let count):
            logger.debug("packets are lost for good", ["track": .init(track.number), "packets": .init(count)])
            capture?.push(.lost(track))
        case .clockJumped(let distance):
            capture?.push(.note(.failed("track \(track)'s clock jumped by \(distance.seconds) s", file: nil), at: now))
        case .sequenceRestarted: capture?.push(.lost(track))
        case .sourceChanged, .goodbye, .ended: break
        }
    }

    private func follow(_ event: RoomEvent) {
        switch event {
        case .participantJoined(let participant) where participant.id != bot:
            people.insert(participant.id)
            logger.info("joined", ["participant": .string(participant.name)])
        case .participantLeft(let id, let reason):
            people.remove(id)
            logger.info("left", ["participant": .string(id.value), "reason": .string(reason.rawValue)])
        case .trackStarted(let track): tracks.insert(track.id)
        case .trackEnded(let track):
            tracks.remove(track)
            rotations[track] = nil
        case .chatAvailable(false, let reason):
            logger.info("there is no chat to log", ["reason": .string(reason ?? "")])
        case .notice(let text): logger.notice(text)
        default: break
        }
    }

    /// In their order, which that of the calls need not be.
    private func takeNews() {
        let items = news.withLock { items in
            defer { items = [] }
            return items
        }
        for item in items { take(item) }
    }

    private func take(_ news: CaptureNews) {
        switch news {
        case .began(let folder):
            self.folder = folder
            listen(in: folder)
            // Whoever watches wants to know at once.
            if let origin { report(origin: origin, at: HostClock.now()) }
        case .failed(let error): take(error)
        case .freeSpace(let free): meter.freeSpace = free
        case .compositeLag(let lag): meter.compositeLag = lag
        case .offset(let offset): meter.offset = offset
        case .diskLevel(let level, let free): take(level, free: free)
        case .speaking(let event, let time): layers?.follow(event, at: time)
        case .compositeStepped(let level, let isUp, let text):
            meter.compositeLevel = level
            if isUp { logger.notice(text) } else { logger.warning(text) }
        case .keyframesWanted(let tracks):
            for track in tracks { room?.assumeIsolated { $0.requestKeyframe(track) } }
        case .compositeGivenUp(let reason), .compositeLacking(let reason): logger.warning(reason)
        case .finished(let folder, let verdict):
            self.verdict = verdict
            if let folder { logger.notice("the recording is finished", ["folder": .string(folder)]) }
            done()
        }
    }

    private func take(_ error: StorageError) {
        logger.error("\(error)")
        let isFirst = failure == nil
        failure = failure ?? error
        // The journal is the last that goes.
        let isHopeless = capturedBytes == 0 || error.path.hasSuffix("/" + FileNaming.journal)
        switch error.cause {
        case .noSpace, .readOnly: handle(.storageFailed(error.reason))
        default: if isHopeless { handle(.storageFailed("\(error)")) }
        }
        // The files could not be closed well.
        if isFirst, let end, end.meansWhole { self.end = .storageFailed("\(error)") }
    }

    private func take(_ level: DiskLevel, free: Int64) {
        let facts: LogMetadata = ["free": .init(free)]
        switch level {
        case .ample: logger.notice("there is enough space on the disk again", facts)
        case .low: logger.warning("the disk is getting full", facts)
        case .scarce: logger.warning("the disk is almost full", facts)
        case .exhausted:
            logger.error("the disk is full; the recording ends", facts)
            handle(.diskFull(free: free, reserve: recipe.reserve))
        }
    }

    // MARK: - What is asked for

    private func listen(in folder: String) {
        guard end == nil else { return }
        let complaint = ControlAnswer.refused("a command is at most \(LocalServer.longestLine) bytes long")
        do {
            control = try LocalServer(
                in: folder, named: FileNaming.controlSocket, on: loop, complaint: complaint.json.compactUTF8
            ) { [weak self] line in
                let answer = self?.assumeIsolated { $0.answer(line) } ?? .refused("the recording is over")
                return answer.json.compactUTF8
            }
            logger.info("it can be controlled", ["folder": .string(folder)])
        } catch {
            logger.warning("the recording cannot be controlled: \(error)")
        }
    }

    private func answer(_ line: [UInt8]) -> ControlAnswer {
        guard let origin, machine.end == nil else { return .refused("the recording ends already") }
        do {
            let request = try ControlRequest(line: line)
            logger.info("asked for a change", ["change": .string(request.json.compact)])
            layers?.follow(request.event)
            capture?.push(.control(request.event, at: .zero + (HostClock.now() - origin)))
            return .done
        } catch {
            return .refused(error.reason)
        }
    }

    // MARK: - What is decided

    private func handle(_ input: RecordingMachine.Input) {
        machine.handle(input, at: HostClock.now())
        perform()
    }

    private func wake() {
        machine.wake(at: HostClock.now())
        perform()
    }

    private func perform() {
        while let output = machine.nextOutput() {
            switch output {
            case .begin: break  // done with the event that caused it, which has the facts
            case .leaveRoom: room?.assumeIsolated { $0.leave() }
            case .hurry: isHurried.withLock { $0 = true }
            case .finish(let end, let time): finish(end, at: time)
            }
        }
        deadline?.set(machine.nextDeadline)
    }

    private func begin(as me: Participant, in description: String, at time: MonotonicTime) {
        guard origin == nil else { return }
        // As it was at that moment, which is some time ago on a busy machine.
        let wall = HostClock.wallTime() + (time - HostClock.now())
        if let resumption { return goOn(with: resumption, as: me, at: time, wall: wall) }
        origin = time
        var generator = SystemRandomNumberGenerator()
        let manifest = RecordingManifest(
            id: RecordingID(startingAt: wall, using: &generator), software: software,
            room: .init(address: recipe.room.description, description: description), bot: me, origin: wall,
            recipe: recipe.json)
        beginCapture(manifest)
        logger.notice("recording", ["room": .string(recipe.room.description), "as": .string(me.name)])
        tick()
    }

    /// Goes on with a recording on its own timeline.
    private func goOn(with resumption: Resumption, as me: Participant, at time: MonotonicTime, wall: WallTime) {
        let timeline = ResumedTimeline(resumption, wall: wall)
        let now = timeline.now
        origin = time - (now - .zero)
        if recipe.duration == nil, let planned = recipe.resumes?.plannedDuration {
            machine.limit(duration: planned - (now - .zero))
        }
        var manifest = resumption.manifest
        manifest.recipe = recipe.resumed(at: now).json
        beginCapture(manifest, resuming: (resumption, now))
        self.resumption = nil
        if timeline.clockError != .zero {
            logger.warning("the wall clock is behind what was recorded already; going on right after that")
            capture?.push(.note(.clockStepped(timeline.clockError), at: now))
        }
        logger.notice("going on", ["room": .string(recipe.room.description), "as": .string(me.name)])
        tick()
    }

    private func beginCapture(_ manifest: RecordingManifest, resuming resumption: (Resumption, at: TimelineTime)? = nil)
    {
        let report: @Sendable (CaptureNews) -> Void = { [weak self, news] item in
            news.withLock { $0.append(item) }
            Task { [weak self] in await self?.takeNews() }
        }
        capture = WorkerThread(name: "capture", capacity: Self.mostWaiting) { [recipe, place, isHurried] in
            let thread = CaptureThread(
                at: place, resuming: resumption, manifest: manifest, room: recipe.room.room,
                composite: recipe.ownComposite, isDeferred: recipe.composite != nil && recipe.isCompositeDeferred,
                reserve: recipe.reserve, isHurried: isHurried, report: report)
            return { thread.work($0) }
        }
    }

    private func finish(_ end: RecordingEnd, at time: MonotonicTime) {
        // A call that could not be kept whole did not end as asked.
        let end = failure.map { end.meansWhole ? .storageFailed("\($0)") : end } ?? end
        self.end = end
        guard let origin, let capture else { return done() }
        // Whatever became of the room, all that has arrived is kept.
        room?.assumeIsolated { $0.drain() }
        reportReception(origin: origin, at: time)
        noteUnkept(at: .zero + (time - origin), isEnd: true)
        // Its file is removed, which may have to wait for the disk.
        control = nil
        capture.push(.finish(ending(end), at: .zero + (time - origin)))
    }

    private func done() {
        guard let end, let whenDone else { return }
        self.whenDone = nil
        ticker = nil
        deadline = nil
        room = nil
        // Its thread has the folder's lock, which others may want from now on.
        capture?.finish()
        capture = nil
        // Who comes after this may have its own mind about signals.
        signals = []
        var outcome = RecordingOutcome(end, verdict: verdict)
        outcome.folder = folder
        outcome.isHurried = isHurried.withLock { $0 }
        whenDone.resume(returning: outcome)
    }

    // MARK: - Time

    private func tick() {
        guard let origin, end == nil else { return }
        let now = HostClock.now()
        requestLayers(at: .zero + (now - origin))
        noteUnkept(at: .zero + (now - origin))
        watchWallClock(from: origin)
        capture?.push(.tick(.zero + (now - origin)))
        ticker?.set(now + .milliseconds(250))
        if meter.isDue(at: now) { report(origin: origin, at: now) }
    }

    private func noteUnkept(at now: TimelineTime, isEnd: Bool = false) {
        for (track, count) in unkept.next(at: now, isEnd: isEnd) {
            capture?.push(.note(.framesDropped(track, count: count, reason: "the disk was too slow"), at: now))
        }
    }

    private func watchWallClock(from origin: MonotonicTime) {
        let start = HostClock.now()
        let wall = HostClock.wallTime()
        guard let step = wallClock.update(wall, between: start, and: HostClock.now()) else { return }
        logger.warning("the wall clock was set; the recording does not go by it", ["by": .number(step.seconds)])
        capture?.push(.note(.clockStepped(step), at: .zero + (start - origin), wall: wall))
    }

    /// Tells the capture what the network has to say of each track.
    private func reportReception(origin: MonotonicTime, at now: MonotonicTime) {
        guard let room else { return }
        let figures = room.assumeIsolated { $0.statistics() }.tracks.mapValues { ReceptionFigures($0) }
        capture?.push(.reception(figures, at: .zero + (now - origin)))
        // Of a track that has ended that was the last: nothing comes after it.
        let ended = figures.keys.filter { !tracks.contains($0) }
        if !ended.isEmpty { room.assumeIsolated { $0.forget(ended) } }
    }

    private func report(origin: MonotonicTime, at now: MonotonicTime) {
        guard let statistics = room?.assumeIsolated({ $0.statistics() }) else { return }
        var progress = meter.read(statistics, captured: capturedBytes, elapsed: now - origin, at: now)
        progress.people = people.count
        progress.tracks = tracks.count
        progress.folder = folder
        reportReception(origin: origin, at: now)
        showProgress(progress)
    }
}

extension Capture.Place {
    /// A folder that is there and lies on the recording's disk, once the place has been checked.
    fileprivate var disk: String {
        switch self {
        case .archive(let path): path
        case .folder(let path): Folder.parent(of: path)
        }
    }
}
