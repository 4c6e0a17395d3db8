package import MediaTypes
package import RoomProtocol

/// Keeps a recording's connection to its room: notices that the room is not heard any more, has it joined once more, and says
/// when that is given up. Pure: what was heard and time in, actions out.
///
/// A cut network usually heals by itself: media flows again as soon as there is a way, and the signalling's TCP delivers late
/// what it could not at once. So the stay in the room is kept for as long as it stands, and another one, its successor, is only
/// tried beside it when the room has not been heard for long. Whichever of the two is heard first goes on.
package struct Reconnection: Sendable {
    package enum Input: Sendable {
        /// The room was heard last at this moment, and (after a silence) first at that.
        case heard(last: MonotonicTime, first: MonotonicTime)
        /// The stay in the room ended.
        case stayEnded(RoomEnd)
        /// The successor is in the room.
        case successorJoined
        /// The successor did not get into the room, or not to stay.
        case successorEnded(RoomEnd)
    }

    package enum Output: Hashable, Sendable {
        case changed(ConnectionState)
        /// Begin another stay beside the one there is, if there still is one.
        case begin
        /// The successor is the stay from now on; the one before, if there still is one, ends.
        case succeed
        /// The successor is not needed: the stay goes on.
        case dismiss
        /// Nothing of the room could be had in between.
        case gap(from: MonotonicTime, to: MonotonicTime)
        /// The room is lost for good, after it was tried to come back for so long; nil when that was not tried.
        case giveUp(RoomEnd, after: Duration?)
    }

    /// Agora's times, which the apps' users know.
    package static let interruptionTime = Duration.seconds(4)
    package static let lossTime = Duration.seconds(10)
    /// How long after the last attempt another one begins; the last is for all others.
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]
    /// An attempt that takes longer is one into a network that is still cut, and would be answered late. The second and the
    /// third may take twice and three times as long, for the sake of slow networks.
    private static let attemptPatience = Duration.seconds(5)

    private struct Break {
        /// When the room was heard last.
        let since: MonotonicTime
        /// Why the stay ended; nil while there is one.
        var end: RoomEnd?
        var told: ConnectionState?
        var attempt = Attempt.none
        var attempts = 0
    }

    private enum Attempt: Equatable {
        /// None yet, and none is due. Next: due.
        case none
        case due(MonotonicTime)
        /// Next: due, or the break is over.
        case underWay(until: MonotonicTime)
    }

    private enum State {
        case steady(lastHeard: MonotonicTime)
        case broken(Break)
        /// Given up.
        case over
    }

    private let window: Duration?
    private var state: State
    private var outputs = OutputQueue<Output>()

    /// - Parameters:
    ///   - window: how long a break may last; nil when the first is the end.
    ///   - joined: when the room was joined.
    package init(window: Duration?, joined: MonotonicTime) {
        self.window = window
        state = .steady(lastHeard: joined)
    }

    package mutating func nextOutput() -> Output? { outputs.next() }

    /// When the room was heard last, as long as it is not heard; nil while it is.
    package var brokenSince: MonotonicTime? { if case .broken(let broken) = state { broken.since } else { nil } }

    package var nextDeadline: MonotonicTime? {
        switch state {
        case .steady(let lastHeard): lastHeard + Self.interruptionTime
        case .broken(let broken): deadline(of: broken)
        case .over: nil
        }
    }

    package mutating func handle(_ input: Input, at now: MonotonicTime) {
        switch (state, input) {
        case (.steady(let before), .heard(let last, _)):
            state = .steady(lastHeard: max(before, last))
        case (.steady(let since), .stayEnded(let end)):
            guard window != nil, end.isRecoverable else { return giveUp(end) }
            state = .broken(Break(since: since, end: end, attempt: .due(now)))
            wake(at: now)
        case (.broken(let broken), .heard(let last, let first)):
            // What the ended stay said last counts no more.
            guard last > broken.since, broken.end == nil else { return }
            if case .underWay = broken.attempt { outputs.append(.dismiss) }
            mend(broken, first: first, last: last)
        case (.broken(var broken), .stayEnded(let end)):
            guard end.isRecoverable else { return giveUp(end) }
            broken.end = end
            if case .none = broken.attempt { broken.attempt = .due(now) }
            state = .broken(broken)
            wake(at: now)
        case (.broken(let broken), .successorJoined):
            outputs.append(.succeed)
            mend(broken, first: now, last: now)
        case (.broken(var broken), .successorEnded):
            guard case .underWay = broken.attempt else { return }
            retry(&broken, at: now)
            state = .broken(broken)
        case (.over, _), (.steady, .successorJoined), (.steady, .successorEnded): break
        }
    }

    package mutating func wake(at now: MonotonicTime) {
        if case .steady(let lastHeard) = state, now >= lastHeard + Self.interruptionTime {
            state = .broken(Break(since: lastHeard))
        }
        guard case .broken(var broken) = state else { return }
        let silence = now - broken.since
        if silence >= Self.interruptionTime, broken.told == nil { tell(.interrupted, &broken) }
        if silence >= Self.lossTime, broken.told != .lost { tell(.lost, &broken) }
        if silence >= window ?? Self.lossTime {
            return giveUp(
                broken.end ?? .serverVanished("nothing was heard of it for \(Int(silence.seconds)) s"), after: window)
        }
        if window != nil, broken.told != nil, case .none = broken.attempt { broken.attempt = .due(now) }
        switch broken.attempt {
        case .due(let due) where due <= now:
            outputs.append(.begin)
            broken.attempts += 1
            broken.attempt = .underWay(until: now + Self.attemptPatience * min(broken.attempts, 3))
        case .underWay(let until) where until <= now:
            outputs.append(.dismiss)
            retry(&broken, at: now)
        default: break
        }
        state = .broken(broken)
    }

    private func deadline(of broken: Break) -> MonotonicTime? {
        let news: Duration? =
            switch broken.told {
            case nil: Self.interruptionTime
            case .interrupted: Self.lossTime
            case .lost, .restored: nil
            }
        let attempt: MonotonicTime? =
            switch broken.attempt {
            case .none: nil
            case .due(let due): due
            case .underWay(let until): until
            }
        return earliest(earliest(news.map { broken.since + $0 }, attempt), broken.since + (window ?? Self.lossTime))
    }

    private mutating func tell(_ news: ConnectionState, _ broken: inout Break) {
        broken.told = news
        outputs.append(.changed(news))
    }

    private mutating func retry(_ broken: inout Break, at now: MonotonicTime) {
        let pause = Self.pauses[min(broken.attempts, Self.pauses.count) - 1]
        broken.attempt = .due(now + pause)
    }

    private mutating func mend(_ broken: Break, first: MonotonicTime, last: MonotonicTime) {
        outputs.append(.gap(from: broken.since, to: max(first, broken.since)))
        if broken.told != nil { outputs.append(.changed(.restored)) }
        state = .steady(lastHeard: last)
    }

    private mutating func giveUp(_ end: RoomEnd, after time: Duration? = nil) {
        if case .broken(let broken) = state, case .underWay = broken.attempt { outputs.append(.dismiss) }
        state = .over
        outputs.append(.giveUp(end, after: time))
    }
}

extension RoomEnd {
    /// Whether it may be another time: that nobody decided it.
    package var isRecoverable: Bool {
        switch self {
        case .serverVanished, .iceFailed, .dtlsFailed, .unreachable: true
        // The server is there, and wants no bot.
        case .left, .kicked, .roomDestroyed, .refused, .tlsFailed, .notJanus: false
        }
    }
}
