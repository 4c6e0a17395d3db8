import MediaTypes

/// Notices when the host's wall clock is set. Pure: readings in, steps out. What is recorded goes by the steady clock; the step
/// is only told.
struct WallClockWatch {
    /// A smaller step is none.
    private static let threshold = Duration.milliseconds(500)
    /// Clocks that are steered (NTP) run fast or slow by half of this at most.
    private static let steering = 0.001
    /// A reading that took longer says nothing: the process stood still in the middle of it.
    private static let longestReading = Duration.milliseconds(100)

    private var last: (at: MonotonicTime, wall: WallTime)?

    /// Takes in what the wall clock said between two moments of the steady clock. Returns by how much it has been set
    /// since the reading before; nil when it has not.
    mutating func update(_ wall: WallTime, between start: MonotonicTime, and end: MonotonicTime) -> Duration? {
        guard end - start <= Self.longestReading else { return nil }
        defer { last = (start, wall) }
        guard let last else { return nil }
        let elapsed = start - last.at
        let step = Duration.microseconds(wall.microseconds - last.wall.microseconds) - elapsed
        let size = step < .zero ? .zero - step : step
        return size >= Self.threshold + elapsed * Self.steering ? step : nil
    }
}
