/// A straight line through samples of the offset between two clocks, robust against the scatter that they come with.
///
/// A sample says: at `x` on the one clock, the other one is ahead by `y`. All in nanoseconds. The intercept comes from
/// the samples of the last 30 s, or two minutes where they scatter to both sides, the slope (one clock runs faster) from those of the last ten minutes. Over a short span
/// scatter looks like slope, so that the slope counts only as far as it stands out from what scatter would make of it.
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

    /// Where samples are delayed, new ones tell soonest of another way that they take.
    static let delayWindow: Int64 = 30_000_000_000
    static let mostSamples = 128
    static let summarySpan: Int64 = 10_000_000_000
    static let mostSummaries = 60
    /// Over less than this the slope is made of single samples, over more of summaries.
    static let summarySlopeSpan: Int64 = 120_000_000_000
    /// Over less than this nothing is believed to be steeper than a clock can be.
    static let shortestSteepSpan: Int64 = 10_000_000_000
    /// Clocks differ by no more than this; a sender that counts its frames wrongly does.
    static let steepestClock = 1000e-6

    private let statistic: Statistic
    private let steepest: Double
    /// Ascending in x. With `.lowest` one for each second, the lowest in it.
    private var samples: [Sample] = []
    /// Where in `samples` those begin that make the intercept.
    private var recent = 0
    /// One for each ten seconds, of which the slope is made.
    private var summaries: [Sample] = []
    private var summaryStart: Int64 = 0
    private var slope = 0.0
    private var untilSlope = 0
    /// A point of the line.
    private var pivot = Sample(x: 0, y: 0)

    /// - Parameter steepest: how far the clocks may differ.
    init(_ statistic: Statistic, steepest: Double = steepestClock) {
        self.statistic = statistic
        self.steepest = steepest
    }

    var count: Int { samples.count - recent }

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
            guard y < last.y &+ rise(from: last.x, to: x) else { return }
            samples[samples.count - 1] = Sample(x: max(x, last.x), y: y)
        } else if x > last.x {
            samples.append(Sample(x: x, y: y))
            let window = statistic == .lowest ? Self.delayWindow : Self.summarySlopeSpan
            while x &- samples[recent].x > window { recent += 1 }
            let old = samples.prefix { x &- $0.x > Self.summarySlopeSpan }.count
            let surplus = min(recent, max(old, samples.count - Self.mostSamples))
            if surplus > 0 {
                samples.removeFirst(surplus)
                recent -= surplus
            }
            if x &- summaryStart >= Self.summarySpan { summarize(until: x) }
            // The more there is already, the less often a new one matters.
            untilSlope -= 1
            if untilSlope <= 0 {
                measureSlope()
                untilSlope = samples.count / 16
            }
        } else {
            return
        }
        refit()
    }

    /// Goes on from another offset; how fast the clocks part stays known.
    mutating func goOn(x: Int64, y: Int64) {
        (samples, recent, summaries) = ([Sample(x: x, y: y)], 0, [])
        (pivot, summaryStart) = (samples[0], x)
        untilSlope = slope == 0 ? 0 : 15
    }

    private mutating func summarize(until x: Int64) {
        let past = samples.filter { $0.x >= summaryStart && $0.x < x }
        summaryStart = x
        guard let first = past.first, let last = past.last else { return }
        let middle = first.x &+ (last.x &- first.x) / 2
        summaries.append(Sample(x: middle, y: level(of: past[...], at: middle)))
        if summaries.count > Self.mostSummaries { summaries.removeFirst() }
    }

    private mutating func measureSlope() {
        if steepest == 0 { return }
        if let first = summaries.first, let last = summaries.last, last.x &- first.x >= Self.summarySlopeSpan {
            slope = bounded(Self.slope(of: summaries))
        } else if let first = samples.first, let last = samples.last, samples.count >= 3 {
            let span = last.x &- first.x
            var steepness = Self.slope(of: samples)
            let middle = samples[samples.count / 2]
            let residuals = samples.map { abs(Double($0.y &- middle.y) - steepness * Double($0.x &- middle.x)) }
            // Of few samples, some always lie in a row.
            let scatter = max(
                1.5 * residuals.sorted()[residuals.count / 2], statistic == .median ? 15e6 : 2e6)
            if statistic == .median {
                // Of what is not far out, least squares tell it more exactly.
                steepness = Self.leastSquares(
                    samples.indices.filter { residuals[$0] <= 3 * scatter }.map { samples[$0] })
            }
            // Twice what such estimates are out by.
            let uncertainty =
                2 * (statistic == .median ? 3.5 : 5) * scatter
                / (Double(max(1, span)) * Double(samples.count).squareRoot())
            let certain = steepness * steepness
            slope = bounded(certain > 0 ? steepness * certain / (certain + uncertainty * uncertainty) : 0)
            // A queue that grows looks like that, too, but does so less fast, less steadily and not for as long.
            let leastSteep = span < Self.delayWindow ? 0.03 : 0.01
            let isCertain =
                abs(steepness) > leastSteep && uncertainty < abs(steepness) / 4 && span >= Self.shortestSteepSpan
            if statistic == .lowest, !isCertain {
                slope = min(max(slope, -Self.steepestClock), Self.steepestClock)
            }
        }
    }

    private func bounded(_ slope: Double) -> Double { min(max(slope, -steepest), steepest) }

    private static func leastSquares(_ samples: [Sample]) -> Double {
        guard let first = samples.first else { return 0 }
        let count = Double(samples.count)
        let xs = samples.map { Double($0.x &- first.x) }
        let ys = samples.map { Double($0.y &- first.y) }
        let (meanX, meanY) = (xs.reduce(0, +) / count, ys.reduce(0, +) / count)
        var (product, square) = (0.0, 0.0)
        for (x, y) in zip(xs, ys) {
            product += (x - meanX) * (y - meanY)
            square += (x - meanX) * (x - meanX)
        }
        return square > 0 ? product / square : 0
    }

    /// Theil and Sen's estimate: the median of the slopes between pairs, here those half the span apart.
    private static func slope(of samples: [Sample]) -> Double {
        let half = samples.count / 2
        let slopes = (0..<(samples.count - half)).map { index in
            let (a, b) = (samples[index], samples[index + half])
            return Double(b.y &- a.y) / Double(max(1, b.x &- a.x))
        }.sorted()
        return slopes[slopes.count / 2]
    }

    private mutating func refit() {
        guard let last = samples.last else { return }
        pivot = Sample(x: last.x, y: level(of: samples[recent...], at: last.x))
    }

    /// The samples' lowest or median offset, carried along the slope to `x`.
    private func level(of samples: ArraySlice<Sample>, at x: Int64) -> Int64 {
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
