package import MediaTypes
package import RTP

/// Lets senders find the round trip longer than it is, so that they keep what they have sent for longer: some keep it for as
/// long as an answer takes, and not at all before they have measured that (RFC 3550 section 6.4.1).
///
/// A report gives back the time of the sender's last report as so much earlier. Before there was one it gives back what the
/// host's own clock says, which is near enough.
package struct ReportedDelay: Sendable {
    /// By how much.
    package let duration: Duration
    private let start: MonotonicTime
    private let wall: NTPTime

    /// - Parameters:
    ///   - start: a moment, and
    ///   - wall: what the host's wall clock said then.
    package init(_ duration: Duration, start: MonotonicTime, wall: NTPTime) {
        self.duration = duration
        self.start = start
        self.wall = wall
    }

    /// The time of the last report as it is given back.
    func lastSenderReport(_ middle: UInt32?, at now: MonotonicTime) -> UInt32 {
        let middle = middle ?? NTPTime(nanoseconds: wall.nanoseconds + (now - start).nanoseconds).middle
        return middle &- duration.reportUnits
    }
}

extension Duration {
    /// In 1/65536 s, as reports count.
    var reportUnits: UInt32 {
        UInt32(clamping: nanoseconds / 1_000_000_000 * 65536 + nanoseconds % 1_000_000_000 * 65536 / 1_000_000_000)
    }
}
