package import MediaTypes

/// Alibaba's ApsaraVideo ARTC: a scrolling list of square tiles, two in a row, with margins between and around them;
/// oneself first.
package struct ARTCLayouter: Layouter {
    private let options: LayoutOptions

    package init(_ options: LayoutOptions = LayoutOptions()) { self.options = options }

    package func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let sessions = Sessions(of: stage, seenBy: options.viewpoint, self: .first, from: options.entrance ?? .track)
        let displayed = sessions.displayed
        return Scene(
            on: canvas, displayed, arrangement(displayed.count, on: canvas, at: time), options.contentMode ?? .fit)
    }

    private var gap: Double { options.gap(own: 24) }
    private var margin: Double { options.margin.map(Double.init) ?? options.points(24) }

    /// The places of `count` people, all of whom fit.
    package func places(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        guard count > 0 else { return [] }
        let scale = min(1, Double(canvas.height) / contentHeight(count: count, on: canvas))
        var grid = native(count: count, on: canvas)
        grid.side *= scale
        grid.gap *= scale
        if scale < 1, grid.side < OverflowPolicy.smallestSide || options.overflow == .reflow {
            let reflowed = grid.reflowed(on: canvas, gap: gap, margin: margin)
            if reflowed.columns != grid.columns { return reflowed.centred(on: canvas) }
        }
        return grid.rectangles(x: (Double(canvas.width) - grid.width) / 2, y: margin * scale)
    }

    /// How long the app's list is with its margins. The app itself says another height, by a slip.
    package func contentHeight(count: Int, on canvas: PixelSize) -> Double {
        native(count: count, on: canvas).height + 2 * margin
    }

    private func native(count: Int, on canvas: PixelSize) -> SquareGrid {
        SquareGrid(count: count, columns: 2, side: (Double(canvas.width) - 2 * margin - gap) / 2, gap: gap)
    }

    private func arrangement(_ count: Int, on canvas: PixelSize, at time: TimelineTime) -> Arrangement {
        if contentHeight(count: count, on: canvas) > Double(canvas.height) {
            let native = native(count: count, on: canvas)
            if options.isStrict { return Arrangement(native.rectangles(x: margin, y: margin)) }
            let rows = Int((Double(canvas.height) - 2 * margin + gap) / (native.side + gap))
            if case .page(let pace) = options.overflow, rows > 0 {
                let page = SquareGrid(count: rows * 2, columns: 2, side: native.side, gap: gap)
                return Arrangement(
                    pagesOf: page.rectangles(x: margin, y: margin), count: count, every: pace, at: time)
            }
        }
        return Arrangement(places(count: count, on: canvas))
    }
}
