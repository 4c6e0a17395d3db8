import MediaTypes
import RTP

/// Decides which missing packets to ask for again, and when (RFC 4585 section 6.2.1).
///
/// A packet is first asked for as soon as it can hardly be just out of order: 10 ms after the gap was seen, or when a
/// packet three numbers ahead of it has come. It is asked for again at growing intervals that begin a little above the
/// round trip time, ten times at most.
struct NACKGenerator: Sendable {
    private struct Missing {
        var number: Int64
        var due: MonotonicTime
        var requests = 0
        var lastRequest: MonotonicTime?
        var requestBefore: MonotonicTime?
    }

    static let reorderingTime = Duration.milliseconds(10)
    static let reorderingDistance: Int64 = 3
    static let mostRequests = 10
    /// After so many requests, about 250 ms at a round trip of 100 ms, a packet is probably gone for good.
    static let hopefulRequests = 3
    /// More missing packets than this are not worth asking for: a link that loses so much must not be loaded more.
    static let mostMissing = 1000

    /// In ascending order of number.
    private var missing: [Missing] = []
    private(set) var nextDeadline: MonotonicTime?
    /// Smoothed time from a request to its answer.
    private(set) var roundTripTime: Duration?

    mutating func notice(missing numbers: Range<Int64>, at now: MonotonicTime) {
        let fresh = numbers.suffix(Self.mostMissing).map { Missing(number: $0, due: now + Self.reorderingTime) }
        // Nearly always behind all others; before them only among the first packets of a source.
        missing.insert(contentsOf: fresh, at: missing.partitioningIndex { $0.number >= numbers.lowerBound })
        if missing.count > Self.mostMissing { missing.removeFirst(missing.count - Self.mostMissing) }
        updateDeadline()
    }

    /// Takes note that a packet came. Returns whether it had been asked for.
    mutating func packetArrived(_ number: Int64, at now: MonotonicTime) -> Bool {
        if missing.isEmpty { return false }
        var wasRequested = false
        let position = missing.partitioningIndex { $0.number >= number }
        if position < missing.count, missing[position].number == number {
            let entry = missing.remove(at: position)
            wasRequested = entry.requests > 0
            measureRoundTrip(entry, at: now)
        }
        for index in missing.indices {
            if missing[index].number > number - Self.reorderingDistance { break }
            if missing[index].requests == 0, missing[index].due > now { missing[index].due = now }
        }
        updateDeadline()
        return wasRequested
    }

    /// The last of the packets that were asked for again and again in vain, so that they will hardly come.
    var lastHopeless: Int64? { missing.last { $0.requests >= Self.hopefulRequests }?.number }

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
        guard let nextDeadline, nextDeadline <= now else { return [] }
        // Requests that are nearly due go along.
        let horizon = now + .milliseconds(5)
        var numbers: [SequenceNumber] = []
        for index in missing.indices where missing[index].due <= (missing[index].requests == 0 ? now : horizon) {
            numbers.append(ExtendedSequenceNumber(missing[index].number).wire)
            missing[index].requestBefore = missing[index].lastRequest
            missing[index].lastRequest = now
            missing[index].requests += 1
            missing[index].due = now + interval(afterRequests: missing[index].requests)
        }
        missing.removeAll { $0.requests >= Self.mostRequests && $0.due <= now }
        updateDeadline()
        return numbers
    }

    /// Twice about the round trip time, then half as much again each time.
    private func interval(afterRequests count: Int) -> Duration {
        var interval = roundTripTime.map { max($0 * 1.25, .milliseconds(20)) } ?? .milliseconds(100)
        for _ in 2..<max(3, count) { interval = interval * 1.5 }
        return min(interval, .milliseconds(500))
    }

    /// The answer belongs to the last request, unless it came too soon after it for that.
    private mutating func measureRoundTrip(_ entry: Missing, at now: MonotonicTime) {
        guard let last = entry.lastRequest else { return }
        let tooSoon = (roundTripTime ?? .milliseconds(40)) / 2
        let request = now - last < tooSoon ? entry.requestBefore ?? last : last
        let sample = min(max(now - request, .milliseconds(1)), .seconds(1))
        roundTripTime = roundTripTime.map { $0 + (sample - $0) / 8 } ?? sample
    }

    private mutating func updateDeadline() {
        var earliest: MonotonicTime?
        for entry in missing where entry.requests < Self.mostRequests {
            if earliest.map({ entry.due < $0 }) ?? true { earliest = entry.due }
        }
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
