package import RTP

/// What happened to a track besides its frames. Comes in order with them.
package enum ReceptionEvent: Sendable, Equatable {
    /// So many packets did not come in time and are given up.
    case packetsLost(Int)
    /// The track goes on with another source. Not sent for the first one.
    case sourceChanged(SSRC)
    /// The source began a new count of sequence numbers; how much was lost is not known.
    case sequenceRestarted
    /// RTP time and real time parted, and capture times were set anew, so much later (or, negative, earlier).
    case clockJumped(by: Duration)
    /// The source said that it ends (RTCP BYE).
    case goodbye
    /// The track is over: its media section was taken away or given to another source. What comes with the same mid
    /// behind this belongs to a new track.
    case ended
}
