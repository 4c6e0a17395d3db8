package import MediaTypes

/// Which layer of a simulcast track a scene needs (OL-07). While all tiles are about the same it is the highest for all, since
/// what is recorded may be looked at in another layout one day. When somebody is large, the others are seen in small for as long:
/// then each gets the layer that its tile is worth.
package enum LayerChooser {
    /// The highest spatial layer that Janus and WebRTC senders have: 0, 1 and 2 are a quarter, half and all of the picture's sides.
    package static let highest = 2
    /// A tile of so many times the area of the next one is large.
    package static let largeness = 2.0
    /// Up to these heights in pixels the lower layers do, for pictures of the usual 720 rows.
    package static let heights = [200, 400]

    /// - Parameter tracks: those with layers.
    /// - Returns: the layer for each that has a tile, by spatial index. One without, perhaps for a moment, stays as it is.
    package static func layers(of tracks: Set<TrackID>, in scene: Scene) -> [TrackID: Int] {
        let areas = scene.tiles.map { $0.rectangle.width * $0.rectangle.height }.sorted(by: >)
        let hasLarge = areas.count > 1 && Double(areas[0]) >= largeness * Double(areas[1])
        var layers: [TrackID: Int] = [:]
        for track in tracks {
            let heights = scene.tiles.filter { $0.content == .picture(track) }.map(\.rectangle.height)
            guard let height = heights.max() else { continue }
            layers[track] = hasLarge ? layer(forHeight: height) : highest
        }
        return layers
    }

    private static func layer(forHeight height: Int) -> Int { heights.firstIndex { height <= $0 } ?? highest }
}
