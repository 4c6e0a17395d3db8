package import MediaTypes

/// Who speaks is large, all others are in a strip. The last speaker stays large while nobody speaks; before anybody has
/// spoken it is the first to arrive. Who is pinned is large whoever speaks. The viewpoint never sees itself large.
package struct SpeakerLayouter: Layouter {
    private let options: LayoutOptions
    private let gap: Int
    private var memory: SpeakerMemory

    package init(_ options: LayoutOptions = LayoutOptions()) {
        self.options = options
        gap = max(0, options.gap ?? 4) & ~1
        memory = SpeakerMemory(hold: options.speakerHold)
    }

    package mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let people = stage.people.filter((options.entrance ?? .join).admits)
        let subjects = people.flatMap(\.tileSubjects)
        let others = people.filter { $0.id != options.viewpoint }
        let speaker = memory.speaker(among: others, at: time)
        let large =
            subjects.index(of: options.pinned ?? options.full) ?? subjects.index(of: speaker ?? others.first?.id) ?? 0
        guard !subjects.isEmpty else { return Scene(canvas: canvas, tiles: []) }
        let places = LargeAndStrip(smalls: subjects.count - 1, on: canvas, gap: gap)
        let tiles = zip(subjects.moved(large), [places.large] + places.smalls).map {
            $0.tile(in: $1, options.contentMode ?? .fit)
        }
        return Scene(canvas: canvas, tiles: tiles)
    }
}
