import MediaTypes

/// Counts the frames for which there was no room on the way to the disk, so that each such spell is told once. Pure.
struct UnkeptFrames {
    /// A spell is over when there was room for this long.
    private static let silence = Duration.seconds(1)

    private var counts: [TrackID: Int] = [:]
    private var last = TimelineTime.zero

    /// Counts a frame. Returns whether a spell begins with it.
    mutating func add(_ track: TrackID, at now: TimelineTime) -> Bool {
        defer {
            counts[track, default: 0] += 1
            last = now
        }
        return counts.isEmpty
    }

    /// The frames of a spell that is over, by track.
    mutating func next(at now: TimelineTime, isEnd: Bool = false) -> [(track: TrackID, count: Int)] {
        guard !counts.isEmpty, isEnd || now - last >= Self.silence else { return [] }
        defer { counts = [:] }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
