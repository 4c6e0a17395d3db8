import MediaTypes
import RTP

/// What this host's clock shows when the server's shows a given NTP time, by the reports of one track. Tracks whose reports
/// go by the same clock are aligned, so that sound and picture stay together; one with absurd reports puts out no other.
///
/// A report's delay on the way only adds to the difference of the clocks, so the least-delayed ones tell it. When the
/// server's clock is set, two reports that agree on it are believed, and the step is taken out again.
struct RemoteClock: Sendable {
    /// The server's time in nanoseconds since 1900, with the steps of its clock taken out.
    typealias RemoteTime = Int64

    /// No delay is this long.
    private static let longestDelay: Int64 = 2_000_000_000
    /// No report is this much faster than all others were.
    private static let mostAhead: Int64 = 200_000_000
    private static let agreement: Int64 = 200_000_000
    /// Two tracks go by the same clock when it differs by no more than this between them.
    private static let sameClock: Int64 = 100_000_000

    private var fit = ClockFit(.lowest)
    /// The report believed last, by which the others are reckoned: the seconds on the wire wrap, in 2036 first.
    private var last: (ntpTime: NTPTime, remote: RemoteTime, arrival: MonotonicTime)?
    /// The difference of the clocks by a report that looked impossible.
    private var suspect: Int64?
    /// How much later than by this track's reports it was here by those of others: zero or less.
    private var lead: Int64 = 0
    /// Steps are taken out no more exactly than reports are delayed, so that two clocks cannot be compared after one.
    private var hasStepped = false

    /// Takes in the time of a sender report. Gives that time without steps; nil when it is not to be used.
    mutating func reportArrived(_ ntpTime: NTPTime, at now: MonotonicTime) -> RemoteTime? {
        if ntpTime.value == 0 { return nil }
        var remote = last.map { $0.remote &+ ntpTime.nanoseconds(since: $0.ntpTime) } ?? ntpTime.nanoseconds
        let difference = now.nanoseconds &- remote
        // On the line where it was, not where the report would have it.
        if let last, let expected = fit.offset(at: last.remote &+ (now - last.arrival).nanoseconds) {
            let surplus = difference &- expected
            if surplus > Self.longestDelay || surplus < -Self.mostAhead {
                guard let suspect, (difference &- suspect).magnitude < UInt64(Self.agreement) else {
                    suspect = difference
                    return nil
                }
                remote &+= surplus
                hasStepped = true
            }
        }
        suspect = nil
        last = (ntpTime, remote, now)
        fit.add(x: remote, y: now.nanoseconds &- remote)
        return remote
    }

    /// Takes over from tracks that go by the same clock what they know better: a shorter delay.
    mutating func align(with others: [RemoteClock]) {
        guard let last, let own = fit.offset(at: last.remote) else { return }
        lead = 0
        if hasStepped { return }
        for other in others where !other.hasStepped {
            guard let offset = other.fit.offset(at: last.remote) else { continue }
            if (-Self.sameClock...0).contains(offset &- own) { lead = min(lead, offset &- own) }
        }
    }

    /// That moment on this host's clock; nil before the first report.
    func localTime(of remote: RemoteTime) -> MonotonicTime? {
        fit.offset(at: remote).map { MonotonicTime(nanoseconds: remote &+ $0 &+ lead) }
    }
}
