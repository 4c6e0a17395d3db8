import MediaTypes

/// What came of a track over the network, so far.
package struct ReceptionFigures: Hashable, Sendable {
    /// Media packets that came, duplicates and retransmissions included.
    package var packets = 0
    /// Packets given up.
    package var lost = 0
    /// Packets that were missing and came after they had been asked for.
    package var recovered = 0
    package var duplicate = 0
    /// Packets that came after they had been given up.
    package var late = 0
    /// Frames dropped because a part was lost.
    package var incompleteFrames = 0
    package var retransmissionRequests = 0
    package var keyframeRequests = 0
    /// Nil before the first answer to a request.
    package var roundTrip: Duration?
    package var jitter = Duration.zero
    /// How far the dates of this track's frames are from what is now believed to be right, positive when they are too early;
    /// nil before the first frame.
    package var clockError: Duration?
    /// Whether frames are dated by the sender's reports, and not by when they arrived.
    package var usesSenderReports = false

    package init() {}
}
