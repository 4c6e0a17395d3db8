package import MediaTypes

/// A bad network in virtual time: one direction of a path that loses, delays, reorders and duplicates datagrams, the same
/// way in every run.
package struct LinkEmulator: Sendable {
    package struct Impairment: Sendable {
        /// Share of the datagrams lost, 0...1.
        package var loss = 0.0
        /// How many are lost in a row, on average; 1 is independent loss.
        package var meanBurst = 1.0
        /// What every datagram takes.
        package var delay = Duration.zero
        /// What it takes more, evenly spread from nothing to this. Changes no order.
        package var jitter = Duration.zero
        /// Share of the datagrams that take `reorderingDelay` more and are overtaken by others.
        package var reordering = 0.0
        package var reorderingDelay = Duration.milliseconds(8)
        /// Share of the datagrams that come twice.
        package var duplication = 0.0

        package init() {}
    }

    package var impairment: Impairment
    /// How many datagrams were lost so far.
    package private(set) var lost = 0

    private struct Transit {
        var arrival: MonotonicTime
        var order: Int
        var datagram: [UInt8]
    }

    private var generator: SeededGenerator
    /// Latest arrival first.
    private var transits: [Transit] = []
    private var arrived = OutputQueue<[UInt8]>()
    private var lastArrival = MonotonicTime(nanoseconds: .min)
    private var count = 0
    private var isLosing = false

    package init(_ impairment: Impairment = Impairment(), seed: UInt64) {
        self.impairment = impairment
        generator = SeededGenerator(seed: seed)
    }

    package mutating func handle(_ datagram: [UInt8], at now: MonotonicTime) {
        if isLost() {
            lost += 1
            return
        }
        let jitter = impairment.jitter * Double.random(in: 0...1, using: &generator)
        var arrival = max(now + impairment.delay + jitter, lastArrival)
        if generator.chance(impairment.reordering) {
            arrival = arrival + impairment.reorderingDelay
        } else {
            lastArrival = arrival
        }
        enter(datagram, arrival)
        if generator.chance(impairment.duplication) { enter(datagram, arrival + .milliseconds(1)) }
    }

    package mutating func wake(at now: MonotonicTime) {
        while let next = transits.last, next.arrival <= now {
            arrived.append(next.datagram)
            transits.removeLast()
        }
    }

    package mutating func nextOutput() -> [UInt8]? { arrived.next() }

    package var nextDeadline: MonotonicTime? { transits.last?.arrival }

    /// Gilbert's model: once it loses, it goes on for `meanBurst` datagrams on average.
    private mutating func isLost() -> Bool {
        guard impairment.loss > 0 else { return false }
        if isLosing {
            isLosing = generator.chance(1 - 1 / max(1, impairment.meanBurst))
            if isLosing { return true }
        }
        let entry = impairment.loss / max(1, impairment.meanBurst) / max(0.01, 1 - impairment.loss)
        isLosing = generator.chance(impairment.meanBurst > 1 ? entry : impairment.loss)
        return isLosing
    }

    private mutating func enter(_ datagram: [UInt8], _ arrival: MonotonicTime) {
        let transit = Transit(arrival: arrival, order: count, datagram: datagram)
        count += 1
        let position = transits.lastIndex { ($0.arrival, $0.order) > (arrival, transit.order) }.map { $0 + 1 } ?? 0
        transits.insert(transit, at: position)
    }
}
