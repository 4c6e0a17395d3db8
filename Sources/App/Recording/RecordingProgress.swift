package import RecordingFormat

/// How a recording is doing, for the line on the terminal and the daemon's status.
package struct RecordingProgress: Hashable, Sendable {
    package var elapsed: Duration
    /// How many are in the room beside the bot.
    package var people: Int
    /// How many tracks are being received.
    package var tracks: Int
    /// Bits a second over the last second, from the room.
    package var incomingBitRate: Int
    /// Bits a second over the last second, onto the disk.
    package var outgoingBitRate: Int
    /// The share of packets lost for good, 0 to 1.
    package var loss: Double
    /// Bytes left on the recording's disk; nil when unknown.
    package var freeDisk: Int64?
    /// How far the composite is behind the call, and with how much it is made; nil when none is made.
    package var compositeLag: Duration?
    package var compositeLevel: CompositeLevel?
    /// How far sound and picture are apart of whom they are farthest apart; nil when that cannot be told of anybody.
    package var offset: Duration?
    /// The recording's folder, once there is one.
    package var folder: String?

    package init(
        elapsed: Duration, people: Int = 0, tracks: Int = 0, incomingBitRate: Int = 0, outgoingBitRate: Int = 0,
        loss: Double = 0, freeDisk: Int64? = nil
    ) {
        self.elapsed = elapsed
        self.people = people
        self.tracks = tracks
        self.incomingBitRate = incomingBitRate
        self.outgoingBitRate = outgoingBitRate
        self.loss = loss
        self.freeDisk = freeDisk
    }
}
