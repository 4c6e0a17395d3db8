import Composition
import MediaTypes
import Rendering
import RoomProtocol

/// Knows during the call which layer of each simulcast track the composite's layout needs, by laying out what is on stage now.
struct LayerWatch {
    private var director = SceneDirector()
    private var layout: LayoutFollower
    private let canvas: PixelSize
    /// The tracks that turned out to have layers, and which layer was asked for; the highest is what comes unasked.
    private var asked: [TrackID: Int] = [:]

    init(_ recipe: CompositeRecipe) {
        layout = LayoutFollower(recipe.layout)
        canvas = recipe.size
    }

    mutating func follow(_ event: RoomEvent, at time: TimelineTime) {
        director.handle(event, at: time)
        switch event {
        // Servers tell the layer of none but simulcast tracks.
        case .layerForwarded(let track, _, _) where asked[track] == nil: asked[track] = LayerChooser.highest
        case .trackEnded(let track): asked[track] = nil
        default: break
        }
    }

    mutating func follow(_ frame: EncodedFrame, of track: TrackID) {
        if frame.codec.kind == .video { director.handle(frame, of: track) }
    }

    /// The layers that are to be asked for now; each is told once.
    mutating func wishes(at time: TimelineTime) -> [(track: TrackID, spatial: Int)] {
        guard !asked.isEmpty else { return [] }
        let scene = layout.scene(of: director.stage(at: time), on: canvas, at: time)
        let wanted = LayerChooser.layers(of: Set(asked.keys), in: scene).filter { asked[$0.key] != $0.value }
        for (track, layer) in wanted { asked[track] = layer }
        return wanted.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
