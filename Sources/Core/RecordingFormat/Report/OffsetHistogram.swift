import MediaTypes

/// How far sound and picture of somebody were apart, second by second.
struct OffsetHistogram: Sendable {
    /// How many seconds had so many milliseconds, those that none had left out; `farthest` for all beyond.
    private var counts: [Int: Int] = [:]
    private static let farthest: Int64 = 999
    private(set) var seconds = 0
    /// How many of the seconds rest on sender reports of both.
    private(set) var reported = 0
    private(set) var worst = Duration.zero

    mutating func add(_ offset: Duration, isReported: Bool) {
        let distance = offset < .zero ? .zero - offset : offset
        counts[Int(clamping: min(Self.farthest, distance.microseconds / 1000)), default: 0] += 1
        seconds += 1
        if isReported { reported += 1 }
        worst = max(worst, distance)
    }

    /// The offset that 95 of 100 seconds do not exceed, to the millisecond.
    var p95: Duration {
        var left = seconds - seconds / 20
        for (milliseconds, count) in counts.sorted(by: { $0.key < $1.key }) {
            left -= count
            if left <= 0 { return min(worst, .milliseconds(milliseconds + 1)) }
        }
        return worst
    }

    var report: ParticipantReport.Offset? {
        guard seconds > 0 else { return nil }
        return .init(
            p95: p95, worst: worst, measured: .seconds(seconds),
            basis: reported * 2 >= seconds ? .senderReports : .arrivals)
    }
}
