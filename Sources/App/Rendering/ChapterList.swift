package import MediaTypes
package import WebM

/// The chapters of a composite: every mark begins one, which ends at the next.
package struct ChapterList {
    private var marks: [(time: TimelineTime, title: String)] = []

    package init() {}

    /// Marks may come a little out of order, and from before the file's beginning.
    package mutating func mark(_ title: String, at time: TimelineTime) {
        let place = marks.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        marks.insert((time, title), at: place)
    }

    /// Those of a file that ends at `end`. What is under way at its beginning begins there.
    package func chapters(before end: TimelineTime) -> [Chapter] {
        let ends = marks.dropFirst().map(\.time) + [end]
        return zip(marks, ends).compactMap { mark, next in
            let (start, end) = (max(mark.time, .zero), min(next, end))
            return start < end ? Chapter(time: start, end: end, title: mark.title) : nil
        }
    }
}
