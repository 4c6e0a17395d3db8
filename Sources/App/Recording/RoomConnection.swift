import EventLoop
import Logging
import MediaTypes
import Reception
import RoomClient
import RoomProtocol
import Transport

/// A room, however often it has to be joined: the stays that `Reconnection` asks for, told as if they were one. People keep the
/// ids that they had, tracks are counted on, and what the chat repeats is left out. Runs on its loop.
///
/// After `start()` come events and frames, and one `ended`, after which nothing comes.
actor RoomConnection {
    enum Output: Sendable {
        case event(RoomEvent, at: MonotonicTime)
        case frame(TrackID, ReceivedFrame)
        case reception(TrackID, ReceptionEvent, at: MonotonicTime)
        /// Nothing of the room could be had in between.
        case gap(from: MonotonicTime, to: MonotonicTime)
        /// - Parameter triedFor: how long it was tried to come back; nil when that was not tried.
        case ended(RoomEnd, triedFor: Duration?, at: MonotonicTime)
    }

    private struct Stay {
        let number: Int
        let client: RoomClient
    }

    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How soon after the room is heard again that is noticed.
    private static let listeningInterval = Duration.milliseconds(200)

    private let configuration: RoomClient.Configuration
    private let window: Duration?
    private let logger: Logger
    private let output: @Sendable (Output) -> Void

    private var stay: Stay?
    private var successor: Stay?
    /// The last stay that was given up: it may still have a goodbye to send.
    private var former: RoomClient?
    private var stays = 0
    /// Nil before the room was joined.
    private var reconnection: Reconnection?
    private var timer: LoopTimer?
    /// What a new stay says in its first moment, until all of it is there; nil at all other times.
    private var held: [RoomClient.Output]?
    private var flushTimer: LoopTimer?
    /// Whether there has ever been media: what was never there cannot be lost.
    private var hasMedia = false
    private var isLeaving = false
    /// The stay is given up for its successor.
    private var isSucceeding = false
    private var isOver = false

    private var people: [ParticipantID: String] = [:]
    private var ownIDs: Set<ParticipantID> = []
    private var returning: ReturningPeople?
    private var chat = ChatMemory()
    /// Whether the chat has been joined before.
    private var hadChat = false
    private var nextTrack: Int
    private var earlier = RoomStatistics()

    /// - Parameters:
    ///   - window: how long a break of the connection may last; nil when the first one is the end.
    ///   - output: called on the loop's thread; must not block.
    init(
        _ configuration: RoomClient.Configuration, window: Duration?, loop: LoopExecutor, logger: Logger,
        output: @escaping @Sendable (Output) -> Void
    ) {
        self.configuration = configuration
        self.window = window
        self.loop = loop
        self.logger = logger
        self.output = output
        nextTrack = configuration.room.firstTrack
    }

    // What it owns belongs to the loop's thread, to the end.
    isolated deinit {
        timer = nil
        flushTimer = nil
    }

    // MARK: - What can be asked for

    /// Connects and joins.
    func start() {
        guard stay == nil, !isOver else { return }
        timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.wake() } }
        flushTimer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.flush() } }
        let first = makeStay()
        stay = first
        first.client.assumeIsolated { $0.start() }
    }

    /// Leaves the room properly; `ended` follows within two seconds or so, at once when there is no connection.
    func leave() {
        guard !isLeaving, !isOver else { return }
        isLeaving = true
        dismiss()
        timer?.set(nil)
        if let stay { stay.client.assumeIsolated { $0.leave() } } else { end(.left, triedFor: nil) }
    }

    /// Delivers all frames that have arrived, without waiting for what is missing.
    func drain() { stay?.client.assumeIsolated { $0.drain() } }

    /// Asks for a keyframe of a track, as soon as the last request is long enough ago.
    func requestKeyframe(_ track: TrackID) {
        stay?.client.assumeIsolated { $0.requestKeyframe(track) }
    }

    /// Asks for a layer of a simulcast track, 0 being the lowest.
    func requestLayer(_ track: TrackID, spatial: Int?) {
        stay?.client.assumeIsolated { $0.requestLayer(track, spatial: spatial) }
    }

    /// Of all stays.
    func statistics() -> RoomStatistics {
        guard let stay else { return earlier }
        return earlier.adding(stay.client.assumeIsolated { $0.statistics() })
    }

    /// Forgets what was received of tracks that have ended, but for how much it was.
    func forget(_ ended: [TrackID]) {
        earlier.forget(ended)
        stay?.client.assumeIsolated { $0.forget(ended) }
    }

    // MARK: - The stays

    private func makeStay() -> Stay {
        stays += 1
        var configuration = configuration
        configuration.room.firstTrack = nextTrack
        let number = stays
        let client = RoomClient(configuration, loop: loop, logger: logger) { [weak self] output in
            self?.assumeIsolated { $0.take(output, of: number) }
        }
        return Stay(number: number, client: client)
    }

    private func take(_ output: RoomClient.Output, of number: Int) {
        if number == stay?.number {
            if held != nil { held?.append(output) } else { follow(output) }
        } else if number == successor?.number {
            takeOfSuccessor(output)
        }
        // Else of one that is given up.
    }

    /// Until it is in the room, nothing of it counts.
    private func takeOfSuccessor(_ output: RoomClient.Output) {
        switch output {
        case .event(.joined, _):
            // The stay may have been heard just now: then it is the one that goes on.
            listen(at: HostClock.now())
            performReconnection()
            guard successor != nil else { return }
            reconnection?.handle(.successorJoined, at: HostClock.now())
            performReconnection()
            if held != nil { held?.append(output) }
        case .ended(let reason, let time):
            logger.info("the room could not be joined again", ["reason": .string("\(reason)")])
            successor = nil
            reconnection?.handle(.successorEnded(reason), at: time)
            performReconnection()
        default: break
        }
    }

    private func follow(_ output: RoomClient.Output) {
        switch output {
        case .event(let event, let time): follow(event, at: time)
        case .frame(let track, let frame):
            hasMedia = true
            self.output(.frame(track, frame))
        case .reception(let track, let news, let time): self.output(.reception(track, news, at: time))
        case .ended(let reason, let time):
            listen(at: time)
            forgetStay()
            if isSucceeding { return }
            guard reconnection != nil, !isLeaving, hasMedia || !reason.isAboutMedia else {
                return end(reason, triedFor: nil)
            }
            reconnection?.handle(.stayEnded(reason), at: time)
            performReconnection()
        }
    }

    private func follow(_ event: RoomEvent, at time: MonotonicTime) {
        var event = event
        if let translated = returning?.translate(event) {
            event = translated
        } else if returning != nil {
            return
        }
        switch event {
        case .joined(let own, _):
            ownIDs.insert(own.id)
            if reconnection == nil {
                reconnection = Reconnection(window: window, joined: time)
                performReconnection()
            }
        case .participantJoined(let participant): people[participant.id] = participant.name
        case .participantRenamed(let id, let name): if people[id] != nil { people[id] = name }
        case .participantLeft(let id, _): people[id] = nil
        case .trackStarted(let track): nextTrack = max(nextTrack, track.id.number + 1)
        case .chatAvailable(true, _): hadChat = true
        case .chat(var message):
            guard chat.isNews(message) else { return }
            // What was written while the bot was away is no history of the recording.
            if hadChat { message.isHistory = false }
            event = .chat(message)
        default: break
        }
        output(.event(event, at: time))
    }

    private func forgetStay() {
        guard let stay else { return }
        earlier = earlier.adding(stay.client.assumeIsolated { $0.statistics() })
        former = stay.client
        self.stay = nil
    }

    private func end(_ reason: RoomEnd, triedFor time: Duration?) {
        guard !isOver else { return }
        isOver = true
        timer?.set(nil)
        dismiss()
        output(.ended(reason, triedFor: time, at: HostClock.now()))
    }

    // MARK: - Coming back

    private func wake() {
        let now = HostClock.now()
        listen(at: now)
        reconnection?.wake(at: now)
        performReconnection()
    }

    /// Tells what was heard since it was last told.
    private func listen(at now: MonotonicTime) {
        guard held == nil, let client = stay?.client, let last = client.assumeIsolated({ $0.lastHeard }) else { return }
        let since = reconnection?.brokenSince
        let first = since.flatMap { since in client.assumeIsolated { $0.firstHeard(after: since) } }
        reconnection?.handle(.heard(last: last, first: first ?? last), at: now)
    }

    private func performReconnection() {
        while let next = reconnection?.nextOutput() { perform(next) }
        guard !isLeaving, !isOver, let reconnection else { return }
        let listening = reconnection.brokenSince == nil ? nil : HostClock.now() + Self.listeningInterval
        timer?.set(earliest(reconnection.nextDeadline, listening))
    }

    private func perform(_ next: Reconnection.Output) {
        let now = HostClock.now()
        switch next {
        case .changed(let state):
            logger.log(state == .restored ? .notice : .warning, "the connection is \(state.rawValue)")
            output(.event(.connectionChanged(state), at: now))
            output(.event(.chat(ChatMessage(kind: .alert, sender: nil, name: nil, text: state.alert)), at: now))
        case .begin:
            logger.info("joining the room again")
            let stay = makeStay()
            successor = stay
            stay.client.assumeIsolated { $0.start() }
        case .succeed: succeed()
        case .dismiss: dismiss()
        case .gap(let from, let to): output(.gap(from: from, to: to))
        case .giveUp(let reason, let time):
            // That its tracks have ended is still told.
            isSucceeding = true
            stay?.client.assumeIsolated { $0.abandon() }
            isSucceeding = false
            end(reason, triedFor: time)
        }
    }

    /// The one before has nothing more to say but that its tracks have ended.
    private func succeed() {
        guard let next = successor else { return }
        successor = nil
        isSucceeding = true
        stay?.client.assumeIsolated { $0.abandon() }
        isSucceeding = false
        stay = next
        held = []
        flushTimer?.set(HostClock.now())
        logger.notice("back in the room")
    }

    /// A new stay has said who is there: now they can be told from those who were there before.
    private func flush() {
        guard let outputs = held else { return }
        held = nil
        let roster = outputs.compactMap { output -> Participant? in
            if case .event(.participantJoined(let participant), _) = output { participant } else { nil }
        }
        returning = ReturningPeople(known: people, roster: roster, ghosts: ownIDs)
        let absent = returning?.absent ?? []
        for output in outputs { follow(output) }
        for id in absent {
            people[id] = nil
            output(.event(.participantLeft(id, .dropped), at: HostClock.now()))
        }
    }

    private func dismiss() {
        guard let client = successor?.client else { return }
        successor = nil
        former = client
        client.assumeIsolated { $0.abandon() }
    }
}

extension RoomEnd {
    fileprivate var isAboutMedia: Bool {
        switch self {
        case .iceFailed, .dtlsFailed: true
        default: false
        }
    }
}

extension RoomStatistics {
    /// The figures of a later stay added to those before.
    fileprivate func adding(_ later: RoomStatistics) -> RoomStatistics {
        var sum = later
        sum.tracks.merge(tracks) { new, _ in new }
        for (peer, before) in transports {
            var total = sum.transports[peer] ?? before
            if sum.transports[peer] != nil {
                total.datagramsReceived += before.datagramsReceived
                total.octetsReceived += before.octetsReceived
                total.datagramsSent += before.datagramsSent
                total.octetsSent += before.octetsSent
            }
            sum.transports[peer] = total
        }
        sum.forgottenPackets += forgottenPackets
        sum.forgottenLost += forgottenLost
        sum.unroutablePackets += unroutablePackets
        sum.malformedPackets += malformedPackets
        return sum
    }
}
