package import MediaTypes

/// How the clocks of a place are set: what the calendar needs to know of a time zone.
package protocol TimeZoneRules: Sendable {
    /// The zone's name: `Europe/Berlin`.
    var name: String { get }

    /// How many seconds the clocks are ahead of UTC; less than 26 hours either way.
    func offset(at instant: WallTime) -> Int

    /// The next instant at which the offset changes; nil when it never does again.
    func transition(after instant: WallTime) -> WallTime?
}

extension TimeZoneRules {
    /// What the clocks show.
    package func clock(at instant: WallTime) -> CivilDateTime {
        CivilDateTime(clockSeconds: instant.wholeSeconds + offset(at: instant))
    }

    /// All instants at which the clocks show a time, in order: none when they skip it, two when they show it twice.
    package func instants(of clock: CivilDateTime) -> [WallTime] { instants(ofClockSeconds: clock.clockSeconds) }

    func instants(ofClockSeconds clock: Int) -> [WallTime] {
        let end = WallTime(seconds: clock + maximumOffset)
        var position = WallTime(seconds: clock - maximumOffset)
        var found: [WallTime] = []
        while true {
            let offset = offset(at: position)
            let next = transition(after: position)
            let instant = WallTime(seconds: clock - offset)
            if instant >= position, next.map({ instant < $0 }) ?? true { found.append(instant) }
            guard let next, next < end else { return found }
            position = next
        }
    }

    /// The instant of a time on the clock. Of a time that is shown twice, the first; a time that is skipped is taken as
    /// the policy says.
    package func instant(of clock: CivilDateTime, skipped policy: SkippedTime) -> WallTime {
        if let first = instants(of: clock).first { return first }
        let seconds = clock.clockSeconds
        var position = WallTime(seconds: seconds - maximumOffset)
        var offset = offset(at: position)
        while let next = transition(after: position), seconds - offset >= next.wholeSeconds {
            let following = self.offset(at: next)
            if seconds < next.wholeSeconds + following {
                return policy == .rightAfter ? next : WallTime(seconds: seconds - offset)
            }
            position = next
            offset = following
        }
        return WallTime(seconds: seconds - offset)
    }
}

/// What a time means that the clocks skip when they are put forward.
package enum SkippedTime: Sendable {
    /// The moment at which the clocks are put forward.
    case rightAfter
    /// What clocks show then that were not put forward: 02:30 is 03:30 (RFC 5545, section 3.3.5).
    case asThoughNotSkipped
}

/// More seconds than any zone is away from UTC.
let maximumOffset = 26 * 3600

/// A zone that never changes its clocks.
package struct FixedOffset: TimeZoneRules, Hashable {
    package let name: String
    /// Seconds ahead of UTC.
    package let seconds: Int

    package init(name: String, seconds: Int) {
        self.name = name
        self.seconds = seconds
    }

    package static let utc = FixedOffset(name: "UTC", seconds: 0)

    package func offset(at instant: WallTime) -> Int { seconds }
    package func transition(after instant: WallTime) -> WallTime? { nil }
}
