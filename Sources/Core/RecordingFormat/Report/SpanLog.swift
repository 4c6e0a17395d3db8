import MediaTypes

/// Spans of time in which something was so: muted, say.
struct SpanLog: Sendable {
    private var total = Duration.zero
    private var since: TimelineTime?
    private var last: (from: TimelineTime, to: TimelineTime)?

    mutating func set(_ isOn: Bool, at time: TimelineTime) {
        switch (isOn, since) {
        case (true, nil): since = time
        case (false, let since?):
            if time > since { total += time - since }
            last = (since, max(since, time))
            self.since = nil
        case (true, _?), (false, nil): break
        }
    }

    func total(until end: TimelineTime) -> Duration {
        guard let since, end > since else { return total }
        return total + (end - since)
    }

    /// Whether it was so at some moment of a span that reaches to the present.
    func touches(from: TimelineTime, to: TimelineTime) -> Bool {
        if let since, since < to { return true }
        guard let last else { return false }
        return last.to > from && last.from < to
    }
}
