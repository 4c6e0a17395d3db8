package import MediaTypes

/// Small pictures of a whole call side by side in one large one, ten in a row: which stands where, and for which part of
/// the call.
package struct ThumbnailSheet: Hashable, Sendable {
    package static let columns = 10
    /// How many there are at most.
    package static let most = 100
    /// No side of a thumbnail is longer, in pixels.
    private static let longestSide = 160

    /// Of one thumbnail.
    package let tile: PixelSize
    /// How much of the call one stands for.
    package let interval: Duration
    package let count: Int
    private let duration: Duration

    /// - Parameters:
    ///   - picture: the size of the call's pictures.
    ///   - duration: the call's. Nil comes of a call without a moment.
    package init?(of picture: PixelSize, duration: Duration) {
        let duration = (TimelineTime.zero + duration).plausible - TimelineTime.zero
        guard 1...65_535 ~= picture.width, 1...65_535 ~= picture.height, duration >= .milliseconds(1) else {
            return nil
        }
        self.duration = duration
        interval = Self.interval(for: duration)
        count = Int((duration.nanoseconds + interval.nanoseconds - 1) / interval.nanoseconds)
        let longer = max(picture.width, picture.height)
        func side(_ length: Int) -> Int { max(2, (length * Self.longestSide / longer + 1) & ~1) }
        tile = PixelSize(width: side(picture.width), height: side(picture.height))
    }

    /// The shortest of these with which there are not too many; for calls of many hours, whole minutes.
    private static func interval(for duration: Duration) -> Duration {
        let steps = [2, 3, 5, 10, 15, 20, 30, 45, 60, 75, 90, 120].map { Duration.seconds($0) }
        if let step = steps.first(where: { $0 * most >= duration }) { return step }
        let minutes = (duration.nanoseconds / Int64(most) + 59_999_999_999) / 60_000_000_000
        return .seconds(60 * minutes)
    }

    /// Of all of them.
    package var size: PixelSize {
        PixelSize(
            width: min(count, Self.columns) * tile.width,
            height: (count + Self.columns - 1) / Self.columns * tile.height)
    }

    /// Where a thumbnail stands.
    package func region(_ index: Int) -> PixelRectangle {
        PixelRectangle(
            x: index % Self.columns * tile.width, y: index / Self.columns * tile.height, width: tile.width,
            height: tile.height)
    }

    /// Which part of the call a thumbnail stands for.
    package func part(_ index: Int) -> Range<TimelineTime> {
        let start = TimelineTime.zero + interval * index
        return start..<min(start + interval, .zero + duration)
    }

    /// The moment that a thumbnail shows, if it costs nothing; else one a little before it, in the same part.
    package func moment(_ index: Int) -> TimelineTime {
        let part = part(index)
        return part.lowerBound + (part.upperBound - part.lowerBound) / 2
    }

    /// `thumbnails.vtt`: for each part of the call, the file and the region of it (Media Fragments URI, section 4.2.2) that
    /// a player shows.
    package var cues: String {
        var text = "WEBVTT\n"
        for index in 0..<count {
            let (part, region) = (part(index), region(index))
            let (start, end) = (part.lowerBound.milliseconds, part.upperBound.milliseconds)
            guard start < end else { continue }
            text += "\n\(WebVTT.timestamp(start)) --> \(WebVTT.timestamp(end))\n"
            text += "\(FileNaming.thumbnails)#xywh=\(region.x),\(region.y),\(region.width),\(region.height)\n"
        }
        return text
    }
}
