import MediaTypes

/// Another layout on a smaller canvas, with background around it.
struct MarginLayouter: Layouter {
    private var inner: any Layouter
    private let margin: Int

    /// - Parameter margin: pixels at each edge; at most a quarter of the canvas's shorter side is taken.
    init(_ margin: Int, around inner: any Layouter) {
        self.inner = inner
        self.margin = max(0, margin)
    }

    mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let margin = min(margin, canvas.width / 4, canvas.height / 4) & ~1
        let area = PixelRectangle(
            x: margin, y: margin, width: canvas.width - 2 * margin, height: canvas.height - 2 * margin)
        let scene = inner.scene(of: stage, on: area.size, at: time)
        return Scene(canvas: canvas, tiles: scene.tiles(in: area))
    }
}
