import MediaTypes
import RTP

/// Dates one track's frames: RTP timestamp → this host's clock.
///
/// The earliest arrivals tell how timestamps run, since they scatter little; the sender reports, which scatter much, only how
/// long before its arrival something was captured. Until three of them have come, that is taken for the same with all
/// tracks. What comes first often stood in a queue, so that nothing is dated before half a second of arrivals is known.
/// The offset in use moves towards the one found by so little of the elapsed time that no report is heard or seen: sound
/// by less than resampling takes out unheard.
struct MediaClock: Sendable {
    /// Reports are trusted from three good ones in a row on, and until bad ones outnumber the good ones of late.
    private static let trustNeeded = 3
    private static let mostTrust = 10
    /// So many reports weigh as much as what is taken for granted without any.
    private static let reportsDoubted: Int64 = 8
    private static let distrust = 2
    /// Sound is moved by this share of the time, or, when it is far out, by that.
    private static let soundSlewRates = (usual: 0.004, hurried: 0.008)
    private static let pictureSlewRates = (usual: 0.02, hurried: 0.05)
    /// What is further out than this is hurried.
    private static let soundFarOut: Int64 = 20_000_000
    private static let pictureFarOut: Int64 = 60_000_000
    /// An error this large is not slewed away but jumped over: a picture that stands still for a moment is better than one
    /// that is late for many seconds.
    private static let soundJump: Int64 = 1_000_000_000
    private static let pictureJump: Int64 = 300_000_000
    /// A packet this much earlier than any delay allows, or this much later, has a timestamp from another count.
    private static let tooEarly: Int64 = -3_000_000_000
    private static let tooLate: Int64 = 5_000_000_000
    /// A report this far from the others is none of their kind.
    private static let outlier: Int64 = 500_000_000
    private static let agreement: Int64 = 200_000_000
    /// A report about a moment this far from the newest packet is a guess, or wrong.
    private static let reportReach: Int64 = 5_000_000_000
    /// How much earlier, or later, than its arrival a packet can have been captured by the reports: the way to the bot is
    /// not longer, and scatter is not more.
    private static let plausible: ClosedRange<Int64> = -1_500_000_000...250_000_000
    /// A sender whose timestamps may have stood still, since it was silent for so long and comes so much late.
    private static let standstill: Int64 = 700_000_000
    /// How long such a sender is watched.
    private static let watch: Int64 = 300_000_000
    /// How long arrivals are watched before the first frame is dated.
    private static let opening: Int64 = 500_000_000
    /// Timestamps of a sound run as a clock does; those of pictures are counted by some senders, with a wrong rate.
    private static let steepestPicture = 1.0

    private struct Mapping {
        /// What is added to media time.
        var offset: Int64
        /// The latest media time dated.
        var latest: Int64
    }

    /// What came after a silence, later by about as much: out of a queue, or from a sender whose timestamps stood still.
    private struct Doubt {
        var start: MonotonicTime
        var firstMedia: Int64
        var latestMedia: Int64
        /// By how much the first packet was late.
        var lateness: Int64
        /// The lowest offset since.
        var offset: Int64
    }

    struct Moment {
        var time: MonotonicTime
        var rtpTime: Int64
        /// How far the clock jumped for this frame.
        var jump: Duration?
    }

    private let clockRate: Int64
    private let kind: MediaKind
    private var unwrapper = TimestampUnwrapper()
    private var newest: (media: Int64, arrival: MonotonicTime)?
    private var arrivals: ClockFit
    /// How much later than by the arrivals things are by the reports: hardly ever more than zero.
    private var reports = ClockFit(.median, steepest: 0)
    private var trust = 0
    private var usesReports = false
    /// What the last report said, when it did not fit to the others.
    private var suspect: Int64?
    /// A report that came before the first packet.
    private var early: (rtpTimestamp: UInt32, local: MonotonicTime)?
    private var mustJump = false
    private var mapping: Mapping?
    private(set) var lastTime: MonotonicTime?
    private var doubt: Doubt?
    /// When the first packet came, as long as no frame may be dated.
    private var openingStart: MonotonicTime?
    /// The offset of what was captured before a standstill.
    private var former: (end: Int64, offset: Int64)?
    /// How far the offset in use was from the one found, when the last frame was dated: positive when the frame's time is
    /// too early. Nil before the first frame.
    private(set) var error: Duration?
    /// Whether sender reports tell the offset, and not arrivals.
    var followsReports: Bool { usesReports }

