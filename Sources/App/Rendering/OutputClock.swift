import MediaTypes

/// The output's ticks on the timeline. A tick shows the moment around it: what was captured up to half a tick later
/// belongs to it, so that pictures are early as often as late and stay in step with the sound.
struct OutputClock {
    let ticksPerSecond: Int

    func time(of tick: Int64) -> TimelineTime {
        TimelineTime(microseconds: tick * 1_000_000 / Int64(ticksPerSecond))
    }

    /// The first moment that belongs to the tick after this one.
    func end(of tick: Int64) -> TimelineTime {
        TimelineTime(microseconds: (2 * tick + 1) * 500_000 / Int64(ticksPerSecond))
    }

    /// How many ticks lie before a moment.
    func count(before time: TimelineTime) -> Int64 {
        guard time > .zero else { return 0 }
        let (ticks, rest) = (time.microseconds * Int64(ticksPerSecond)).quotientAndRemainder(dividingBy: 1_000_000)
        return ticks + (rest > 0 ? 1 : 0)
    }
}
