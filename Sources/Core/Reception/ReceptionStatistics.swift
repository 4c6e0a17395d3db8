package import MediaTypes

/// What one track's reception amounted to so far. Counts only grow.
package struct ReceptionStatistics: Sendable, Equatable {
    /// Media packets that came, duplicates and retransmissions included.
    package var packets = 0
    /// Bytes of those packets, with their RTP headers.
    package var bytes = 0
    /// Packets given up.
    package var lost = 0
    /// Packets that were missing and came after they had been asked for.
    package var recovered = 0
    package var duplicates = 0
    /// Packets that came after they had been given up, or before the first one.
    package var late = 0
    /// Packets whose payload cannot be read, or is of a payload type that is not recorded.
    package var malformed = 0
    /// Frames delivered.
    package var frames = 0
    package var keyframes = 0
    /// Frames dropped because a part was lost.
    package var incompleteFrames = 0
    /// Whole frames dropped because no keyframe had come yet.
    package var framesBeforeKeyframe = 0
    /// Packets asked for, each request counted.
    package var retransmissionRequests = 0
    package var keyframeRequests = 0
    /// Interarrival jitter (RFC 3550 appendix A.8).
    package var jitter = Duration.zero
    /// Packets lost of the present source as reports count them (RFC 3550 appendix A.3): without retransmissions.
    package var cumulativeLost = 0
    /// Share lost in the last report interval, 0...1.
    package var fractionLost = 0.0
    /// Time from a request to its answer; nil before the first.
    package var roundTripTime: Duration?
    package var lastPacketTime: MonotonicTime?
    /// How far the last frame's date is from what is now believed to be right, positive when it is too early; nil before the
    /// first frame.
    package var clockError: Duration?
    /// Whether frames are dated by the sender's reports, and not by when they arrived.
    package var usesSenderReports = false

    package init() {}

    /// What was counted since an earlier moment of the same reception; all of it when that was of another one. For a track
    /// that goes on in a media section where another one was.
    package func since(_ earlier: ReceptionStatistics) -> ReceptionStatistics {
        guard packets >= earlier.packets, frames >= earlier.frames else { return self }
        var since = self
        since.packets -= earlier.packets
        since.bytes -= earlier.bytes
        since.lost -= earlier.lost
        since.recovered -= earlier.recovered
        since.duplicates -= earlier.duplicates
        since.late -= earlier.late
        since.malformed -= earlier.malformed
        since.frames -= earlier.frames
        since.keyframes -= earlier.keyframes
        since.incompleteFrames -= earlier.incompleteFrames
        since.framesBeforeKeyframe -= earlier.framesBeforeKeyframe
        since.retransmissionRequests -= earlier.retransmissionRequests
        since.keyframeRequests -= earlier.keyframeRequests
        return since
    }
}