    init(clockRate: Int, kind: MediaKind) {
        self.clockRate = Int64(max(1, clockRate))
        self.kind = kind
        let steepest = kind == .audio ? ClockFit.steepestClock : Self.steepestPicture
        arrivals = ClockFit(.lowest, steepest: steepest)
    }

    /// Until when it is not known what the newest packets' timestamps mean. What they date is to wait, until
    /// `endDoubt` says.
    var doubtDeadline: MonotonicTime? {
        if let openingStart { return openingStart + .nanoseconds(Self.opening) }
        return doubt.map { $0.start + .nanoseconds(Self.watch) }
    }

    /// How much later than its timestamp says a packet came, when the timestamp cannot be of the present count: it is
    /// earlier than any delay allows, or very late. Else nil.
    func discontinuity(_ timestamp: UInt32, at now: MonotonicTime) -> Duration? {
        let media = nanoseconds(unwrapper.peek(timestamp))
        guard doubt == nil, let lateness = lateness(of: media, at: now) else { return nil }
        if followsSilence(lateness, at: now) { return nil }
        return lateness < Self.tooEarly || lateness > Self.tooLate ? .nanoseconds(lateness) : nil
    }

    /// How far a timestamp is from the newest one.
    func distance(of timestamp: UInt32) -> UInt64 {
        newest.map { (nanoseconds(unwrapper.peek(timestamp)) &- $0.media).magnitude } ?? .max
    }

    private func lateness(of media: Int64, at now: MonotonicTime) -> Int64? {
        arrivals.offset(at: media).map { now.nanoseconds &- media &- $0 }
    }

    /// Whether a packet that is late is so by about as much as nothing came before it.
    private func followsSilence(_ lateness: Int64, at now: MonotonicTime) -> Bool {
        guard let newest, lateness > Self.standstill else { return false }
        let silence = (now - newest.arrival).nanoseconds
        return silence > Self.standstill && lateness < silence &+ silence / 2 && lateness > silence / 2
    }

    /// Takes in when a packet came that was neither asked for again nor found to be a discontinuity.
    mutating func packetArrived(_ timestamp: UInt32, at now: MonotonicTime) {
        let media = nanoseconds(unwrapper.unwrap(timestamp))
        let offset = now.nanoseconds &- media
        if doubt == nil, let lateness = lateness(of: media, at: now), followsSilence(lateness, at: now) {
            doubt = Doubt(start: now, firstMedia: media, latestMedia: media, lateness: lateness, offset: offset)
        }
        if var watched = doubt {
            watched.latestMedia = max(watched.latestMedia, media)
            watched.offset = min(watched.offset, offset)
            doubt = watched
        } else {
            arrivals.add(x: media, y: offset)
        }
        if newest == nil { openingStart = now }
        if newest.map({ $0.media < media }) ?? true { newest = (media, now) }
        if let early {
            self.early = nil
            reportArrived(rtpTimestamp: early.rtpTimestamp, local: early.local)
        }
    }

    /// Decides, when it is time, whether the timestamps stood still.
    /// - Returns: how far the clock jumps, when they did.
    mutating func endDoubt(at now: MonotonicTime?) -> Duration? {
        if let start = openingStart, now.map({ $0 - start >= .nanoseconds(Self.opening) }) ?? true {
            openingStart = nil
        }
        guard let watched = doubt, now.map({ $0 - watched.start >= .nanoseconds(Self.watch) }) ?? true else {
            return nil
        }
        doubt = nil
        // A queue empties faster than it is filled.
        let progress = watched.latestMedia &- watched.firstMedia
        let elapsed = max(Self.watch, now.map { ($0 - watched.start).nanoseconds } ?? 0)
        if progress > elapsed &+ elapsed / 2 &+ 100_000_000 { return nil }
        former = mapping.map { (watched.firstMedia, $0.offset) }
        mapping = nil
        arrivals.goOn(x: watched.latestMedia, y: watched.offset)
        return .nanoseconds(watched.lateness)
    }

