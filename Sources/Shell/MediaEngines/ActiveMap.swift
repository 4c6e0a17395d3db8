import MediaTypes

/// Which macroblocks (16x16 pixels) of the output still change: the encoder may pass over all others.
///
/// A macroblock stays active for a while after its last change, so that what stands still gets sharp first.
struct ActiveMap {
    let columns: Int
    let rows: Int
    /// How long a change keeps a macroblock active, in output ticks.
    let sharpening: Int64
    private var lastChange: [Int64]
    private(set) var latestChange: Int64 = .min / 2
    /// 1 where active, in raster order.
    private(set) var active: [UInt8]

    init(size: PixelSize, sharpening: Int64) {
        columns = (size.width + 15) / 16
        rows = (size.height + 15) / 16
        self.sharpening = sharpening
        lastChange = Array(repeating: .min / 2, count: columns * rows)
        active = Array(repeating: 1, count: columns * rows)
    }

    /// Notes what has changed since the tick before; nil for everything.
    mutating func note(_ changed: [PixelRectangle]?, at tick: Int64) {
        guard let changed else {
            latestChange = tick
            for index in lastChange.indices { lastChange[index] = tick }
            return
        }
        for region in changed {
            let left = max(0, region.x) / 16
            let top = max(0, region.y) / 16
            let right = min(columns, (region.right + 15) >> 4)
            let bottom = min(rows, (region.bottom + 15) >> 4)
            guard left < right, top < bottom else { continue }
            latestChange = tick
            for row in top..<bottom {
                for column in left..<right { lastChange[row * columns + column] = tick }
            }
        }
    }

    /// Whether nothing is left to be sharpened at this tick.
    func isStill(at tick: Int64) -> Bool { tick - latestChange > sharpening }

    /// Brings `active` up to this tick; returns whether anything is passed over.
    mutating func update(at tick: Int64) -> Bool {
        var still = false
        for index in active.indices {
            let isActive = tick - lastChange[index] <= sharpening
            active[index] = isActive ? 1 : 0
            still = still || !isActive
        }
        return still
    }
}
