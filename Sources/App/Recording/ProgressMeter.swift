import MediaTypes
import Reception
import RecordingFormat
import RoomClient
import Transport

/// What is known of how a recording is doing, and how fast it goes.
struct ProgressMeter {
    private static let interval = Duration.seconds(1)

    /// Bytes that were free on the disk when the capture's thread looked last.
    var freeSpace: Int64?
    /// How far the composite is behind; nil when none is made.
    var compositeLag: Duration?
    /// With how much it is made.
    var compositeLevel = CompositeLevel.full
    /// How far sound and picture are apart.
    var offset: Duration?
    private var last: (at: MonotonicTime, received: Int, captured: Int64)?

    /// Whether it is time to read it again.
    func isDue(at now: MonotonicTime) -> Bool { last.map { now - $0.at >= Self.interval } ?? true }

    /// - Parameter captured: bytes that were captured so far.
    mutating func read(
        _ statistics: RoomStatistics, captured: Int64, elapsed: Duration, at now: MonotonicTime
    ) -> RecordingProgress {
        var progress = RecordingProgress(elapsed: elapsed)
        let received = statistics.transports.values.reduce(0) { $0 + $1.octetsReceived }
        if let last, last.at < now {
            let seconds = (now - last.at).seconds
            // A connection that was made anew counts from nothing.
            progress.incomingBitRate = max(0, Int(Double(received - last.received) * 8 / seconds))
            progress.outgoingBitRate = Int(Double(captured - last.captured) * 8 / seconds)
        }
        last = (now, received, captured)
        let packets = statistics.tracks.values.reduce(statistics.forgottenPackets) { $0 + $1.packets }
        let lost = statistics.tracks.values.reduce(statistics.forgottenLost) { $0 + $1.lost }
        progress.loss = packets + lost > 0 ? Double(lost) / Double(packets + lost) : 0
        progress.freeDisk = freeSpace
        progress.compositeLag = compositeLag
        progress.compositeLevel = compositeLag.map { _ in compositeLevel }
        progress.offset = offset
        return progress
    }
}
