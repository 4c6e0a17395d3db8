import MediaTypes

/// Decides when to ask the sender of a picture for a keyframe. One request is out at a time; while none is answered, it
/// is repeated, at first sooner than later on.
struct KeyframeRequester: Sendable {
    private enum State {
        /// The picture is whole, or nothing has come yet.
        case satisfied
        /// A keyframe is wanted, and will be asked for at `due`.
        case wanted(due: MonotonicTime)
        /// It was asked for; if none comes until `again`, it is asked for once more.
        case requested(again: MonotonicTime, requests: Int)
    }

    /// Two requests are never closer than this: some senders drop what comes sooner.
    static let shortestInterval = Duration.milliseconds(500)
    /// How long the second, third … request waits for its answer; the last one is for all others.
    static let patience: [Duration] = [.seconds(1), .seconds(1), .seconds(2)]

    private var state = State.satisfied
    private var lastRequest: MonotonicTime?

    var nextDeadline: MonotonicTime? {
        switch state {
        case .satisfied: nil
        case .wanted(let due): due
        case .requested(let again, _): again
        }
    }

    /// A keyframe is wanted: asked for after `delay`, unless one comes before.
    mutating func want(at now: MonotonicTime, delay: Duration = .zero) {
        guard case .satisfied = state else { return }
        let earliest = lastRequest.map { $0 + Self.shortestInterval } ?? now
        state = .wanted(due: max(now + delay, earliest))
    }

    /// The picture has broken once more: the keyframe that was asked for last has come too early, or broken itself.
    mutating func wantAnother(at now: MonotonicTime) {
        if case .requested(let again, let requests) = state, let lastRequest {
            state = .requested(again: min(again, max(now, lastRequest + Self.shortestInterval)), requests: requests)
        } else {
            want(at: now)
        }
    }

    /// One begins to come, or none is wanted any more.
    mutating func satisfy() { state = .satisfied }

    /// Whether to ask now; counted as asked.
    /// - Parameter lastPacket: when the source was last heard. It is not asked twice when it has fallen silent between.
    mutating func shouldRequest(at now: MonotonicTime, lastPacket: MonotonicTime?) -> Bool {
        switch state {
        case .satisfied:
            return false
        case .wanted(let due):
            guard due <= now else { return false }
            state = .requested(again: now + Self.shortestInterval, requests: 1)
        case .requested(let again, let requests):
            guard again <= now else { return false }
            let patience = Self.patience[min(requests, Self.patience.count) - 1]
            if let lastRequest, let lastPacket, lastPacket <= lastRequest {
                state = .requested(again: now + patience, requests: requests)
                return false
            }
            state = .requested(again: now + patience, requests: requests + 1)
        }
        lastRequest = now
        return true
    }
}
