package import MediaTypes

/// The drop-in app in the manner of Houseparty: everybody else side by side in the upper half, oneself in the lower one;
/// without a viewpoint the last to arrive. The app means to give the lower tile the whole width and, by a slip, gives it
/// that of the others; so does this when strict.
package struct DropInLayouter: Layouter {
    private let options: LayoutOptions

    package init(_ options: LayoutOptions = LayoutOptions()) { self.options = options }

    package func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let sessions = Sessions(of: stage, seenBy: options.viewpoint, self: .last, from: options.entrance ?? .join)
        let displayed = sessions.displayed
        let contentMode = options.contentMode ?? .fit
        let perPage = capacity(of: canvas)
        if case .page(let pace) = options.overflow, !options.isStrict, displayed.count - 1 > perPage {
            var places = places(count: perPage + 1, on: canvas)
            let bottom = places.removeLast()
            let page = Arrangement(pagesOf: places, count: displayed.count - 1, every: pace, at: time)
            return Scene(
                on: canvas, displayed[page.shown] + displayed.suffix(1), in: page.rectangles + [bottom], contentMode)
        }
        return Scene(on: canvas, displayed, in: places(count: displayed.count, on: canvas), contentMode)
    }

    /// How many fit side by side in the upper half.
    private func capacity(of canvas: PixelSize) -> Int {
        max(1, Int(Double(canvas.width) / OverflowPolicy.smallestSide))
    }

    /// The places of `count` people, the one at the bottom last.
    package func places(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        let gap = options.gap(own: 0)
        guard count > 1 else { return count == 1 ? [FractionalRectangle(canvas)] : [] }
        let halves = CellGrid(columns: 1, rows: 2, area: FractionalRectangle(canvas), gap: gap)
        var bottom = halves.cell(1)
        let top = topGrid(count: count - 1, in: halves.cell(0), gap: gap, on: canvas).cells(count - 1)
        if options.isStrict { bottom.width = top[0].width }
        return top + [bottom]
    }

    /// One row, or the fewest rows with which no tile is too narrow.
    private func topGrid(count: Int, in area: FractionalRectangle, gap: Double, on canvas: PixelSize) -> CellGrid {
        var rows = 1
        if !options.isStrict {
            let most = capacity(of: canvas)
            while CellGrid.rows(of: count, columns: rows) > most { rows += 1 }
        }
        let columns = CellGrid.rows(of: count, columns: rows)
        return CellGrid(columns: columns, rows: rows, area: area, gap: gap)
    }
}
