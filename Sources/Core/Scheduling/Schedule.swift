package import Calendar
package import MediaTypes

/// What a schedule is called by whoever made it; never used again for another one.
package struct ScheduleID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let value: String
    package init(_ value: String) { self.value = value }
    package var description: String { value }
    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}

/// When calls are to be recorded, and how.
package struct Schedule: Hashable, Sendable {
    package enum Timing: Hashable, Sendable {
        /// Again and again.
        case cron(CronExpression)
        case once(OneOffTime)
        /// Whenever an event of a calendar starts that somebody reads from this place. Events of whole days are not
        /// recorded.
        case calendar(source: String)
        /// Whenever one of several is due, none of which is a calendar.
        case any([Timing])
    }

    package var id: ScheduleID
    /// For people.
    package var name: String
    package var timing: Timing
    /// The name of the time zone in which the timing is meant.
    package var zone: String
    /// Which recipe says what is recorded.
    package var recipe: String
    /// How long a call is planned to be; nil when it ends by itself. An event of a calendar has a length of its own,
    /// and this one only if it does not say.
    package var duration: Duration?
    /// How long before it is due the call is joined, and how long after its planned end it is left. These margins
    /// are courtesy: calls that meet only in them do not overlap.
    package var earlyJoin: Duration
    package var lateStop: Duration
    package var missedRuns: MissedRunPolicy
    package var overlap: OverlapPolicy
    package var isPaused: Bool
    /// Nothing is due later than this.
    package var until: WallTime?
    /// At most so many runs are started.
    package var count: Int?

    package init(
        id: ScheduleID, name: String = "", timing: Timing, zone: String, recipe: String, duration: Duration? = nil,
        earlyJoin: Duration = .zero, lateStop: Duration = .zero, missedRuns: MissedRunPolicy = .remainder,
        overlap: OverlapPolicy = .skip, isPaused: Bool = false, until: WallTime? = nil, count: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.timing = timing
        self.zone = zone
        self.recipe = recipe
        self.duration = duration
        self.earlyJoin = earlyJoin
        self.lateStop = lateStop
        self.missedRuns = missedRuns
        self.overlap = overlap
        self.isPaused = isPaused
        self.until = until
        self.count = count
    }
}

/// What becomes of a call that was due when nobody could join it: the daemon did not run, the host slept, the clock was
/// wrong.
package enum MissedRunPolicy: Hashable, Sendable {
    /// It is missed.
    case skip
    /// What is left of it is recorded. A call of unknown length counts as going on for an hour.
    case remainder
    /// It is recorded in its full length when it is not later than this.
    case late(upTo: Duration)
}

/// What happens when a call is due while an earlier one of the same schedule is still planned to go on.
package enum OverlapPolicy: String, Hashable, Sendable {
    /// The later one is not recorded.
    case skip
    /// Both are.
    case both
    /// The earlier one ends.
    case stopEarlier
}
