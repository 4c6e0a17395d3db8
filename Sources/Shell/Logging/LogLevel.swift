/// How much a log entry matters, in the words of swift-log.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Every step, for whoever is looking for a fault in the code.
    case trace
    /// What helps to understand a fault from the outside.
    case debug
    /// What happened, in ordinary operation.
    case info
    /// Ordinary, but rare enough that somebody wants to see it.
    case notice
    /// Not a failure yet; may become one.
    case warning
    /// Something failed.
    case error
    /// Nothing works any more.
    case critical

    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        case .critical: 6
        }
    }
}
