/// A moment on a recording's timeline: the one clock that journal, tracks, chat and composite share. Zero is the
/// moment at which the recording starts.
package struct TimelineTime: Hashable, Comparable, Sendable {
    /// Microseconds since the recording's origin. Negative only for what was captured before the origin.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static let zero = TimelineTime(microseconds: 0)

    /// Seconds since the origin, for reading and printing, not for arithmetic.
    package var seconds: Double { Double(microseconds) / 1_000_000 }

    /// The nearest whole millisecond: the resolution of the WebM files (Matroska's default TimestampScale).
    package var milliseconds: Int64 {
        let shifted = microseconds &+ 500
        return shifted >= 0 ? shifted / 1000 : -((-shifted + 999) / 1000)
    }

    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
    package static func + (time: Self, span: Duration) -> Self {
        Self(microseconds: time.microseconds &+ span.microseconds)
    }
    package static func - (time: Self, span: Duration) -> Self {
        Self(microseconds: time.microseconds &- span.microseconds)
    }
    package static func - (a: Self, b: Self) -> Duration { .microseconds(a.microseconds &- b.microseconds) }
}
