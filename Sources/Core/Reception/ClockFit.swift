/// A straight line through samples of the offset between two clocks, robust against the scatter that they come with.
///
/// A sample says: at `x` on the one clock, the other one is ahead by `y`. All in nanoseconds. The intercept comes from
/// the samples of the last 30 s; the slope (one clock runs faster) only from spans of minutes, since over less the
/// scatter would look like slope; it is bounded to 1000 ppm.
struct ClockFit: Sendable {
    enum Statistic {
        /// For scatter that only adds, as delay does.
        case lowest
        /// For scatter on both sides.
        case median
    }

    private struct Sample {
        var x: Int64
        var y: Int64
    }

    static let window: Int64 = 30_000_000_000
    static let mostSamples = 64
    static let summarySpan: Int64 = 10_000_000_000
    static let mostSummaries = 60
    static let shortestSlopeSpan: Int64 = 120_000_000_000
    static let steepest = 1000e-6

    private let statistic: Statistic
    /// Ascending in x. With `.lowest` one for each second, the lowest in it.
    private var samples: [Sample] = []
    /// One for each ten seconds, of which the slope is made.
    private var summaries: [Sample] = []
    private var summaryStart: Int64 = 0
    private var slope = 0.0
    /// A point of the line.
    private var pivot = Sample(x: 0, y: 0)

    init(_ statistic: Statistic) { self.statistic = statistic }

    var count: Int { samples.count }

    /// The offset at `x` on the line; nil without samples.
    func offset(at x: Int64) -> Int64? {
        samples.isEmpty ? nil : pivot.y &+ rise(from: pivot.x, to: x)
    }

    mutating func add(x: Int64, y: Int64) {
        guard let last = samples.last else {
            samples = [Sample(x: x, y: y)]
            pivot = samples[0]
            summaryStart = x
            return
        }
        if statistic == .lowest, x &- (last.x - last.x % 1_000_000_000) < 1_000_000_000 {
            // The same second, or a late one: it counts only if it lowers the line.
            guard y < last.y else { return }
            samples[samples.count - 1].y = y
        } else if x > last.x {
            samples.append(Sample(x: x, y: y))
            samples.removeAll { x &- $0.x > Self.window }
            if samples.count > Self.mostSamples { samples.removeFirst() }
            if x &- summaryStart >= Self.summarySpan { summarize(until: x) }
        } else {
            return
        }
        refit()
    }

    private mutating func summarize(until x: Int64) {
        let recent = samples.filter { $0.x >= summaryStart && $0.x < x }
        summaryStart = x
        guard let first = recent.first, let last = recent.last else { return }
        let middle = first.x &+ (last.x &- first.x) / 2
        summaries.append(Sample(x: middle, y: level(of: recent, at: middle)))
        if summaries.count > Self.mostSummaries { summaries.removeFirst() }
        guard let oldest = summaries.first, middle &- oldest.x >= Self.shortestSlopeSpan else { return }
        // Theil and Sen's estimate: the median of the slopes between pairs, here those half the span apart.
        let half = summaries.count / 2
        let slopes = (0..<(summaries.count - half)).map { index in
            let (a, b) = (summaries[index], summaries[index + half])
            return Double(b.y &- a.y) / Double(max(1, b.x &- a.x))
        }.sorted()
        slope = min(max(slopes[slopes.count / 2], -Self.steepest), Self.steepest)
    }

    private mutating func refit() {
        guard let last = samples.last else { return }
        pivot = Sample(x: last.x, y: level(of: samples, at: last.x))
    }

    /// The samples' lowest or median offset, carried along the slope to `x`.
    private func level(of samples: [Sample], at x: Int64) -> Int64 {
        let levels = samples.map { $0.y &+ rise(from: $0.x, to: x) }
        switch statistic {
        case .lowest:
            return levels.min() ?? 0
        case .median:
            let sorted = levels.sorted()
            let middle = sorted.count / 2
            return sorted.count % 2 == 1
                ? sorted[middle] : sorted[middle - 1] &+ (sorted[middle] &- sorted[middle - 1]) / 2
        }
    }

    private func rise(from a: Int64, to b: Int64) -> Int64 {
        slope == 0 ? 0 : Int64(slope * Double(b &- a))
    }
}
