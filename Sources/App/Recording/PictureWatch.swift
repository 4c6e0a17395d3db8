import MediaEngines
import MediaTypes

/// Looks at pictures where no composite is drawn: decodes a short stretch behind a keyframe now and then.
struct PictureWatch {
    private struct Stretch {
        var decoder: VPXDecoder
        var nextLook: TimelineTime
        var end: TimelineTime
    }

    /// Two looks, so that it is seen whether the picture changes.
    private static let length = Duration.milliseconds(1500)
    private static let interval = Duration.seconds(120)

    private var stretches: [TrackID: Stretch] = [:]
    private var nextStretch: [TrackID: TimelineTime] = [:]

    /// What the track's picture looks like with this frame, if it is time to look.
    mutating func see(_ frame: EncodedFrame, of track: TrackID) -> PictureLook? {
        guard frame.codec.kind == .video else { return nil }
        if frame.isKeyframe, frame.time >= nextStretch[track] ?? .zero, let decoder = try? VPXDecoder(frame.codec) {
            stretches[track] = Stretch(decoder: decoder, nextLook: frame.time, end: frame.time + Self.length)
            nextStretch[track] = frame.time + Self.interval
        }
        guard let stretch = stretches[track] else { return nil }
        guard frame.time < stretch.end, let picture = try? stretch.decoder.decode(frame.payload) else {
            stretches[track] = nil
            return nil
        }
        guard frame.time >= stretch.nextLook else { return nil }
        stretches[track]?.nextLook = frame.time + .seconds(1)
        return picture.look
    }

    mutating func end(_ track: TrackID) {
        stretches[track] = nil
        nextStretch[track] = nil
    }
}
