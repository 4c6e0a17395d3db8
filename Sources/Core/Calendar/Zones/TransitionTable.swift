package import MediaTypes

/// A zone as a list of the changes that it saw, and a rule for the time after the last of them.
package struct TransitionTable: TimeZoneRules, Hashable {
    /// From this instant on the clocks are this many seconds ahead of UTC.
    package struct Change: Hashable, Sendable {
        /// Seconds since 1970-01-01T00:00:00Z.
        package var instant: Int
        package var offset: Int

        package init(instant: Int, offset: Int) {
            self.instant = instant
            self.offset = offset
        }
    }

    package let name: String
    private let firstOffset: Int
    private let changes: [Change]
    private let rule: POSIXTimeZone?

    /// Takes changes in any order; those that change nothing are dropped.
    package init(name: String, firstOffset: Int, changes: [Change], then rule: POSIXTimeZone? = nil) {
        self.name = name
        self.firstOffset = firstOffset
        var offset = firstOffset
        var kept: [Change] = []
        for change in changes.sorted(by: { $0.instant < $1.instant }) {
            if kept.last?.instant == change.instant { kept.removeLast() }
            offset = kept.last?.offset ?? firstOffset
            if change.offset != offset { kept.append(change) }
        }
        self.changes = kept
        self.rule = rule
    }

    package func offset(at instant: WallTime) -> Int {
        let seconds = instant.wholeSeconds
        let following = indexOfChange(after: seconds)
        if following == changes.count, let rule { return rule.offset(at: instant) }
        return following == 0 ? firstOffset : changes[following - 1].offset
    }

    package func transition(after instant: WallTime) -> WallTime? {
        let following = indexOfChange(after: instant.wholeSeconds)
        guard following == changes.count else { return WallTime(seconds: changes[following].instant) }
        return rule?.transition(after: instant)
    }

    /// The place of the first change later than this, or the number of changes.
    private func indexOfChange(after seconds: Int) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].instant <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
