import Composition
import MediaTypes
import RecordingFormat
import Rendering
import RoomProtocol

/// Knows during the call which layer of each simulcast track the composite's layout needs, by laying out what is on stage now.
struct LayerWatch {
    private var director = SceneDirector()
    private var layout: LayoutFollower
    private let canvas: PixelSize
    /// The tracks that turned out to have layers.
    private var tracks: [TrackID: Layer] = [:]

    private struct Layer {
        /// What was asked for last; the highest is what comes unasked.
        var asked = LayerChooser.highest
        /// What the server says that it sends.
        var forwarded: Int?
        var attempts = 0
        var lastAttempt = TimelineTime.zero
    }

    /// A switch waits for a keyframe of the layer, and a sender that was just asked for one passes over the next request.
    private static let patience = Duration.milliseconds(1500)
    /// A sender may have no such layer.
    private static let mostAttempts = 4

    init(_ recipe: CompositeRecipe) {
        layout = LayoutFollower(recipe.layout)
        canvas = recipe.size
    }

    mutating func follow(_ event: RoomEvent, at time: TimelineTime) {
        director.handle(event, at: time)
        switch event {
        // Servers tell the layer of none but simulcast tracks.
        case .layerForwarded(let track, let spatial, _):
            tracks[track, default: Layer()].forwarded = spatial ?? tracks[track]?.forwarded
        case .trackEnded(let track): tracks[track] = nil
        default: break
        }
    }

    mutating func follow(_ control: ControlEvent) { layout.follow(control) }

    mutating func follow(_ frame: EncodedFrame, of track: TrackID) {
        if frame.codec.kind == .video { director.handle(frame, of: track) }
    }

    /// The layers that are to be asked for now: others than before, or in vain so far.
    mutating func wishes(at time: TimelineTime) -> [(track: TrackID, spatial: Int)] {
        guard !tracks.isEmpty else { return [] }
        let scene = layout.scene(of: director.stage(at: time), on: canvas, at: time)
        var wishes: [(track: TrackID, spatial: Int)] = []
        for (track, wanted) in LayerChooser.layers(of: Set(tracks.keys), in: scene).sorted(by: { $0.key < $1.key }) {
            guard var layer = tracks[track] else { continue }
            if layer.asked != wanted {
                layer.asked = wanted
                layer.attempts = 0
            } else if layer.attempts == 0 || layer.forwarded == wanted || layer.attempts >= Self.mostAttempts
                || time - layer.lastAttempt < Self.patience
            {
                continue
            }
            layer.attempts += 1
            layer.lastAttempt = time
            tracks[track] = layer
            wishes.append((track, wanted))
        }
        return wishes
    }
}
