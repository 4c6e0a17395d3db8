package import MediaTypes

/// anyRTC's ARCall: a group is a list of square tiles, two to five in a row, oneself first; a call of two is one picture
/// full and one small above it, which change places when the small one is chosen as full.
package struct ARCallLayouter: Layouter {
    private let options: LayoutOptions
    private var full: FullView

    package init(_ options: LayoutOptions = LayoutOptions()) {
        self.options = options
        full = FullView(options.full)
    }

    package mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let sessions = Sessions(of: stage, seenBy: options.viewpoint, self: .first, from: options.entrance ?? .join)
        let displayed = sessions.displayed
        let contentMode = options.contentMode ?? .crop
        let large = full.index(among: displayed, atLeast: 2)
        if isOneToOne(displayed.count, hasViewer: sessions.viewer != nil) {
            let other = displayed.count > 1 && sessions.viewer != nil ? 1 : 0
            return Scene(
                on: canvas, displayed.moved(large ?? other), in: [FractionalRectangle(canvas), small(on: canvas)],
                contentMode)
        }
        return Scene(on: canvas, displayed, arrangement(displayed.count, on: canvas, at: time), contentMode)
    }

    private func isOneToOne(_ count: Int, hasViewer: Bool) -> Bool {
        switch options.isOneToOne {
        case true?: count == 1 || count == 2
        case false?: false
        case nil: count == 2 && hasViewer
        }
    }

    /// The small place in a call of two.
    package func small(on canvas: PixelSize) -> FractionalRectangle {
        FractionalRectangle(
            x: Double(canvas.width) - options.points(108), y: options.points(88), width: options.points(95),
            height: options.points(157))
    }

    /// The places of `count` people in a group, all of whom fit.
    package func places(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        guard count > 0 else { return [] }
        let native = native(count: count, on: canvas)
        guard native.height > Double(canvas.height) else { return native.centred(on: canvas) }
        let gap = options.gap(own: 1)
        let scaled = SquareGrid(count: count, columns: native.columns, fitting: canvas, gap: gap)
        let isTooSmall = scaled.side < OverflowPolicy.smallestSide || options.overflow == .reflow
        return (isTooSmall ? scaled.reflowed(on: canvas, gap: gap) : scaled).centred(on: canvas)
    }

    /// The app's list, as wide as the canvas and as long as it gets. Its middle rows sink a little, which is not copied.
    package func contentHeight(count: Int, on canvas: PixelSize) -> Double { native(count: count, on: canvas).height }

    private func native(count: Int, on canvas: PixelSize) -> SquareGrid {
        let columns = min(5, max(2, CellGrid.columnsOfSquare(holding: count)))
        let gap = options.gap(own: 1)
        let side = (Double(canvas.width) - Double(columns - 1) * gap) / Double(columns)
        return SquareGrid(count: count, columns: columns, side: side, gap: gap)
    }

    private func arrangement(_ count: Int, on canvas: PixelSize, at time: TimelineTime) -> Arrangement {
        let native = native(count: count, on: canvas)
        if count > 0, native.height > Double(canvas.height) {
            if options.isStrict { return Arrangement(native.rectangles(x: 0, y: 0)) }
            let rows = Int((Double(canvas.height) + native.gap) / (native.side + native.gap))
            if case .page(let pace) = options.overflow, rows > 0 {
                let page = SquareGrid(
                    count: rows * native.columns, columns: native.columns, side: native.side, gap: native.gap)
                return Arrangement(pagesOf: page.centred(on: canvas), count: count, every: pace, at: time)
            }
        }
        return Arrangement(places(count: count, on: canvas))
    }
}
