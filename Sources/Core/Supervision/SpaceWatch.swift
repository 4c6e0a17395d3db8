/// Judges the free space of the disk that recordings go to, for all of them together. Pure: figures in, changes out.
package struct SpaceWatch: Sendable {
    package enum Level: Hashable, Sendable, Comparable {
        case ample
        /// There is less than somebody wants to hear of.
        case low
        /// There is too little to begin a recording.
        case exhausted
    }

    /// Free bytes below which somebody is told.
    package var low: Int64
    /// Free bytes below which nothing begins.
    package var reserve: Int64
    package private(set) var level = Level.ample
    /// As it was said last; nil before.
    package private(set) var free: Int64?

    package init(low: Int64, reserve: Int64) {
        self.low = low
        self.reserve = reserve
    }

    /// Takes in how many bytes are free. A level is left for a better one only when a tenth more is free than what led to it,
    /// so that it is told of once.
    /// - Returns: the new level when it is another one.
    package mutating func update(free: Int64) -> Level? {
        self.free = free
        let next: Level =
            if free < watermark(of: .exhausted) {
                .exhausted
            } else if free < watermark(of: .low) {
                .low
            } else {
                .ample
            }
        guard next != level else { return nil }
        level = next
        return next
    }

    private func watermark(of other: Level) -> Int64 {
        let bytes =
            switch other {
            case .ample: Int64(0)
            case .low: max(low, reserve)
            case .exhausted: reserve
            }
        return other <= level ? bytes + bytes / 10 : bytes
    }
}
