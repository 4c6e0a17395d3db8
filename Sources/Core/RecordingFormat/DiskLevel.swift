/// How much room the recording's disk has.
package enum DiskLevel: String, CaseIterable, Comparable, Sendable {
    case ample
    /// Ten minutes more, or not much more than what is needed to end well.
    case low
    /// The composite is left to a later rendering, for the tracks' sake.
    case scarce
    /// The recording ends.
    case exhausted

    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .ample: 0
        case .low: 1
        case .scarce: 2
        case .exhausted: 3
        }
    }
}
