/// When somebody was heard, and how long they were silent before that: enough to say to the packet when a break of the network
/// began and ended.
package struct Hearing: Sendable {
    /// Shorter pauses are not remembered.
    private static let shortestPause = Duration.seconds(1)

    package private(set) var last: MonotonicTime?
    private var pause: Range<MonotonicTime>?

    package init() {}

    package mutating func hear(at now: MonotonicTime) {
        if let last, now - last >= Self.shortestPause { pause = last..<now }
        last = now
    }

    /// The first moment after another one at which something was heard; nil when nothing was. Exact when it ended a pause of a
    /// second or more.
    package func first(after time: MonotonicTime) -> MonotonicTime? {
        guard let last, last > time else { return nil }
        if let pause, pause.upperBound > time { return pause.upperBound }
        return last
    }
}
