/// A moment on the host's steady clock, which never jumps and never runs backwards. Nothing in the core reads a clock:
/// the shell hands these in.
@usableFromInline package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start (on Linux, since boot).
    @usableFromInline package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (time: Self, span: Duration) -> Self {
        Self(nanoseconds: time.nanoseconds &+ span.nanoseconds)
    }
    package static func - (time: Self, span: Duration) -> Self {
        Self(nanoseconds: time.nanoseconds &- span.nanoseconds)
    }
    package static func - (a: Self, b: Self) -> Duration { .nanoseconds(a.nanoseconds &- b.nanoseconds) }
}

/// The earlier of two moments, either of which may never come.
@inlinable package func earliest(_ a: MonotonicTime?, _ b: MonotonicTime?) -> MonotonicTime? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}
