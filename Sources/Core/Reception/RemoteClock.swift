import MediaTypes
import RTP

/// What this host's clock shows when the server's shows a given NTP time. One for all tracks of a transport, so that
/// sound and picture that go by the server's clock stay together.
///
/// A report's delay on the way only adds to the difference of the clocks, so the least-delayed ones tell it. When the
/// server's clock is set, two reports that agree on it are believed, and the step is taken out again.
struct RemoteClock: Sendable {
    /// The server's time in nanoseconds since 1900, with the steps of its clock taken out.
    typealias RemoteTime = Int64

    /// No delay is this long, and no host is ahead of itself by this much.
    private static let step: Int64 = 2_000_000_000
    private static let agreement: Int64 = 500_000_000

    private var fit = ClockFit(.lowest)
    private var correction: Int64 = 0
    /// The difference of the clocks by a report that looked impossible.
    private var suspect: Int64?

    /// Takes in the time of a sender report. Gives that time without steps; nil when it is not to be used.
    mutating func reportArrived(_ ntpTime: NTPTime, at now: MonotonicTime) -> RemoteTime? {
        if ntpTime.value == 0 { return nil }
        var remote = ntpTime.nanoseconds &+ correction
        let difference = now.nanoseconds &- remote
        if let expected = fit.offset(at: remote) {
            let surplus = difference &- expected
            if surplus.magnitude > UInt64(Self.step) {
                guard let suspect, (difference &- suspect).magnitude < UInt64(Self.agreement) else {
                    suspect = difference
                    return nil
                }
                correction &+= surplus
                remote &+= surplus
            }
        }
        suspect = nil
        fit.add(x: remote, y: now.nanoseconds &- remote)
        return remote
    }

    /// That moment on this host's clock; nil before the first report.
    func localTime(of remote: RemoteTime) -> MonotonicTime? {
        fit.offset(at: remote).map { MonotonicTime(nanoseconds: remote &+ $0) }
    }
}
