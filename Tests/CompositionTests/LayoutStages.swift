import Composition
import MediaTypes

let landscape = PixelSize(width: 1280, height: 720)
let portrait = PixelSize(width: 720, height: 1280)

func id(_ number: Int) -> ParticipantID { ParticipantID("p\(number)") }

/// `p1`, `p2` … in order of arrival, each with a camera whose track has their number.
func people(_ numbers: some Sequence<Int>, size: PixelSize? = nil) -> Stage {
    Stage(
        people: numbers.map {
            .init(
                id: id($0), name: "P\($0)", camera: .init(track: TrackID($0), source: .camera, size: size))
        })
}

func options(_ change: (inout LayoutOptions) -> Void) -> LayoutOptions {
    var options = LayoutOptions()
    change(&options)
    return options
}

extension Stage {
    func with(_ number: Int, _ change: (inout Stage.Person) -> Void) -> Stage {
        var stage = self
        for index in stage.people.indices where stage.people[index].id == id(number) { change(&stage.people[index]) }
        return stage
    }
}

extension Layouter {
    /// The scene of a stage in a layout that has no past.
    func tiles(_ stage: Stage, on canvas: PixelSize, at seconds: Double = 0) -> [Tile] {
        var layouter = self
        let time = TimelineTime(microseconds: Int64(seconds * 1_000_000))
        return layouter.scene(of: stage, on: canvas, at: time).tiles
    }

    /// What a later moment shows.
    mutating func next(_ stage: Stage, on canvas: PixelSize = landscape, at seconds: Double = 0) -> [Tile] {
        scene(of: stage, on: canvas, at: TimelineTime(microseconds: Int64(seconds * 1_000_000))).tiles
    }
}

extension [Tile] {
    var rectangles: [PixelRectangle] { map(\.rectangle) }
    /// Who is shown, by the numbers of `people`; a screen's owner with a prime.
    var order: [String] { map { $0.participant.value + ($0.label.hasSuffix("(screen)") ? "'" : "") } }
}
