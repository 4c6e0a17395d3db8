import MediaTypes
package import RoomProtocol

/// How a recording ended: what the journal says, what the user reads, and what the exit code tells a script.
package enum RecordingEnd: Hashable, Sendable {
    /// The duration that was asked for is over.
    case durationReached
    /// SIGINT or SIGTERM, by number.
    case stopped(signal: Int32)
    /// Nobody was there for the time given.
    case roomEmpty(Duration)
    /// The room itself ended it: destroyed, kicked, refused, vanished, or no connection.
    case room(RoomEnd)
    /// The connection to the room was lost, and it could not be joined again for so long.
    case connectionLost(RoomEnd, triedFor: Duration)
    /// People publish, but no media came within the time given.
    case noMedia(Duration)
    /// The output cannot be made: not writable, no such place.
    case outputUnusable(String)
    /// The output is there already, and nothing is ever overwritten.
    case outputExists(String)
    /// The recording that is to be gone on with is being made by another process.
    case beingRecorded(String)
    /// The recording cannot be gone on with.
    case notResumable(String)
    /// So few bytes are free where the recording shall go that it does not begin.
    case noSpaceToBegin(free: Int64, reserve: Int64)
    /// Fewer bytes than the reserve are free; the recording was ended while there was space for that.
    case diskFull(free: Int64, reserve: Int64)
    /// Writing failed while recording; what was written before stays.
    case storageFailed(String)

    /// Whether it means that the recording has all there was up to then.
    var meansWhole: Bool {
        switch self {
        case .durationReached, .stopped, .roomEmpty, .diskFull, .room(.left), .room(.kicked), .room(.roomDestroyed):
            true
        default: false
        }
    }
}
