import MediaTypes
import RTP

/// Collects when packets of a transport came and tells the sender ten times a second, so that it can estimate the
/// bandwidth (draft-holmer-rmcat-transport-wide-cc-extensions-01).
struct TransportFeedbackGenerator: Sendable {
    static let interval = Duration.milliseconds(100)
    /// Numbers further apart than this are not told in one packet.
    private static let longestRun: Int64 = 1000

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

        var packets: [TransportFeedback] = []
        var open: (feedback: TransportFeedback, next: Int64, tick: Int64)?
        func close() {
            guard let done = open else { return }
            packets.append(done.feedback)
            open = nil
        }
        for (number, tick) in arrived {
            if let last = open, number < last.next { continue }  // a duplicate
            if let last = open,
                number - last.next > Self.longestRun || Int16(exactly: tick - last.tick) == nil
                    || (number >= next ?? .min) != (last.next > next ?? .min)
            {
                close()
            }
            if open == nil {
                let reference = tick / TransportFeedback.ticksPerReference
                // What is missing since the last time is told, too, unless the numbers jumped.
                let base = next.map { number >= $0 && number - $0 <= Self.longestRun ? $0 : number } ?? number
                open = (
                    TransportFeedback(
                        sender: sender, source: source,
                        base: ExtendedSequenceNumber(base).wire, feedbackCount: feedbackCount,
                        referenceTime: (Int32(truncatingIfNeeded: reference) << 8) >> 8, arrivals: []),
                    base, reference * TransportFeedback.ticksPerReference
                )
                feedbackCount &+= 1
            }
            if var run = open {
                run.feedback.arrivals += repeatElement(nil, count: Int(number - run.next))
                run.feedback.arrivals.append(Int16(clamping: tick - run.tick))
                (run.next, run.tick) = (number + 1, tick)
                open = run
                if number >= next ?? .min { next = number + 1 }
            }
        }
        close()
        return packets
    }
}
