package import MediaTypes

extension SimulatedCall {
    /// How much later picture than sound of a participant is dated, by the true times of capture, in milliseconds: one for
    /// each picture that has a sound captured within 100 ms of it, where both are settled.
    package func offsets(of participant: Int, during range: Range<MonotonicTime>? = nil) -> [Double] {
        let tracks = plan.participants.indices.filter { plan.participants[$0] == participant }
        guard let sound = tracks.first(where: { accounts[$0].kind == .audio }),
            let picture = tracks.first(where: { accounts[$0].kind == .video })
        else { return [] }
        let sounds = accounts[sound].datings
        var offsets: [Double] = []
        var next = 0
        for dating in accounts[picture].datings where dating.isSettled && range?.contains(dating.captured) ?? true {
            while next + 1 < sounds.count, sounds[next + 1].captured <= dating.captured { next += 1 }
            guard next < sounds.count, sounds[next].isSettled,
                abs((sounds[next].captured - dating.captured).nanoseconds) < 100_000_000
            else { continue }
            offsets.append(dating.error - sounds[next].error)
        }
        return offsets
    }
}

/// A share of some values is no further from zero than this; 0 for none.
package func percentile(_ share: Double, of values: [Double]) -> Double {
    if values.isEmpty { return 0 }
    let sorted = values.map(abs).sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}
