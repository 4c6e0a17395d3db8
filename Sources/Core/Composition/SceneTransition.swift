package import MediaTypes

/// The way from one scene to the next, as apps do it: tiles that stay glide, edge by edge in a straight line, to where they belong;
/// who comes is there at once, and who leaves is gone at once.
package struct SceneTransition: Sendable {
    /// Whose tile it is, and which of theirs: what a tile shows may change while it moves.
    private struct Key: Hashable {
        var participant: ParticipantID
        var number: Int
    }

    private let origins: [Key: PixelRectangle]
    private let start: TimelineTime
    private let duration: Duration

    /// - Parameters:
    ///   - scene: what is shown when it begins, perhaps on the way itself.
    ///   - start: when the next scene was decided.
    ///   - duration: more than zero.
    package init(from scene: Scene, start: TimelineTime, duration: Duration) {
        origins = Dictionary(uniqueKeysWithValues: Self.keyed(scene.tiles).map { ($0.key, $0.tile.rectangle) })
        self.start = start
        self.duration = duration
    }

    package func isOver(at time: TimelineTime) -> Bool { time - start >= duration }

    /// What is shown on the way to a scene, which may change meanwhile in what it shows.
    package func scene(towards target: Scene, at time: TimelineTime) -> Scene {
        let share = min(max(0, (time - start) / duration), 1)
        guard share < 1 else { return target }
        var scene = target
        for (index, entry) in Self.keyed(target.tiles).enumerated() {
            guard let origin = origins[entry.key], origin != entry.tile.rectangle else { continue }
            scene.tiles[index].rectangle = Self.between(origin, entry.tile.rectangle, share).snapped(to: target.canvas)
        }
        return scene
    }

    private static func between(_ a: PixelRectangle, _ b: PixelRectangle, _ share: Double) -> FractionalRectangle {
        func mix(_ from: Int, _ to: Int) -> Double { Double(from) + Double(to - from) * share }
        return FractionalRectangle(
            x: mix(a.x, b.x), y: mix(a.y, b.y), width: mix(a.width, b.width), height: mix(a.height, b.height))
    }

    private static func keyed(_ tiles: [Tile]) -> [(key: Key, tile: Tile)] {
        var counts: [ParticipantID: Int] = [:]
        return tiles.map { tile in
            defer { counts[tile.participant, default: 0] += 1 }
            return (Key(participant: tile.participant, number: counts[tile.participant, default: 0]), tile)
        }
    }
}
