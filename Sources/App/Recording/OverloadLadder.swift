import MediaTypes
import RecordingFormat

/// Decides how much the composite gets, by how far its making is behind the call. Pure: how far in, steps out.
///
/// It goes down when it is far behind and does not catch up, and up again when it has kept up for a while; for longer
/// each time that going up did not last.
struct OverloadLadder {
    private(set) var level = CompositeLevel.full

    /// So far behind that something has to be done. What waits is in memory meanwhile.
    private static let far = Duration.seconds(4)
    /// As good as not behind at all.
    private static let near = Duration.seconds(1)
    /// How long to see whether it catches up, and by how much it has to in that time.
    private static let watching = (time: Duration.seconds(2), gain: Duration.milliseconds(250))
    private static let shortestCalm = Duration.seconds(10)
    private static let longestCalm = Duration.seconds(160)

    /// Since when it has been far behind, and by how much then.
    private var trouble: (since: TimelineTime, lag: Duration)?
    /// Since when it has kept up.
    private var calmSince: TimelineTime?
    /// How long it has to keep up before there is another step up.
    private var calm = Self.shortestCalm
    private var wentUp = false

    /// Takes in by how much media time the composite is behind now. To be called several times a second. Returns the new level
    /// when it is another one.
    mutating func update(lag: Duration, at now: TimelineTime) -> CompositeLevel? {
        followTrouble(lag, at: now) ?? followCalm(lag, at: now)
    }

    private mutating func followTrouble(_ lag: Duration, at now: TimelineTime) -> CompositeLevel? {
        guard lag >= Self.far else {
            trouble = nil
            return nil
        }
        guard let last = trouble else {
            trouble = (now, lag)
            return nil
        }
        guard now - last.since >= Self.watching.time else { return nil }
        trouble = (now, lag)
        guard lag > last.lag - Self.watching.gain, let lower = level.lower else { return nil }
        level = lower
        if wentUp { calm = min(calm * 2, Self.longestCalm) }
        wentUp = false
        return lower
    }

    private mutating func followCalm(_ lag: Duration, at now: TimelineTime) -> CompositeLevel? {
        guard lag <= Self.near, let higher = level.higher else {
            calmSince = nil
            return nil
        }
        guard let since = calmSince else {
            calmSince = now
            return nil
        }
        guard now - since >= calm else { return nil }
        calmSince = now
        level = higher
        wentUp = true
        return higher
    }
}
