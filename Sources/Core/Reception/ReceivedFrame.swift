package import MediaTypes
package import RTP

/// One whole frame as it was received: what the packets carried, and when it was captured.
package struct ReceivedFrame: Sendable {
    package var codec: Codec
    /// When its sender (or the server that relays it) had it, on this host's clock, by RTP time and sender reports. Never
    /// goes backwards within a track.
    package var captureTime: MonotonicTime
    /// The RTP timestamp without its wraps, in units of the clock rate. Begins anew when the source's timestamps do.
    package var rtpTime: Int64
    /// How long it sounds; nil for pictures.
    package var duration: Duration?
    /// Whether decoding can start here. Always true for audio.
    package var isKeyframe: Bool
    /// The picture's size where the frame states it.
    package var size: PixelSize?
    /// For audio: something was lost right before. For video: something was lost since the last keyframe, so a picture
    /// that this one is drawn upon may be missing.
    package var followsLoss: Bool
    /// The sound's level, where the sender states it (RFC 6464).
    package var audioLevel: AudioLevel?
    /// How the picture is to be turned; `none` for sound.
    package var rotation: PictureRotation
    package var payload: [UInt8]
}
