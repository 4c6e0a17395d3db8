import MediaTypes

/// How far sound and picture of somebody were apart, second by second.
struct OffsetHistogram: Sendable {
    /// How many seconds had so many milliseconds, those that none had left out; `farthest` for all beyond. In their order.
    private var counts: [(milliseconds: UInt16, seconds: UInt32)] = []
    private static let farthest: Int64 = 999
    private(set) var seconds = 0
    /// How many of the seconds rest on sender reports of both.
    private(set) var reported = 0
    private(set) var worst = Duration.zero

    mutating func add(_ offset: Duration, isReported: Bool) {
        let distance = offset < .zero ? .zero - offset : offset
        let milliseconds = UInt16(clamping: min(Self.farthest, distance.microseconds / 1000))
        let index = counts.firstIndex { $0.milliseconds >= milliseconds } ?? counts.count
        if index == counts.count || counts[index].milliseconds != milliseconds {
            counts.insert((milliseconds, 0), at: index)
        }
        counts[index].seconds += 1
        seconds += 1
        if isReported { reported += 1 }
        worst = max(worst, distance)
    }

    /// Gives back the room for more.
    mutating func settle() { counts = counts.map { $0 } }

    /// The offset that 95 of 100 seconds do not exceed, to the millisecond.
    var p95: Duration {
        var left = seconds - seconds / 20
        for (milliseconds, count) in counts {
            left -= Int(count)
            if left <= 0 { return min(worst, .milliseconds(Int(milliseconds) + 1)) }
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
