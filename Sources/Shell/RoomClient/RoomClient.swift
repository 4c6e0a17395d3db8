package import EventLoop
package import Logging
package import MediaTypes
package import Reception
package import RoomProtocol
import SDP
import Transport
import WebIO

/// One stay in a room: performs what a `JanusRoomSession` asks for, with a WebSocket and up to two peer connections, and
/// tells it what becomes of it. Runs on its loop, so that packets are handled where they come in.
///
/// After `start()` come events and frames, and one `ended`, after which nothing comes. To join again, make another one.
package actor RoomClient {
    package enum Output: Sendable {
        case event(RoomEvent, at: MonotonicTime)
        /// Between the track's `trackStarted` and `trackEnded`; in order within the track.
        case frame(TrackID, ReceivedFrame)
        /// What was lost or changed, in order with the frames.
        case reception(TrackID, ReceptionEvent, at: MonotonicTime)
        case ended(RoomEnd, at: MonotonicTime)
    }

    package nonisolated let loop: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private enum Phase: Equatable {
        /// Next: staying, ended.
        case new
        /// Next: settling, leaving, ended.
        case staying
        /// Asked to leave; what is under way is still taken. Next: leaving, ended.
        case settling(since: MonotonicTime)
        /// The bot has said goodbye; whatever breaks now was to be expected. Next: ended.
        case leaving
        case ended
    }

    /// What was sent before an end may still be under way so long after it; if something is missing, or being repeated, so long.
    private static let settlingTimes = Duration.milliseconds(250)...Duration.seconds(1)
    private static let settlingInterval = Duration.milliseconds(50)
    /// How long the signalling may take to explain why the server closed the media.
    private static let explanationPatience = Duration.seconds(2)

    private let configuration: Configuration
    private let logger: Logger
    private let output: @Sendable (Output) -> Void
    private var session: JanusRoomSession
    private var socket: WebSocketConnection?
    private var peers: [JanusRoomSession.Peer: PeerConnection] = [:]
    /// Closed peers that wait for their last callback to return.
    private var retired: [PeerConnection] = []
    private var timer: LoopTimer?
    private var mediaClosedAt: MonotonicTime?
    private var tracks: [MediaSectionID: TrackID] = [:]
    /// Tracks that have ended in the room, since when, in that order.
    private var settling: [(track: TrackID, section: MediaSectionID, since: MonotonicTime)] = []
    /// Frames of sections whose track has ended, since another source began to send in them; none before that.
    private var unclaimed: [MediaSectionID: [ReceivedFrame]] = [:]
    /// Two seconds of sound; what comes later than that has no track to come.
    private static let mostUnclaimed = 100
    private var finished = RoomStatistics()
    /// When the server said something on the WebSocket, or by a connection that is closed.
    private var signalling = Hearing()
    /// After so long a silence the server is asked for a sign of life.
    private static let probeInterval = Duration.seconds(2)
    /// What had been received in a section when its last track ended; and, of a track that goes on there, before it.
    private var ends: [MediaSectionID: ReceptionStatistics] = [:]
    private var earlier: [TrackID: ReceptionStatistics] = [:]
    private var isPerforming = false
    private var phase = Phase.new

    /// - Parameter output: called on the loop's thread; must not block.
    package init(
        _ configuration: Configuration, loop: LoopExecutor, logger: Logger, output: @escaping @Sendable (Output) -> Void
    ) {
        self.configuration = configuration
        self.loop = loop
        self.logger = logger.labelled("room")
        self.output = output
        var generator = SystemRandomNumberGenerator()
        session = JanusRoomSession(configuration.room, using: &generator)
    }

    // What it owns belongs to the loop's thread, to the end.
    isolated deinit {
        timer = nil
        socket?.cancel()
        for peer in peers.values { peer.close() }
    }

    // MARK: - What can be asked for

    /// Connects and joins.
    package func start() {
        guard phase == .new else { return }
        phase = .staying
        timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.wake() } }
        var address = WebSocketConnection.Configuration(address: configuration.server)
        address.subprotocol = "janus-protocol"
        address.certificateAuthorityFile = configuration.certificateAuthorityFile
        address.acceptsAnyCertificate = configuration.acceptsAnyCertificate
        let socket = WebSocketConnection(address, loop: loop) { [weak self] event in
            self?.assumeIsolated { $0.take(event) }
        }
        self.socket = socket
        logger.debug("connecting", ["server": .string(configuration.server)])
        socket.start()
    }

    /// Leaves the room properly, when what is under way has come; `ended` follows within two seconds or so.
    package func leave() {
        switch phase {
        case .new,
            .staying where peers.isEmpty:
            phase = .leaving
            handle(.leave)
        case .staying:
            phase = .settling(since: HostClock.now())
            perform()
        case .settling, .leaving, .ended: break
        }
    }

    /// Delivers all frames that have arrived, without waiting for what is missing. For the end: senders are told goodbye.
    package func drain() {
        for peer in peers.values { peer.drain() }
        finishTracks { _, _ in true }
    }

    /// Asks for a keyframe of a track, as soon as the last request is long enough ago.
    package func requestKeyframe(_ track: TrackID) {
        guard let section = section(of: track) else { return }
        peers[.media]?.requestKeyframe(section)
    }

    /// Asks for a layer of a simulcast track, 0 being the lowest.
    package func requestLayer(_ track: TrackID, spatial: Int?, temporal: Int? = nil) {
        session.requestLayer(track, spatial: spatial, temporal: temporal, at: HostClock.now())
        perform()
    }

    /// Ends the stay at once, without a goodbye: another one has taken its place.
    package func abandon() { end(.left) }

    /// When the room was heard last, be it on the WebSocket or by media.
    package var lastHeard: MonotonicTime? {
        peers.values.map(\.hearing.last).reduce(signalling.last) { latest, last in
            guard let latest, let last else { return latest ?? last }
            return max(latest, last)
        }
    }

    /// When it was heard first after a moment; nil when it was not.
    package func firstHeard(after time: MonotonicTime) -> MonotonicTime? {
        peers.values.reduce(signalling.first(after: time)) { earliest($0, $1.hearing.first(after: time)) }
    }

    package func statistics() -> RoomStatistics {
        var statistics = finished
        for (name, peer) in peers {
            let reception = peer.statistics
            statistics.transports[name] = reception.transport
            statistics.unroutablePackets += reception.unroutablePackets
            statistics.malformedPackets += reception.malformedPackets
            guard name == .media else { continue }
            for (section, track) in tracks { statistics.tracks[track] = own(reception.sections[section], of: track) }
        }
        return statistics
    }

    /// Forgets what was received of tracks that have ended, but for how much it was.
    package func forget(_ ended: [TrackID]) { finished.forget(ended) }

    /// What was received in a section since a track began in it.
    private func own(_ statistics: ReceptionStatistics?, of track: TrackID) -> ReceptionStatistics? {
        guard let earlier = earlier[track] else { return statistics }
        return statistics?.since(earlier)
    }

    // MARK: - The session

    private func handle(_ input: JanusRoomSession.Input) {
        session.handle(input, at: HostClock.now())
        perform()
    }

    private func wake() {
        let now = HostClock.now()
        if let closed = mediaClosedAt, now >= closed + Self.explanationPatience {
            mediaClosedAt = nil
            session.handle(.peerFailed(.media, .serverVanished("the server closed the media connection")), at: now)
        }
        if let deadline = session.nextDeadline, now >= deadline { session.wake(at: now) }
        if phase == .staying, let lastHeard, now >= lastHeard + Self.probeInterval { session.probe(at: now) }
        finishTracks { isSettled($1, since: $0, at: now) }
        if case .settling(let since) = phase, tracks.keys.allSatisfy({ isSettled($0, since: since, at: now) }) {
            phase = .leaving
            session.handle(.leave, at: now)
        }
        perform()
    }

    /// Whether all has come that was sent in a section up to a moment.
    private func isSettled(_ section: MediaSectionID, since: MonotonicTime, at now: MonotonicTime) -> Bool {
        if now - since < Self.settlingTimes.lowerBound { return false }
        return now - since >= Self.settlingTimes.upperBound || peers[.media]?.isWaiting(in: section) != true
    }

    /// Does all that the session wants. What comes of it meanwhile waits for its turn.
    private func perform() {
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while let next = session.nextOutput() { perform(next) }
        var isSettling = !settling.isEmpty
        if case .settling = phase { isSettling = true }
        let deadlines = [
            session.nextDeadline, mediaClosedAt.map { $0 + Self.explanationPatience },
            isSettling ? HostClock.now() + Self.settlingInterval : nil,
            phase == .staying ? probeDue : nil,
        ]
        timer?.set(phase == .ended ? nil : deadlines.compactMap { $0 }.min())
    }

    /// Looked at again then: what is heard meanwhile puts it off.
    private var probeDue: MonotonicTime? {
        lastHeard.map { max($0 + Self.probeInterval, HostClock.now() + .milliseconds(500)) }
    }

    private func perform(_ output: JanusRoomSession.Output) {
        switch output {
        case .send(let text):
            // No text: it may hold the pin, and a token.
            logger.trace("sending", ["octets": .init(text.utf8.count)])
            socket?.send(text)
        case .applyOffer(let name, let offer): apply(offer, to: name)
        case .addCandidate(let name, let line, _): peers[name]?.addRemoteCandidate(line)
        case .openChannel(let name, let label): peers[name]?.openChannel(label: label)
        case .sendMessage(let name, let label, let text): peers[name]?.send(text: text, label: label)
        case .closePeer(let name): closePeer(name)
        case .event(let event): report(event)
        case .ended(let reason): end(reason)
        }
    }

    private func report(_ event: RoomEvent) {
        switch event {
        case .trackStarted(let track):
            finishTracks { $1 == track.section }
            tracks[track.section] = track.id
            if let end = ends[track.section], let now = peers[.media]?.statistics.sections[track.section],
                now.packets >= end.packets
            {
                earlier[track.id] = end
            }
            output(.event(event, at: HostClock.now()))
            let early = unclaimed.removeValue(forKey: track.section)
            if early == nil { peers[.media]?.replaceTrack(track.section) }
            for frame in early ?? [] { output(.frame(track.id, frame)) }
        case .trackEnded(let track):
            guard let section = section(of: track) else { return }
            settling.append((track, section, HostClock.now()))
        default: output(.event(event, at: HostClock.now()))
        }
    }

    /// The server sends in a recycled section before the offer that says whose it is now: the new source's frames, from
    /// its first keyframe on, wait for their track.
    private func keep(_ frame: ReceivedFrame, of section: MediaSectionID) {
        guard let held = unclaimed[section]?.count, held < Self.mostUnclaimed else { return }
        unclaimed[section]?.append(frame)
    }

    /// Delivers the last frames of tracks that have ended, and says that they have.
    private func finishTracks(where isDone: (MonotonicTime, MediaSectionID) -> Bool) {
        for (track, section, since) in settling where isDone(since, section) {
            peers[.media]?.endTrack(section)
            ends[section] = peers[.media]?.statistics.sections[section]
            finished.tracks[track] = own(ends[section], of: track)
            earlier[track] = nil
            tracks[section] = nil
            settling.removeAll { $0.track == track }
            output(.event(.trackEnded(track), at: HostClock.now()))
        }
    }

    private func section(of track: TrackID) -> MediaSectionID? { tracks.first { $0.value == track }?.key }

    private func end(_ reason: RoomEnd) {
        guard phase != .ended else { return }
        phase = .ended
        timer?.set(nil)
        finishTracks { _, _ in true }
        for name in peers.keys.sorted(by: { $0.rawValue < $1.rawValue }) { closePeer(name) }
        // The goodbyes that were just sent still go out.
        socket?.close()
        output(.ended(reason, at: HostClock.now()))
    }

    // MARK: - The WebSocket

    private func take(_ event: WebSocketConnection.Event) {
        switch event {
        case .opened:
            signalling.hear(at: HostClock.now())
            handle(.connected)
        case .message(let text):
            signalling.hear(at: HostClock.now())
            handle(.received(text: text))
        case .failed(let failure): end(RoomEnd(failure))
        case .closed(let code, let reason):
            logger.debug("the connection is closed", ["code": .init(code), "reason": .string(reason)])
            handle(.disconnected(reason: reason))
        }
    }

    // MARK: - The peer connections

    private func apply(_ offer: SessionDescription, to name: JanusRoomSession.Peer) {
        do {
            let peer = try peers[name] ?? makePeer(name)
            peers[name] = peer
            let answer = try peer.apply(offer: offer, accepting: configuration.room.acceptedCodecs)
            handle(.localDescription(name, sdp: answer.text))
        } catch let failure as PeerConnection.OfferFailure {
            handle(.peerFailed(name, RoomEnd(failure)))
        } catch {
            handle(.peerFailed(name, .dtlsFailed("\(error)")))
        }
    }

    private func makePeer(_ name: JanusRoomSession.Peer) throws -> PeerConnection {
        var peer = configuration.peer
        // Janus repeats lost audio to whoever's answer says NACK, though its offers never do.
        peer.requestsAudioUnoffered = true
        // It keeps what it has sent for the round trip and 100 ms, at most 1 s, nothing before it has measured that, and repeats
        // nothing twice within 200 ms: one lost repetition would be final. A recorder has the time, and so asks for the most.
        peer.reportedDelay = .seconds(1)
        return try PeerConnection(peer, loop: loop) { [weak self] event in
            self?.assumeIsolated { $0.take(event, of: name) }
        }
    }

    private func closePeer(_ name: JanusRoomSession.Peer) {
        guard let peer = peers[name] else { return }
        if name == .media { finishTracks { _, _ in true } }
        peer.drain()
        let last = peer.statistics
        if name == .media {
            for (section, track) in tracks { finished.tracks[track] = own(last.sections[section], of: track) }
        }
        finished.transports[name] = last.transport
        finished.unroutablePackets += last.unroutablePackets
        finished.malformedPackets += last.malformedPackets
        // What it heard last is heard still.
        if let last = peer.hearing.last, last > signalling.last ?? last { signalling.hear(at: last) }
        peers[name] = nil
        peer.close()
        // This may be said from within one of the peer's own callbacks, which must find it alive when it goes on.
        retired.append(peer)
        Task { retired = [] }
    }

    private func take(_ event: PeerConnection.Event, of name: JanusRoomSession.Peer) {
        switch event {
        case .frame(let section, let frame):
            if let track = tracks[section] { output(.frame(track, frame)) } else { keep(frame, of: section) }
        case .reception(let section, let news):
            if let track = tracks[section] {
                output(.reception(track, news, at: HostClock.now()))
            } else if case .sourceChanged = news {
                unclaimed[section] = []
            }
        case .localCandidate(let line, let mid, let mLineIndex):
            handle(.localCandidate(name, mid: mid.value, mLineIndex: mLineIndex, candidate: line))
        case .connected:
            logger.debug("connected", ["peer": .string(name.rawValue)])
            handle(.peerConnected(name))
        case .failed(let failure): if phase != .leaving { handle(.peerFailed(name, RoomEnd(failure))) }
        case .closedByPeer: closedByPeer(name)
        case .channelOpened(let channel): handle(.channelOpened(name, label: channel.label))
        case .channelClosed: break
        case .message(let channel, let payload, let isText):
            handle(.message(name, label: channel.label, payload: payload, isText: isText))
        }
    }

    /// Whoever is kicked, or whose room is destroyed, loses the media as well, and perhaps hears that first.
    private func closedByPeer(_ name: JanusRoomSession.Peer) {
        guard phase != .leaving else { return }
        guard name == .media else {
            return handle(.peerFailed(name, .serverVanished("the server closed the chat's connection")))
        }
        mediaClosedAt = HostClock.now()
        perform()
    }
}
