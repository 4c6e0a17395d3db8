package import MediaTypes

/// How much of a track came in each interval. At first a row a second; when there are too many rows, two become one.
package struct RateTable: Hashable, Sendable {
    package static let mostRows = 120

    package struct Row: Hashable, Sendable {
        package var frames = 0
        package var bytes: Int64 = 0
        /// Media time of this interval that frames cover.
        package var covered = Duration.zero

        static func + (a: Row, b: Row) -> Row {
            Row(frames: a.frames + b.frames, bytes: a.bytes + b.bytes, covered: a.covered + b.covered)
        }
    }

    /// A second, times a power of two.
    package private(set) var interval: Duration
    /// Where the first row begins: a multiple of the interval.
    package private(set) var from: TimelineTime
    package private(set) var rows: [Row]

    package init(interval: Duration = .seconds(1), from: TimelineTime = .zero, rows: [Row] = []) {
        self.interval = interval
        self.from = from
        self.rows = rows
    }

    /// Counts a frame.
    mutating func count(bytes: Int, at time: TimelineTime) {
        guard let index = index(of: time) else { return }
        rows[index].frames += 1
        rows[index].bytes += Int64(bytes)
    }

    /// Counts media time.
    mutating func cover(_ start: TimelineTime, _ end: TimelineTime) {
        var start = start
        while start < end, let index = index(of: start) {
            let rowEnd = from + interval * (index + 1)
            let part = min(end, rowEnd) - start
            rows[index].covered = min(interval, rows[index].covered + part)
            start = start + part
        }
    }

    /// The row that a moment falls into, which is made; nil for a moment before the first row.
    private mutating func index(of time: TimelineTime) -> Int? {
        if rows.isEmpty { from = TimelineTime(microseconds: floor(time.microseconds)) }
        guard time >= from else { return nil }
        while row(of: time) >= Self.mostRows { merge() }
        let index = row(of: time)
        while rows.count <= index { rows.append(Row()) }
        return index
    }

    private func row(of time: TimelineTime) -> Int {
        Int((time.microseconds - from.microseconds) / interval.microseconds)
    }

    private func floor(_ microseconds: Int64) -> Int64 {
        max(0, microseconds) / interval.microseconds * interval.microseconds
    }

    private mutating func merge() {
        interval = interval * 2
        let aligned = floor(from.microseconds)
        if aligned < from.microseconds { rows.insert(Row(), at: 0) }
        from = TimelineTime(microseconds: aligned)
        rows = stride(from: 0, to: rows.count, by: 2).map { index in
            index + 1 < rows.count ? rows[index] + rows[index + 1] : rows[index]
        }
    }
}
