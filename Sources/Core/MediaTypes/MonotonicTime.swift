/// A moment on the host's steady clock, which never jumps and never runs backwards. Nothing in the core reads a clock:
/// the shell hands these in.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start (on Linux, since boot).
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (time: Self, span: Duration) -> Self {
        Self(nanoseconds: time.nanoseconds &+ span.nanoseconds)
    }
    package static func - (time: Self, span: Duration) -> Self {
        Self(nanoseconds: time.nanoseconds &- span.nanoseconds)
    }
    package static func - (a: Self, b: Self) -> Duration { .nanoseconds(a.nanoseconds &- b.nanoseconds) }
}
