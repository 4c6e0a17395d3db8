import MediaTypes

/// What becomes of people for whom an app would scroll or have no place. Nobody can scroll a file.
package enum OverflowPolicy: Hashable, Sendable {
    /// Everything is made smaller, in the same shape; in more columns once a tile's side would fall below
    /// `smallestSide`. Everyone is seen all the time, and the picture depends on nothing but who is there.
    case scale
    /// More columns at once, as many as make the tiles largest.
    case reflow
    /// Pages of as many people as the app has room for, turned at this pace, which is more than zero. Hides people.
    case page(every: Duration)

    /// In pixels: below this a face is not recognised.
    package static let smallestSide = 96.0
}

/// Which of the people the canvas shows, and where.
struct Arrangement {
    var shown: Range<Int>
    var rectangles: [FractionalRectangle]

    /// Everybody who has a place, from the first on.
    init(_ rectangles: [FractionalRectangle]) {
        shown = 0..<rectangles.count
        self.rectangles = rectangles
    }

    /// Everybody, in places that are made for their number; or as few as the app has places for, at once or on pages, where that
    /// is asked for.
    init(
        _ count: Int, appHas most: Int, _ options: LayoutOptions, at time: TimelineTime,
        places: (Int) -> [FractionalRectangle]
    ) {
        guard count > most else {
            self.init(places(count))
            return
        }
        if options.isStrict {
            self.init(places(most))
        } else if case .page(let pace) = options.overflow {
            self.init(pagesOf: places(most), count: count, every: pace, at: time)
        } else {
            self.init(places(count))
        }
    }

    /// The page that is up at `time`, of `count` people on pages with these places.
    init(pagesOf places: [FractionalRectangle], count: Int, every pace: Duration, at time: TimelineTime) {
        let capacity = max(1, places.count)
        let pages = max(1, (count + capacity - 1) / capacity)
        let page = Int(max(0, time.microseconds) / max(1, pace.microseconds) % Int64(pages))
        shown = page * capacity..<min(count, (page + 1) * capacity)
        rectangles = Array(places.prefix(shown.count))
    }
}
