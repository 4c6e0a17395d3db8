import MediaTypes
import RTP

/// Dates one track's frames: RTP timestamp → this host's clock.
///
/// Until three sender reports have come, the earliest arrivals tell the offset; from then on the reports do, through the
/// clock that all tracks share. The offset in use moves towards the one found by at most half a percent of the elapsed
/// time (two percent in the first seconds), so that no single report is heard or seen.
struct MediaClock: Sendable {
    private static let reportsNeeded = 3
    private static let slewRate = 0.005
    private static let earlySlewRate = 0.02
    private static let earlySpan: Int64 = 5_000_000_000
    /// An error this large is not slewed away but jumped over.
    private static let jump: Int64 = 1_000_000_000
    /// A packet this much earlier than any delay allows, or this much later, has a timestamp from another count.
    private static let tooEarly: Int64 = -3_000_000_000
    private static let tooLate: Int64 = 5_000_000_000
    /// A report this far from the others is none of their kind.
    private static let outlier: Int64 = 500_000_000
    private static let agreement: Int64 = 200_000_000

    private struct Mapping {
        /// What is added to media time.
        var offset: Int64
        /// The latest media time dated.
        var latest: Int64
        let start: Int64
    }

    struct Moment {
        var time: MonotonicTime
        var rtpTime: Int64
        /// How far the clock jumped for this frame.
        var jump: Duration?
    }

    private let clockRate: Int64
    private var unwrapper = TimestampUnwrapper()
    private var hasPackets = false
    private var arrivals = ClockFit(.lowest)
    private var reports = ClockFit(.median)
    private var usesReports = false
    /// The offset by the last report, when it did not fit to the others.
    private var suspect: Int64?
    /// A report that came before the first packet.
    private var early: (rtpTimestamp: UInt32, remote: RemoteClock.RemoteTime)?
    private var mustJump = false
    private var mapping: Mapping?
    private var lastTime: MonotonicTime?
    /// How far the offset in use was from the one found, when the last frame was dated: positive when the frame's time is
    /// too early. Nil before the first frame.
    private(set) var error: Duration?
    /// Whether sender reports tell the offset, and not arrivals.
    var followsReports: Bool { usesReports }

    init(clockRate: Int) { self.clockRate = Int64(max(1, clockRate)) }

    /// How much later than its timestamp says a packet came, when the timestamp cannot be of the present count: it is
    /// earlier than any delay allows, or very late. Else nil.
    func discontinuity(_ timestamp: UInt32, at now: MonotonicTime) -> Duration? {
        let media = nanoseconds(unwrapper.peek(timestamp))
        guard let expected = arrivals.offset(at: media) else { return nil }
        let delay = now.nanoseconds &- media &- expected
        return delay < Self.tooEarly || delay > Self.tooLate ? .nanoseconds(delay) : nil
    }

    /// Takes in when a packet came that was neither asked for again nor found to be a discontinuity.
    mutating func packetArrived(_ timestamp: UInt32, at now: MonotonicTime) {
        let media = nanoseconds(unwrapper.unwrap(timestamp))
        arrivals.add(x: media, y: now.nanoseconds &- media)
        hasPackets = true
        if let early {
            self.early = nil
            reportArrived(rtpTimestamp: early.rtpTimestamp, remote: early.remote)
        }
    }

    mutating func reportArrived(rtpTimestamp: UInt32, remote: RemoteClock.RemoteTime) {
        guard hasPackets else {
            early = (rtpTimestamp, remote)
            return
        }
        let media = nanoseconds(unwrapper.peek(rtpTimestamp))
        let offset = remote &- media
        if let expected = reports.offset(at: media), (offset &- expected).magnitude > UInt64(Self.outlier) {
            guard let suspect, (offset &- suspect).magnitude < UInt64(Self.agreement) else {
                suspect = offset
                return
            }
            reports = ClockFit(.median)
            mustJump = true
        }
        suspect = nil
        reports.add(x: media, y: offset)
        usesReports = usesReports || reports.count >= Self.reportsNeeded
    }

    /// The source's timestamps begin anew. Times go on where they were.
    mutating func restart() { restart(clockRate: Int(clockRate)) }

    mutating func restart(clockRate: Int) {
        let time = lastTime
        self = MediaClock(clockRate: clockRate)
        lastTime = time
    }

    /// Whether timestamps of this clock rate can go on.
    func runs(at clockRate: Int) -> Bool { self.clockRate == Int64(max(1, clockRate)) }

    /// The moment that a timestamp means.
    mutating func moment(of timestamp: UInt32, remote: RemoteClock) -> Moment {
        let rtpTime = unwrapper.peek(timestamp)
        let media = nanoseconds(rtpTime)
        let target = offset(at: media, remote: remote)
        let jump = slew(to: target, at: media)
        error = .nanoseconds(target &- (mapping?.offset ?? target))
        var time = MonotonicTime(nanoseconds: media &+ (mapping?.offset ?? target))
        if let lastTime { time = max(time, lastTime) }
        lastTime = time
        return Moment(time: time, rtpTime: rtpTime, jump: jump)
    }

    private func offset(at media: Int64, remote: RemoteClock) -> Int64 {
        if usesReports, let offset = reports.offset(at: media), let local = remote.localTime(of: media &+ offset) {
            return local.nanoseconds &- media
        }
        return arrivals.offset(at: media) ?? 0
    }

    private mutating func slew(to target: Int64, at media: Int64) -> Duration? {
        guard var moving = mapping else {
            mapping = Mapping(offset: target, latest: media, start: media)
            return nil
        }
        defer { mapping = moving }
        let error = target &- moving.offset
        let elapsed = max(0, media &- moving.latest)
        moving.latest = max(moving.latest, media)
        if error.magnitude > UInt64(Self.jump) || (mustJump && error.magnitude > UInt64(Self.agreement)) {
            mustJump = false
            moving.offset = target
            return .nanoseconds(error)
        }
        mustJump = false
        let rate = media &- moving.start < Self.earlySpan ? Self.earlySlewRate : Self.slewRate
        let step = Int64(Double(min(elapsed, 3_600_000_000_000)) * rate)
        moving.offset = moving.offset &+ min(max(error, -step), step)
        return nil
    }

    private func nanoseconds(_ rtpTime: Int64) -> Int64 {
        let (seconds, rest) = rtpTime.quotientAndRemainder(dividingBy: clockRate)
        return seconds &* 1_000_000_000 &+ rest &* 1_000_000_000 / clockRate
    }
}
