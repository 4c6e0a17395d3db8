import MediaTypes
import RTP

/// Decides which missing packets to ask for again, and when (RFC 4585 section 6.2.1).
///
/// A packet is first asked for when it can hardly be just overtaken by others, which depends on how much they overtake each
/// other here. It is asked for again at growing intervals that begin a little above the round trip time.
struct NACKGenerator: Sendable {
    /// How a packet came.
    enum Arrival {
        case original
        /// In answer to a request, as the payload type says (RFC 4588).
        case retransmission
        /// Where retransmissions look like originals.
        case either
    }

    private struct Missing {
        var number: Int64
        var noticed: MonotonicTime
        var due: MonotonicTime
        var requests = 0
        var firstRequest: MonotonicTime?
        var lastRequest: MonotonicTime?
        /// Whether it is known to be hardly coming any more.
        var isMourned = false
    }

    /// The bounds of `reorderingTime`.
    static let reorderingTimes = Duration.milliseconds(10)...Duration.milliseconds(60)
    static let mostRequests = 12
    /// After so many requests, two and a half round trips, a packet is probably gone for good; after so long, too, if an
    /// answer to the first one is overdue.
    static let hopefulRequests = 3
    static let hopefulTime = Duration.milliseconds(280)
    /// Where nothing can be asked for, a packet this late is gone.
    static let silentTime = Duration.milliseconds(100)
    /// More missing packets than this are not worth asking for: a link that loses so much must not be loaded more.
    static let mostMissing = 1000

    /// In ascending order of number.
    private var missing: [Missing] = []
    private(set) var nextDeadline: MonotonicTime?
    /// Whether the sender does not answer requests: it is only kept account of what is missing.
    var isSilent = false
    /// Smoothed time from a request to its answer.
    private(set) var roundTripTime: Duration?
    /// The shortest time in which a single request was answered lately, and when one was last.
    private var answered: (shortest: Duration, at: MonotonicTime)?
    private static let answerMemory = Duration.seconds(60)
    /// How long a packet may only be overtaken: a little more than was seen lately.
    private(set) var reorderingTime = reorderingTimes.lowerBound

    mutating func notice(missing numbers: Range<Int64>, at now: MonotonicTime) {
        let fresh = numbers.suffix(Self.mostMissing).map {
            Missing(number: $0, noticed: now, due: now + reorderingTime)
        }
        // Nearly always behind all others; before them only among the first packets of a source.
        missing.insert(contentsOf: fresh, at: missing.partitioningIndex { $0.number >= numbers.lowerBound })
        if missing.count > Self.mostMissing { missing.removeFirst(missing.count - Self.mostMissing) }
        updateDeadline()
    }

    /// Takes note that a packet came.
    /// - Returns: whether it is the answer to a request.
    mutating func packetArrived(_ number: Int64, as arrival: Arrival, at now: MonotonicTime) -> Bool {
        if missing.isEmpty { return false }
        let position = missing.partitioningIndex { $0.number >= number }
        guard position < missing.count, missing[position].number == number else { return false }
        let entry = missing.remove(at: position)
        updateDeadline()
        let isAnswer = isAnswer(entry, arrival, at: now)
        if isAnswer { measureRoundTrip(entry, at: now) } else { measureReordering(now - entry.noticed) }
        return isAnswer
    }

    /// The last of the packets that were asked for in vain, so that they will hardly come, if there are any that were not
    /// told of yet.
    mutating func newHopeless(at now: MonotonicTime) -> Int64? {
        var last: Int64?
        for index in missing.indices where !missing[index].isMourned && hopelessTime(of: missing[index]) <= now {
            missing[index].isMourned = true
            last = missing[index].number
        }
        if last != nil { updateDeadline() }
        return last
    }

    private func hopelessTime(of entry: Missing) -> MonotonicTime {
        if isSilent { return entry.noticed + Self.silentTime }
        guard let first = entry.firstRequest else { return MonotonicTime(nanoseconds: .max) }
        if entry.requests >= Self.hopefulRequests { return first }
        return max(entry.noticed + Self.hopefulTime, first + interval(afterRequests: 1))
    }

