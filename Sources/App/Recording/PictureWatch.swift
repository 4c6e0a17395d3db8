import MediaEngines
import MediaTypes

/// Looks at pictures where no composite is drawn: decodes a short stretch behind a keyframe now and then. Senders make few by
/// themselves, so that one is wished for where none has come for long.
struct PictureWatch {
    private struct Stretch {
        var decoder: VPXDecoder
        var nextLook: TimelineTime
        var end: TimelineTime
    }

    /// Two looks, so that it is seen whether the picture changes.
    private static let length = Duration.milliseconds(1500)
    private static let interval = Duration.seconds(60)
    /// How long a keyframe may be overdue before it is wished for.
    private static let patience = Duration.seconds(10)

    private var stretches: [TrackID: Stretch] = [:]
    private var nextStretch: [TrackID: TimelineTime] = [:]
    private var wishes: Set<TrackID> = []

    /// What the track's picture looks like with this frame, if it is time to look.
    mutating func see(_ frame: EncodedFrame, of track: TrackID) -> PictureLook? {
        guard frame.codec.kind == .video else { return nil }
        if frame.isKeyframe, frame.time >= nextStretch[track] ?? .zero, let decoder = try? VPXDecoder(frame.codec) {
            stretches[track] = Stretch(decoder: decoder, nextLook: frame.time, end: frame.time + Self.length)
            nextStretch[track] = frame.time + Self.interval
        } else if let next = nextStretch[track], frame.time >= next + Self.patience {
            wishes.insert(track)
            nextStretch[track] = frame.time
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

    /// Tracks of which a keyframe is wished for now; each is named once.
    mutating func nextWishes() -> [TrackID] {
        if wishes.isEmpty { return [] }
        defer { wishes = [] }
        return wishes.sorted()
    }

    mutating func end(_ track: TrackID) {
        stretches[track] = nil
        nextStretch[track] = nil
        wishes.remove(track)
    }
}
