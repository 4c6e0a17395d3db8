import Composition
package import MediaEngines
package import MediaTypes

/// A layout with people who are not there, to be looked at before anything is recorded.
package struct LayoutSketch {
    package var settings: RenderSettings
    /// How many people.
    package var people: Int

    package init(_ settings: RenderSettings, people: Int) {
        self.settings = settings
        // A clock shows some time or other.
        self.settings.origin = settings.origin ?? WallTime(microseconds: 36_000_000_000)
        self.people = people
    }

    private static let names = [
        "Ada", "Grace", "Katherine", "Hedy", "Radia", "Barbara", "Edsger", "Alan", "Niklaus", "Donald", "Vint", "Tim",
    ]

    /// Where each of them is, numbered from 1 in order of arrival. Whom the layout hides is not among them.
    package var places: [(person: Int, rectangle: PixelRectangle)] {
        scene.tiles.compactMap { tile in Int(tile.participant.value).map { ($0, tile.rectangle) } }
    }

    /// The layout drawn, with a stand-in for each. The second speaks, the third's microphone and the fourth's camera are
    /// muted.
    package func draw() -> Canvas {
        let compositor = Compositor(settings, windowLength: 1)
        let scene = scene
        let page = Compositor.Page(number: 0, tick: 0)
        compositor.prepare(scene, number: 1, on: page)
        compositor.finish(scene, on: page)
        return compositor.canvas(of: page)
    }

    private var scene: Scene {
        var follower = LayoutFollower(settings.layout)
        let people = (0..<people).map { index in
            let name = Self.names[index % Self.names.count]
            let number = index / Self.names.count
            return Stage.Person(
                id: ParticipantID(String(index + 1)), name: number == 0 ? name : "\(name) \(number + 1)",
                isSpeaking: index == 1, isMicrophoneMuted: index == 2, isCameraMuted: index == 3)
        }
        return follower.scene(of: Stage(people: people), on: settings.size, at: .zero)
    }
}
