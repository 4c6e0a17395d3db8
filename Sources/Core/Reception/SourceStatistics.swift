import MediaTypes
import RTP

/// The figures that receiver reports need of one source (RFC 3550 appendices A.3 and A.8).
struct SourceStatistics: Sendable {
    let clockRate: Int
    private var first: Int64?
    private var highest: Int64 = 0
    private var received: Int64 = 0
    private var expectedBefore: Int64 = 0
    private var receivedBefore: Int64 = 0
    private var transit: Int64?
    /// In timestamp units.
    private var jitterTicks = 0.0
    private var senderReport: (middle: UInt32, arrival: MonotonicTime)?
    private(set) var fractionLost: UInt8 = 0

    init(clockRate: Int) { self.clockRate = max(1, clockRate) }

    var hasSenderReport: Bool { senderReport != nil }
    var cumulativeLost: Int64 { first.map { highest &- $0 &+ 1 &- received } ?? 0 }
    var jitter: Duration { .nanoseconds(Int64(jitterTicks * 1e9 / Double(clockRate))) }

    /// - Parameter isRetransmission: came on request; says nothing about the jitter.
    mutating func packetArrived(
        _ number: ExtendedSequenceNumber, timestamp: UInt32, isRetransmission: Bool, at now: MonotonicTime
    ) {
        received &+= 1
        if first == nil {
            first = number.value
            highest = number.value
        }
        highest = max(highest, number.value)
        if isRetransmission { return }
        // Only differences of transit matter, so both sides may wrap at 32 bits.
        let arrival = ticks(now)
        let transit = Int64(Int32(truncatingIfNeeded: arrival &- Int64(timestamp)))
        if let before = self.transit {
            let difference = Double(abs(Int64(Int32(truncatingIfNeeded: transit &- before))))
            jitterTicks += (difference - jitterTicks) / 16
        }
        self.transit = transit
    }

    mutating func senderReportArrived(_ ntpTime: NTPTime, at now: MonotonicTime) {
        senderReport = (ntpTime.middle, now)
    }

    /// - Parameter closesInterval: whether the share of lost packets is reckoned from here on anew.
    mutating func reportBlock(
        ssrc: SSRC, at now: MonotonicTime, closesInterval: Bool, reportedDelay: ReportedDelay?
    ) -> ReportBlock {
        if closesInterval, let first {
            let expected = highest &- first &+ 1
            let expectedNow = expected &- expectedBefore
            let lostNow = expectedNow &- (received &- receivedBefore)
            fractionLost = expectedNow > 0 && lostNow > 0 ? UInt8(clamping: lostNow * 256 / expectedNow) : 0
            expectedBefore = expected
            receivedBefore = received
        }
        let delay = senderReport.map { max(.zero, now - $0.arrival) } ?? .zero
        return ReportBlock(
            ssrc: ssrc, fractionLost: fractionLost, cumulativeLost: Int32(clamping: cumulativeLost),
            highestSequenceNumber: UInt32(truncatingIfNeeded: highest), jitter: UInt32(clamping: Int64(jitterTicks)),
            lastSenderReport: reportedDelay?.lastSenderReport(senderReport?.middle, at: now) ?? senderReport?.middle
                ?? 0,
            delaySinceLastSenderReport: delay.reportUnits)
    }

    private func ticks(_ time: MonotonicTime) -> Int64 {
        let rate = Int64(clockRate)
        return time.nanoseconds / 1_000_000_000 &* rate &+ time.nanoseconds % 1_000_000_000 &* rate / 1_000_000_000
    }
}
