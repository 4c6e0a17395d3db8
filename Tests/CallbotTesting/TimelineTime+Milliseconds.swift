package import MediaTypes

extension TimelineTime {
    /// So many milliseconds after the recording's start.
    package static func ms(_ milliseconds: Int64) -> TimelineTime { TimelineTime(microseconds: milliseconds * 1000) }
}
