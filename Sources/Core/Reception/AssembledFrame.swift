import MediaTypes
import RTP

/// A whole frame, not yet dated.
struct AssembledFrame: Sendable {
    var rtpTimestamp: UInt32
    var duration: Duration?
    var isKeyframe: Bool
    var size: PixelSize?
    var followsLoss: Bool
    var payload: [UInt8]
    /// Its first and last packet, for the header extensions.
    var firstPacket: RTPPacket
    var lastPacket: RTPPacket
}

/// What an assembler counts besides the frames it gives.
struct AssemblyCounts: Sendable, Equatable {
    var malformedPackets = 0
    var incompleteFrames = 0
    var framesBeforeKeyframe = 0
}