    /// - Parameter local: this host's time of the moment that the report is about.
    mutating func reportArrived(rtpTimestamp: UInt32, local: MonotonicTime) {
        guard let newest else {
            early = (rtpTimestamp, local)
            return
        }
        let media = nanoseconds(unwrapper.peek(rtpTimestamp))
        guard doubt == nil, media &- newest.media < Self.reportReach, let arrival = arrivals.offset(at: media) else {
            return
        }
        let lead = local.nanoseconds &- media &- arrival
        guard newest.media &- media < Self.reportReach, Self.plausible.contains(lead) else { return reportRefused() }
        if let expected = reports.offset(at: media), (lead &- expected).magnitude > UInt64(Self.outlier) {
            guard let suspect, (lead &- suspect).magnitude < UInt64(Self.agreement) else {
                suspect = lead
                return reportRefused()
            }
            reports = ClockFit(.median, steepest: 0)
            mustJump = true
        }
        suspect = nil
        reports.add(x: media, y: lead)
        trust = min(trust + 1, Self.mostTrust)
        usesReports = usesReports || trust >= Self.trustNeeded
    }

    /// A report has come that cannot be true.
    mutating func reportRefused() {
        trust = max(0, trust - Self.distrust)
        if trust == 0 { usesReports = false }
    }

    /// The source's timestamps begin anew. Times go on where they were.
    mutating func restart() { restart(clockRate: Int(clockRate), kind: kind) }

    mutating func restart(clockRate: Int, kind: MediaKind) {
        let time = lastTime
        self = MediaClock(clockRate: clockRate, kind: kind)
        lastTime = time
    }

    /// Whether timestamps of this clock rate can go on.
    func runs(at clockRate: Int) -> Bool { self.clockRate == Int64(max(1, clockRate)) }

    /// No frame from now on is earlier than this.
    mutating func goOn(from time: MonotonicTime?) {
        guard let time else { return }
        lastTime = max(lastTime ?? time, time)
    }

    /// The moment that a timestamp means.
    mutating func moment(of timestamp: UInt32) -> Moment {
        let rtpTime = unwrapper.peek(timestamp)
        let media = nanoseconds(rtpTime)
        let jump: Duration?
        var time: MonotonicTime
        if let former, media < former.end {
            jump = nil
            time = MonotonicTime(nanoseconds: media &+ former.offset)
        } else {
            former = nil
            jump = slew(at: media)
            time = MonotonicTime(nanoseconds: media &+ (mapping?.offset ?? 0))
        }
        if let lastTime { time = max(time, lastTime) }
        lastTime = time
        return Moment(time: time, rtpTime: rtpTime, jump: jump)
    }

    private func offset(at media: Int64) -> Int64 {
        let arrival = arrivals.offset(at: media) ?? 0
        guard usesReports, let lead = reports.offset(at: media) else { return arrival }
        // What the first few say is scatter, for the most part.
        let count = Int64(reports.count)
        return arrival &+ lead &* count / (count &+ Self.reportsDoubted)
    }

    private mutating func slew(at media: Int64) -> Duration? {
        let target = offset(at: media)
        guard var moving = mapping else {
            mapping = Mapping(offset: target, latest: media)
            error = .zero
            return nil
        }
        defer {
            mapping = moving
            self.error = .nanoseconds(target &- moving.offset)
        }
        let elapsed = max(0, media &- moving.latest)
        // Along the line by itself; only what is beside it is an error.
        if elapsed > 0 { moving.offset = moving.offset &+ target &- offset(at: moving.latest) }
        let error = target &- moving.offset
        moving.latest = max(moving.latest, media)
        let jump = kind == .video ? Self.pictureJump : Self.soundJump
        if error.magnitude > UInt64(jump) || (mustJump && error.magnitude > UInt64(Self.agreement)) {
            mustJump = false
            moving.offset = target
            return .nanoseconds(error)
        }
        mustJump = false
        let (rates, farOut) =
            kind == .video
            ? (Self.pictureSlewRates, Self.pictureFarOut) : (Self.soundSlewRates, Self.soundFarOut)
        let rate = error.magnitude > UInt64(farOut) ? rates.hurried : rates.usual
        let step = Int64(Double(min(elapsed, 3_600_000_000_000)) * rate)
        moving.offset = moving.offset &+ min(max(error, -step), step)
        return nil
    }

    private func nanoseconds(_ rtpTime: Int64) -> Int64 {
        let (seconds, rest) = rtpTime.quotientAndRemainder(dividingBy: clockRate)
        return seconds &* 1_000_000_000 &+ rest &* 1_000_000_000 / clockRate
    }
}
