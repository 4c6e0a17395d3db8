import MediaEngines
import MediaTypes

/// Keeps the canvas of the moment that stands best for the call: where most people can be seen, a little after that began,
/// so that cameras have found their exposure and nobody is half in.
final class PosterChooser {
    private let poster: Canvas
    private var isEmpty = true
    /// How many live pictures the poster shows.
    private var score = 0
    /// When that many were first seen, while it may still be replaced by a settled moment.
    private var unsettledSince: TimelineTime?

    init(size: PixelSize) { poster = Canvas(size: size) }

    /// - Parameter pictures: where the canvas shows pictures of people.
    func consider(_ canvas: Canvas, pictures: [PixelRectangle], at time: TimelineTime) {
        let seen = pictures.count { Self.isLively($0, on: canvas) }
        if isEmpty || seen > score {
            unsettledSince = time
        } else if seen == score, let since = unsettledSince, time - since >= .seconds(2) {
            unsettledSince = nil
        } else {
            return
        }
        isEmpty = false
        score = seen
        poster.copy(PixelRectangle(poster.size), from: canvas)
    }

    /// A JPEG; nil when nothing was considered.
    func jpeg() throws -> [UInt8]? { isEmpty ? nil : try PictureFile.jpeg(poster) }

    /// Whether a picture has light and shade: a covered lens has neither.
    private static func isLively(_ region: PixelRectangle, on canvas: Canvas) -> Bool {
        var (lowest, highest) = (UInt8.max, UInt8.min)
        for row in 1...8 {
            for column in 1...8 {
                let x = region.x + region.width * column / 9
                let y = region.y + region.height * row / 10
                let luma = canvas.pixel(atX: x, y: y).luma
                (lowest, highest) = (min(lowest, luma), max(highest, luma))
            }
        }
        return highest > 40 && highest - lowest > 8
    }
}
