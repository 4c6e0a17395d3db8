package import MediaTypes

/// What a WebM file says of itself in its Info element (RFC 9559 section 5.1.2).
package struct SegmentInfo: Hashable, Sendable {
    /// Empty for none.
    package var title: String
    /// The wall time of the file's time zero.
    package var dateUTC: WallTime?

    package init(title: String = "", dateUTC: WallTime? = nil) {
        self.title = title
        self.dateUTC = dateUTC
    }
}

extension SegmentInfo {
    /// The size of a Duration element, which is reserved as a Void and filled in when the file is finished.
    static let durationLength = 11

    /// Appends the Info element and returns where in `bytes` the space for Duration is: the last `durationLength` bytes.
    func append(to bytes: inout EBMLBytes) -> Int {
        bytes.append(.info) { info in
            info.append(.timestampScale, unsigned: 1_000_000)
            info.append(.muxingApp, string: "callbot")
            info.append(.writingApp, string: "callbot")
            if let dateUTC {
                info.append(.dateUTC, date: (dateUTC.microseconds &- Self.millennium) &* 1000)
            }
            if !title.isEmpty { info.append(.title, string: title) }
            info.appendVoid(total: Self.durationLength)
        }
        return bytes.bytes.count - Self.durationLength
    }

    /// Where the time of DateUTC begins: 2001-01-01T00:00:00 UTC, in microseconds.
    private static let millennium: Int64 = 978_307_200_000_000

    static func wallTime(sinceMillennium nanoseconds: Int64) -> WallTime {
        WallTime(microseconds: nanoseconds / 1000 &+ millennium)
    }

    /// The Duration element, in milliseconds, to put into the reserved space.
    static func duration(_ duration: Duration) -> [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.duration, float: max(0, Double(duration.microseconds) / 1000))
        return bytes.bytes
    }
}
