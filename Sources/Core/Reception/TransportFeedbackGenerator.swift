import MediaTypes
import RTP

/// Collects when packets of a transport came and tells the sender ten times a second, so that it can estimate the
/// bandwidth (draft-holmer-rmcat-transport-wide-cc-extensions-01).
struct TransportFeedbackGenerator: Sendable {
    static let interval = Duration.milliseconds(100)
    /// One packet tells of no more numbers than this, so that it fits a datagram.
    private static let longestRun: Int64 = 400

    private var unwrapper = SequenceUnwrapper()
    private var arrived: [(number: Int64, tick: Int64)] = []
    /// The number behind all that was told about.
    private var next: Int64?
    private var feedbackCount: UInt8 = 0
    private(set) var nextDeadline: MonotonicTime?

    mutating func packetArrived(_ number: SequenceNumber, at now: MonotonicTime) {
        let tick = now.nanoseconds / TransportFeedback.tick.nanoseconds
        arrived.append((unwrapper.unwrap(number).value, tick))
        if arrived.count >= Int(Self.longestRun) {
            nextDeadline = now
        } else if nextDeadline == nil {
            nextDeadline = now + Self.interval
        }
    }

    /// What is to be told now, if it is time.
    mutating func feedback(sender: SSRC, source: SSRC, at now: MonotonicTime) -> [TransportFeedback] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        self.nextDeadline = nil
        arrived.sort { $0.number < $1.number }
        defer { arrived.removeAll(keepingCapacity: true) }

        let told = next ?? arrived.first?.number ?? 0
        var runs: [Run] = []
        for (number, tick) in arrived {
            if let last = runs.last, number < last.next { continue }  // a duplicate
            if let last = runs.indices.last, runs[last].takes(number, tick, told: told) {
                runs[last].append(number, tick)
                continue
            }
            // What is missing since the last time is told, too, unless the numbers jumped.
            let isNext = number >= told && number - told < Self.longestRun && runs.last.map { $0.next <= told } ?? true
            var run = Run(base: isNext ? told : number, tick: tick)
            run.append(number, tick)
            runs.append(run)
        }
        next = max(told, runs.last?.next ?? told)
        return runs.map { run in
            defer { feedbackCount &+= 1 }
            return TransportFeedback(
                sender: sender, source: source, base: ExtendedSequenceNumber(run.base).wire,
                feedbackCount: feedbackCount,
                referenceTime: (Int32(truncatingIfNeeded: run.reference) << 8) >> 8, arrivals: run.arrivals)
        }
    }

    /// Arrivals that one packet can tell.
    private struct Run {
        let base: Int64
        /// In units of 64 ms.
        let reference: Int64
        var next: Int64
        var tick: Int64
        var arrivals: [Int16?] = []

        init(base: Int64, tick: Int64) {
            self.base = base
            next = base
            reference = tick / TransportFeedback.ticksPerReference
            self.tick = reference * TransportFeedback.ticksPerReference
        }

        /// Whether this arrival can be told along. Of numbers before `told`, which were told about already, only those in
        /// a row can: what is between them may have arrived.
        func takes(_ number: Int64, _ tick: Int64, told: Int64) -> Bool {
            guard Int16(exactly: tick - self.tick) != nil else { return false }
            return base < told ? number == next && number < told : number - base < longestRun
        }

        mutating func append(_ number: Int64, _ tick: Int64) {
            arrivals += repeatElement(nil, count: Int(number - next))
            arrivals.append(Int16(clamping: tick - self.tick))
            (next, self.tick) = (number + 1, tick)
        }
    }
}
