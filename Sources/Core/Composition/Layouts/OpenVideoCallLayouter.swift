package import MediaTypes

/// Agora's OpenVideoCall of 2018: one's own picture is in the corner while there are two, and last in a grid of more; of
/// three or more, one can be full with the others in a strip. The app has places for four; here further ones make the
/// grid finer, and the strip fits on the canvas.
package struct OpenVideoCallLayouter: Layouter {
    private let options: LayoutOptions
    private var full: FullView
    /// The size of the viewer's camera as it was last known: the corner keeps its shape while the camera is silent.
    private var selfSize: PixelSize?

    package init(_ options: LayoutOptions = LayoutOptions()) {
        self.options = options
        full = FullView(options.full)
    }

    package mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let sessions = Sessions(of: stage, seenBy: options.viewpoint, self: .last, from: options.entrance ?? .picture)
        let displayed = sessions.displayed
        let contentMode = options.contentMode ?? .fit
        selfSize = sessions.viewer?.camera?.size ?? selfSize
        if let index = full.index(among: displayed, atLeast: 3) {
            let smalls = min(displayed.count - 1, options.isStrict ? 4 : options.stripMaximum)
            let places = [FractionalRectangle(canvas)] + strip(count: smalls, on: canvas)
            return Scene(on: canvas, displayed.moved(index), in: places, contentMode)
        }
        if displayed.count == 2, let viewer = sessions.viewer {
            let places = [FractionalRectangle(canvas), corner(selfSize, on: canvas)]
            return Scene(on: canvas, displayed, in: viewer.isCameraMuted ? [places[0]] : places, contentMode)
        }
        return Scene(
            on: canvas, displayed,
            Arrangement(displayed.count, appHas: 4, options, at: time) { places(count: $0, on: canvas) }, contentMode)
    }

    /// The grid of `count` people.
    package func places(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        CellGrid.balanced(count: count, in: FractionalRectangle(canvas), gap: options.gap(own: 0)).cells(count)
    }

    /// The place of one's own picture above that of the only other.
    /// - Parameter size: the camera's, if it is known; turned the way the canvas is.
    package func corner(_ size: PixelSize?, on canvas: PixelSize) -> FractionalRectangle {
        let canvasWidth = Double(canvas.width)
        var ratio = canvasWidth / Double(max(1, canvas.height))
        if let size, size.width > 0, size.height > 0 {
            let (long, short) = (Double(max(size.width, size.height)), Double(min(size.width, size.height)))
            ratio = canvas.width > canvas.height ? long / short : short / long
        }
        let width = canvasWidth / 4
        return FractionalRectangle(
            x: canvasWidth - options.points(5) - width, y: options.points(64), width: width, height: width / ratio)
    }

    /// The small places above somebody full: a row on an upright canvas, a column at the right of a wide one. Off the
    /// canvas as in the app when strict, otherwise fitted.
    package func strip(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        let (canvasWidth, canvasHeight) = (Double(canvas.width), Double(canvas.height))
        let (smalls, gap) = (Double(max(1, count)), options.gap(own: 9))
        let isColumn = canvas.width > canvas.height
        let top = options.points(isColumn ? 55 : 64)
        var fraction = 0.25
        if !options.isStrict {
            let room =
                isColumn
                ? (canvasHeight - top - gap * smalls) / canvasHeight : (canvasWidth - gap * (smalls + 1)) / canvasWidth
            fraction = min(fraction, room / smalls)
        }
        let (width, height) = (canvasWidth * fraction, canvasHeight * fraction)
        return (0..<max(0, count)).map { index in
            isColumn
                ? FractionalRectangle(
                    x: canvasWidth - gap - width, y: top + Double(index) * (height + gap), width: width, height: height)
                : FractionalRectangle(x: gap + Double(index) * (width + gap), y: top, width: width, height: height)
        }
    }
}
