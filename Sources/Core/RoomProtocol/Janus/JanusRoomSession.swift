import JSON
package import MediaTypes
package import SDP

/// One stay in a Janus room, from the open connection to the leave: it says what to send, learns what happens, keeps the
/// subscription to all that can be recorded, and follows the chat. It opens no connection, and no peer connection: both
/// are asked for and reported by values.
///
/// The bot enters as a publisher who publishes nothing: such a one hears the room and does not count against its limit.
///
/// Ends with exactly one `ended`, after which nothing follows. To join again, start with a new session.
package struct JanusRoomSession: Sendable {
    /// The two peer connections of a stay.
    package enum Peer: String, Hashable, Sendable {
        /// The VideoRoom subscription: all tracks, and the participants' data channels.
        case media
        /// The TextRoom: the chat.
        case text
    }

    package enum Input: Sendable {
        /// The WebSocket is open, with the subprotocol `janus-protocol`.
        case connected
        case received(text: String)
        /// The WebSocket is closed.
        case disconnected(reason: String)
        /// The answer to the offer that was to be applied last.
        case localDescription(Peer, sdp: String)
        /// A candidate of ours (`candidate:…`); nil when there are no more.
        case localCandidate(Peer, mid: String, mLineIndex: Int, candidate: String?)
        /// DTLS is done.
        case peerConnected(Peer)
        case peerFailed(Peer, RoomEnd)
        case channelOpened(Peer, label: String)
        case message(Peer, label: String, payload: [UInt8], isText: Bool)
        case leave
    }

    package enum Output: Hashable, Sendable {
        /// To be sent as one text message on the WebSocket.
        case send(text: String)
        /// To be answered with `localDescription`. The tracks that it brings have started already.
        case applyOffer(Peer, SessionDescription)
        case addCandidate(Peer, line: String, mid: String?)
        case openChannel(Peer, label: String)
        case sendMessage(Peer, label: String, text: String)
        case closePeer(Peer)
        case event(RoomEvent)
        case ended(RoomEnd)
    }

    enum State: Hashable {
        /// Nothing is sent yet. Next: creating.
        case unconnected
        /// A session was asked for. Next: attaching.
        case creating
        /// A handle to the VideoRoom was asked for. Next: joining.
        case attaching(session: UInt64)
        /// Next: joined.
        case joining(session: UInt64, handle: UInt64)
        /// The bot is in the room. Next: leaving.
        case joined(session: UInt64, handle: UInt64)
        /// Leave and destroy are sent. Next: ended, at this moment at the latest.
        case leaving(session: UInt64, until: MonotonicTime)
        case ended

        var session: UInt64? {
            switch self {
            case .unconnected, .creating, .ended: nil
            case .attaching(let session), .joining(let session, _), .joined(let session, _), .leaving(let session, _):
                session
            }
        }
        var handle: UInt64? {
            switch self {
            case .joining(_, let handle), .joined(_, let handle): handle
            case .unconnected, .creating, .attaching, .leaving, .ended: nil
            }
        }
    }

    var configuration: JanusRoomConfiguration
    var state = State.unconnected
    var roster = JanusRoster()
    var subscription: JanusSubscription
    var textRoom: JanusTextRoom
    var requests: JanusRequests
    /// The id that goes with the bot's own, to be shown when subscribing.
    var privateID: JSONValue?
    private var outputs = OutputQueue<Output>()

    /// The generator names the transactions and the bot's name in the chat.
    package init(_ configuration: JanusRoomConfiguration, using generator: inout some RandomNumberGenerator) {
        self.configuration = configuration
        subscription = JanusSubscription(firstTrack: configuration.firstTrack)
        requests = JanusRequests(configuration, prefix: UInt32.random(in: .min ... .max, using: &generator))
        textRoom = JanusTextRoom(suffix: UInt32.random(in: .min ... .max, using: &generator))
    }

    package mutating func nextOutput() -> Output? { outputs.next() }

    package var nextDeadline: MonotonicTime? {
        switch state {
        case .unconnected, .ended: nil
        case .leaving(_, let until): until
        case .creating, .attaching, .joining, .joined:
            [requests.nextDeadline, textRoom.deadline, textRoom.nextAttempt].compactMap { $0 }.min()
        }
    }

    package mutating func handle(_ input: Input, at now: MonotonicTime) {
        guard state != .ended else { return }
        switch input {
        case .connected:
            guard state == .unconnected else { return }
            state = .creating
            request("create", for: .create, at: now)
        case .received(let text): receive(text, at: now)
        case .disconnected(let reason):
            if case .leaving = state { end(.left) } else { end(.serverVanished(reason)) }
        case .localDescription(let peer, let sdp): sendAnswer(peer, sdp, at: now)
        case .localCandidate(let peer, let mid, let mLineIndex, let candidate):
            sendCandidate(peer, mid, mLineIndex, candidate, at: now)
        case .peerConnected(.media): mediaConnected(at: now)
        case .channelOpened(.media, _): break
        case .peerConnected(.text): textPeerConnected(at: now)
        case .channelOpened(.text, let label): textChannelOpened(label, at: now)
        case .peerFailed(.media, let end): finish(end, at: now)
        case .peerFailed(.text, let end): loseText("the chat's connection failed: \(end.reason)", at: now)
        case .message(.media, let label, let payload, let isText): receiveData(label, payload, isText: isText)
        case .message(.text, _, let payload, _): receiveText(payload, at: now)
        case .leave: leave(at: now)
        }
    }

    package mutating func wake(at now: MonotonicTime) {
        switch state {
        case .unconnected, .ended: return
        case .leaving(_, let until): if now >= until { end(.left) }
        case .creating, .attaching, .joining, .joined:
            if let late = requests.takeLate(at: now) {
                if late.isAboutText {
                    loseText("the server did not answer in time", at: now)
                } else {
                    let patience = isStaying ? configuration.stayTimeout : configuration.requestTimeout
                    end(.serverVanished("the server did not answer within \(Int(patience.seconds)) s"))
                }
            } else if let deadline = textRoom.deadline, now >= deadline {
                loseText("the chat could not be reached in time", at: now)
            } else if let next = textRoom.nextAttempt, now >= next {
                textRoom.attemptAgain()
                attachText(at: now)
            } else if requests.isKeepaliveDue(at: now), state.session != nil {
                request("keepalive", for: .keepalive, at: now)
            }
        }
    }

    /// Whether the bot is in the room.
    var isStaying: Bool { if case .joined = state { true } else { false } }

    /// Nothing has been heard for a while: asks for a sign of life, unless an answer is due anyway.
    package mutating func probe(at now: MonotonicTime) {
        if isStaying, !requests.isWaiting { request("keepalive", for: .keepalive, at: now) }
    }

    /// Asks for a layer of a simulcast track, 0 being the lowest; nil leaves it as it is. Without being asked the server
    /// sends the highest.
    package mutating func requestLayer(_ track: TrackID, spatial: Int?, temporal: Int?, at now: MonotonicTime) {
        guard let section = subscription.tracks.first(where: { $0.value.id == track })?.key,
            let handle = subscription.state.handle, state.handle != nil
        else { return }
        var stream: JSONValue = ["mid": .string(section.value)]
        if let spatial { stream["substream"] = JSONValue(spatial) }
        if let temporal { stream["temporal"] = JSONValue(temporal) }
        message(["request": "configure", "streams": [stream]], to: handle, for: .configure, at: now)
    }

    mutating func emit(_ output: Output) { outputs.append(output) }
    mutating func emit(_ event: RoomEvent) { outputs.append(.event(event)) }

    /// Ends the stay at once. What flowed has ended, too.
    mutating func end(_ end: RoomEnd) {
        guard state != .ended else { return }
        endTracks { _ in true }
        if subscription.state.handle != nil { emit(.closePeer(.media)) }
        if textRoom.hasPeer { emit(.closePeer(.text)) }
        state = .ended
        emit(.ended(end))
    }

    /// Ends the stay at once, and tells the server, who need not wait for us.
    mutating func finish(_ reason: RoomEnd, at now: MonotonicTime) {
        if state.session != nil { request("destroy", for: .destroy, at: now) }
        end(reason)
    }

    private mutating func leave(at now: MonotonicTime) {
        if case .leaving = state { return }
        guard let session = state.session else { return end(.left) }
        if let handle = state.handle { message(["request": "leave"], to: handle, for: .leave, at: now) }
        request("destroy", for: .destroy, at: now)
        state = .leaving(session: session, until: now + .seconds(1))
    }
}

extension RoomEnd {
    /// The words that came with it.
    var reason: String {
        switch self {
        case .left: "left"
        case .kicked: "kicked"
        case .roomDestroyed: "the room was destroyed"
        case .refused(_, let message): message
        case .unreachable(let reason), .tlsFailed(let reason), .serverVanished(let reason), .iceFailed(let reason),
            .dtlsFailed(let reason), .notJanus(let reason):
            reason
        }
    }
}
