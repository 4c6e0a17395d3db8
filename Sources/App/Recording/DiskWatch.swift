import MediaTypes
import RecordingFormat

/// Judges the free space of the recording's disk. Pure: figures in, changes of the level out.
///
/// A level is left for a better one only when a quarter more is free than what led to it, so that it does not flap. The
/// last level is never left: the recording ends.
struct DiskWatch {
    /// Bytes that must stay free.
    let reserve: Int64
    private(set) var level = DiskLevel.ample

    /// What is written in this time is worth a word beforehand.
    private static let warning = Duration.seconds(600)
    /// Over how long the rate of writing is averaged.
    private static let averaging = Duration.seconds(30)

    /// Bytes a second that the recording writes; nil before it is known.
    private var rate: Double?
    private var last: (time: TimelineTime, written: Int64)?

    init(reserve: Int64) { self.reserve = reserve }

    /// Takes in how much is free and how much the recording has written by now, in bytes. Returns the new level when it
    /// is another one.
    mutating func update(free: Int64, written: Int64, at now: TimelineTime) -> DiskLevel? {
        follow(written, at: now)
        guard level != .exhausted else { return nil }
        let next = DiskLevel.allCases.reversed().first { free < watermark(of: $0) } ?? .ample
        guard next != level else { return nil }
        level = next
        return next
    }

    /// Below how many free bytes a level begins, or still holds if it has been reached.
    private func watermark(of other: DiskLevel) -> Int64 {
        let bytes: Int64 =
            switch other {
            case .ample: 0
            case .low: max(4 * reserve, Int64((rate ?? 0) * Self.warning.seconds))
            case .scarce: 2 * reserve
            case .exhausted: reserve
            }
        return other <= level ? bytes + bytes / 4 : bytes
    }

    private mutating func follow(_ written: Int64, at now: TimelineTime) {
        guard let last else { return last = (now, written) }
        let seconds = (now - last.time).seconds
        guard seconds >= 1 else { return }
        let latest = Double(max(0, written - last.written)) / seconds
        let rate = rate ?? latest
        self.rate = rate + (latest - rate) * min(1, seconds / Self.averaging.seconds)
        self.last = (now, written)
    }
}
