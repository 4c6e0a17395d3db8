package import MediaTypes
package import RoomProtocol

/// Decides when a recording begins and when and why it ends. Pure: events and time in, actions out. Of breaks of the connection
/// it hears only when one is final: see `Reconnection`.
package struct RecordingMachine {
    /// What ends a recording by itself. Nil: never.
    package struct Limits: Sendable {
        package var duration: Duration?
        /// How long the room may be empty (nobody but the bot) before the recording ends.
        package var emptyTimeout: Duration?
        /// How long published tracks may stay without any media, counted until the first frame of the recording.
        package var mediaTimeout: Duration?
        package init(duration: Duration? = nil, emptyTimeout: Duration? = nil, mediaTimeout: Duration? = nil) {
            self.duration = duration
            self.emptyTimeout = emptyTimeout
            self.mediaTimeout = mediaTimeout
        }
    }

    package enum Input: Sendable {
        case room(RoomEvent)
        /// - Parameter triedFor: how long it was tried to come back into the room; nil when that was not tried.
        case roomEnded(RoomEnd, triedFor: Duration? = nil)
        /// A frame of any track arrived.
        case media
        /// SIGINT or SIGTERM, by number.
        case stop(signal: Int32)
        case storageFailed(String)
        /// Fewer bytes are free than the reserve.
        case diskFull(free: Int64, reserve: Int64)
    }

    package enum Output: Hashable, Sendable {
        /// The bot is in the room: this moment is the timeline's origin.
        case begin
        case leaveRoom
        /// The recording is over; close the files. `at` is the end of the call.
        case finish(RecordingEnd, at: MonotonicTime)
        /// Asked to stop again: skip what can be done later.
        case hurry
    }

    /// How long what is under way may take to come, and the room to answer that the bot leaves.
    package static let leavePatience = Duration.seconds(3)

    private struct Call {
        let origin: MonotonicTime
        var bot: ParticipantID
        var people: Set<ParticipantID> = []
        /// Since when nobody but the bot is there; nil while somebody is.
        var emptySince: MonotonicTime?
        /// Since when a track has been subscribed to without a frame of any; nil before the first, and after a frame.
        var silentSince: MonotonicTime?
        var hasMedia = false
    }

    private enum State {
        /// Not in the room yet. Next: recording, leaving, ended.
        case joining
        /// In the room. Next: leaving, ended.
        case recording(Call)
        /// Told the room good-bye at `since`. Next: ended.
        case leaving(RecordingEnd, since: MonotonicTime)
        /// All said.
        case ended
    }

    private var limits: Limits
    private var state = State.joining
    private var outputs = OutputQueue<Output>()

    package init(limits: Limits) { self.limits = limits }

    /// Changes how long the recording may be, counted from now on where it has not begun.
    package mutating func limit(duration: Duration?) { limits.duration = duration }

    package mutating func nextOutput() -> Output? { outputs.next() }

    package mutating func handle(_ input: Input, at now: MonotonicTime) {
        switch (state, input) {
        case (.ended, .stop), (.leaving, .stop):
            outputs.append(.hurry)
        case (.ended, _):
            break
        case (.joining, .room(.joined(let bot, _))):
            state = .recording(Call(origin: now, bot: bot.id, emptySince: now))
            outputs.append(.begin)
        case (.recording(var call), .room(.joined(let bot, _))):
            call.bot = bot.id
            state = .recording(call)
        case (.recording(let call), .room(let event)):
            state = .recording(follow(event, in: call, at: now))
        case (.recording(var call), .media) where !call.hasMedia:
            call.hasMedia = true
            call.silentSince = nil
            state = .recording(call)
        case (.joining, .roomEnded(let end, let time)), (.recording, .roomEnded(let end, let time)):
            finish(time.map { .connectionLost(end, triedFor: $0) } ?? .room(end), at: now)
        case (.leaving(let end, let since), .roomEnded):
            finish(end, at: since)
        case (.joining, .stop(let signal)), (.recording, .stop(let signal)):
            leave(.stopped(signal: signal), at: now)
        case (.joining, .storageFailed(let reason)), (.recording, .storageFailed(let reason)):
            leave(.storageFailed(reason), at: now)
        case (.leaving, .diskFull):
            break
        case (_, .diskFull(let free, let reserve)):
            leave(.diskFull(free: free, reserve: reserve), at: now)
        case (.joining, .room), (.joining, .media), (.recording, .media),
            (.leaving, .room), (.leaving, .media), (.leaving, .storageFailed):
            break
        }
    }

    package mutating func wake(at now: MonotonicTime) {
        switch state {
        case .joining, .ended:
            break
        case .recording(let call):
            guard let due = deadline(of: call), due.time <= now else { return }
            // A deadline is the end itself, however late the wake-up: a recording of one hour lasts one hour.
            leave(due.end, at: due.time)
        case .leaving(let end, let since):
            if since + Self.leavePatience <= now { finish(end, at: since) }
        }
    }

    /// The end of the call, once it is decided: what is captured later is no part of it.
    package var end: MonotonicTime? {
        if case .leaving(_, let since) = state { since } else { nil }
    }

    package var nextDeadline: MonotonicTime? {
        switch state {
        case .joining, .ended: nil
        case .recording(let call): deadline(of: call)?.time
        case .leaving(_, let since): since + Self.leavePatience
        }
    }

    private mutating func leave(_ end: RecordingEnd, at now: MonotonicTime) {
        state = .leaving(end, since: now)
        outputs.append(.leaveRoom)
    }

    private mutating func finish(_ end: RecordingEnd, at now: MonotonicTime) {
        state = .ended
        outputs.append(.finish(end, at: now))
    }

    private func follow(_ event: RoomEvent, in call: Call, at now: MonotonicTime) -> Call {
        var call = call
        switch event {
        case .participantJoined(let participant) where participant.id != call.bot:
            call.people.insert(participant.id)
            call.emptySince = nil
        case .participantLeft(let id, _):
            call.people.remove(id)
            if call.people.isEmpty, call.emptySince == nil { call.emptySince = now }
        case .trackStarted where !call.hasMedia && call.silentSince == nil:
            call.silentSince = now
        default:
            break
        }
        return call
    }

    private func deadline(of call: Call) -> (time: MonotonicTime, end: RecordingEnd)? {
        var due: [(time: MonotonicTime, end: RecordingEnd)] = []
        if let duration = limits.duration { due.append((call.origin + duration, .durationReached)) }
        if let timeout = limits.emptyTimeout, let since = call.emptySince {
            due.append((since + timeout, .roomEmpty(timeout)))
        }
        if let timeout = limits.mediaTimeout, let since = call.silentSince {
            due.append((since + timeout, .noMedia(timeout)))
        }
        return due.min { $0.time < $1.time }
    }
}
