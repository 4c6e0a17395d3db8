import MediaTypes

/// A large place with a strip of small ones beside it: at the right of a wide canvas, below on an upright one.
struct LargeAndStrip {
    let large: PixelRectangle
    /// 16:9, in the middle of the strip.
    let smalls: [PixelRectangle]

    /// - Parameter gap: pixels between two places; even.
    init(smalls count: Int, on canvas: PixelSize, gap: Int) {
        guard count > 0 else {
            large = PixelRectangle(canvas)
            smalls = []
            return
        }
        let parts =
            switch count {
            case ...5: 5
            case ...12: 4
            default: 3
            }
        var strip = PixelRectangle(canvas)
        if canvas.width >= canvas.height {
            strip.width = canvas.width / parts & ~1
            strip.x = canvas.width - strip.width
            large = PixelRectangle(x: 0, y: 0, width: strip.x - gap, height: canvas.height)
        } else {
            strip.height = canvas.height / parts & ~1
            strip.y = canvas.height - strip.height
            large = PixelRectangle(x: 0, y: 0, width: canvas.width, height: strip.y - gap)
        }
        smalls = GridLayouter(gap: gap).rectangles(count: count, on: strip.size).map {
            PixelRectangle(x: $0.x + strip.x, y: $0.y + strip.y, width: $0.width, height: $0.height)
        }
    }
}
