extension Duration {
    /// The whole nanoseconds of this span; saturates after 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
    }

    /// The whole microseconds of this span, rounded towards zero.
    package var microseconds: Int64 { nanoseconds / 1000 }

    /// The span in seconds, for reading and printing and for floating-point filters.
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
