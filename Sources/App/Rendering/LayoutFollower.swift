package import Composition
package import MediaTypes
package import RecordingFormat

/// Lays out one moment after the other as was chosen. A layout with a memory keeps it for as long as nothing is chosen anew.
package struct LayoutFollower {
    private var choice: LayoutChoice
    private var options = LayoutOptions()
    private var layouter: any Layouter

    package init(_ choice: LayoutChoice) {
        self.choice = choice
        layouter = choice.layout.layouter(LayoutOptions())
    }

    /// Chooses as somebody asked for, from the next moment on.
    package mutating func follow(_ control: ControlEvent) {
        let before = choice.layout
        choice.follow(control)
        if choice.layout != before { layouter = choice.layout.layouter(options) }
    }

    package mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let wanted = choice.options(on: stage)
        if wanted != options {
            options = wanted
            layouter = choice.layout.layouter(wanted)
        }
        return layouter.scene(of: stage, on: canvas, at: time)
    }
}