    /// What is before this number is done with.
    mutating func giveUp(before number: Int64) {
        guard let first = missing.first, first.number < number else { return }
        missing.removeFirst(missing.partitioningIndex { $0.number >= number })
        updateDeadline()
    }

    mutating func restart() {
        missing.removeAll(keepingCapacity: true)
        nextDeadline = nil
    }

    /// The packets to be asked for now, in order; counted as asked for.
    mutating func requests(at now: MonotonicTime) -> [SequenceNumber] {
        guard !isSilent, let nextDeadline, nextDeadline <= now else { return [] }
        // Requests that are nearly due go along.
        let horizon = now + .milliseconds(5)
        var numbers: [SequenceNumber] = []
        for index in missing.indices where missing[index].due <= (missing[index].requests == 0 ? now : horizon) {
            numbers.append(ExtendedSequenceNumber(missing[index].number).wire)
            if missing[index].firstRequest == nil { missing[index].firstRequest = now }
            missing[index].lastRequest = now
            missing[index].requests += 1
            missing[index].due = now + interval(afterRequests: missing[index].requests)
        }
        missing.removeAll { $0.requests >= Self.mostRequests && $0.due <= now && $0.isMourned }
        updateDeadline()
        return numbers
    }

    /// A little more than the round trip time twice, then half as much again each time.
    private func interval(afterRequests count: Int) -> Duration {
        var interval = roundTripTime.map { max($0 * 1.25, .milliseconds(20)) } ?? .milliseconds(60)
        for _ in 2..<max(2, count) { interval = interval * 1.5 }
        return min(interval, .milliseconds(500))
    }

    private func isAnswer(_ entry: Missing, _ arrival: Arrival, at now: MonotonicTime) -> Bool {
        guard let first = entry.firstRequest else { return false }
        switch arrival {
        case .original: return false
        case .retransmission: return true
        // Too soon after the request for an answer to it.
        case .either: return now - first >= (roundTripTime ?? .milliseconds(10)) / 2
        }
    }

    /// To which of several requests the answer belongs cannot be told (Karn's algorithm, RFC 6298 section 3). Either one was
    /// lost, or the time is taken for too short, which goes on until it has grown; but as long as single requests are
    /// answered, it is not.
    private mutating func measureRoundTrip(_ entry: Missing, at now: MonotonicTime) {
        guard let first = entry.firstRequest else { return }
        let sample = min(max(now - first, .milliseconds(1)), .seconds(1))
        var longest = Duration.seconds(1)
        if let last = answered, now - last.at < Self.answerMemory { longest = last.shortest * 1.5 }
        if entry.requests == 1 {
            // The first of which it is certain what it answers.
            if answered == nil { roundTripTime = sample }
            let isRecent = answered.map { now - $0.at < Self.answerMemory } ?? false
            answered = (isRecent ? min(sample, answered?.shortest ?? sample) : sample, now)
        }
        guard let before = roundTripTime else {
            // What is too short will grow; what is too long would let no answer look like one.
            return roundTripTime = min(max(now - (entry.lastRequest ?? first), .milliseconds(1)), .seconds(1))
        }
        roundTripTime = entry.requests == 1 ? before + (sample - before) / 8 : max(before, min(before * 1.1, longest))
    }

    /// Grows at once with a packet that came later than any before, and shrinks slowly.
    private mutating func measureReordering(_ lateness: Duration) {
        let time = max(lateness * 1.25, reorderingTime * 0.98)
        reorderingTime = min(max(time, Self.reorderingTimes.lowerBound), Self.reorderingTimes.upperBound)
    }

    private mutating func updateDeadline() {
        var earliest: MonotonicTime?
        for entry in missing {
            var due = entry.requests < Self.mostRequests && !isSilent ? entry.due : MonotonicTime(nanoseconds: .max)
            if !entry.isMourned { due = min(due, hopelessTime(of: entry)) }
            if earliest.map({ due < $0 }) ?? true { earliest = due }
        }
        if earliest?.nanoseconds == .max { earliest = nil }
        nextDeadline = earliest
    }
}

extension Array {
    /// The first index whose element satisfies `predicate`, when all that do are at the end.
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
