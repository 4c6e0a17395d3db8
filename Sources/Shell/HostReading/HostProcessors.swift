import CHost

/// The processors that this process may use.
package struct HostProcessors: Hashable, Sendable {
    /// How many it may run on.
    package var count: Int
    /// How many of them its control group may use in total; nil without such a limit.
    package var quota: Double?

    package init(count: Int, quota: Double? = nil) {
        self.count = count
        self.quota = quota
    }

    /// What there is to share out.
    package var usable: Double { min(Double(count), quota ?? .infinity) }

    package static func read() -> HostProcessors {
        HostProcessors(count: max(1, Int(cb_allowed_processors())), quota: ControlGroup.smallest("cpu.max", quota(of:)))
    }

    /// `MAX PERIOD`, in microseconds, or `max PERIOD`.
    static func quota(of text: String) -> Double? {
        let parts = text.split(whereSeparator: \.isWhitespace).map { Double($0) }
        guard parts.count == 2, let most = parts[0], let period = parts[1], period > 0 else { return nil }
        return most / period
    }
}
