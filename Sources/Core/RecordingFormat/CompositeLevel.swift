/// How much the composite gets while the call runs. Its sound is whole at every level.
package enum CompositeLevel: String, CaseIterable, Comparable, Sendable {
    case full
    /// Every second picture.
    case halfRate = "half-rate"
    /// Every second picture, half as wide and half as high.
    case halfSize = "half-size"
    /// No new pictures.
    case off

    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    /// The next one with less; nil when there is none.
    package var lower: CompositeLevel? { Self.allCases.first { $0.rank == rank + 1 } }
    /// The next one with more; nil when there is none.
    package var higher: CompositeLevel? { Self.allCases.first { $0.rank == rank - 1 } }

    private var rank: Int {
        switch self {
        case .full: 0
        case .halfRate: 1
        case .halfSize: 2
        case .off: 3
        }
    }
}
