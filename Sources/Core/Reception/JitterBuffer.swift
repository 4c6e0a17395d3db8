import MediaTypes
import RTP

/// One packet with its unwrapped sequence number and when it came.
struct ArrivedPacket: Sendable {
    var packet: RTPPacket
    var number: ExtendedSequenceNumber
    var arrival: MonotonicTime
}

/// Puts the packets of one source in order and waits for missing ones while they may still come.
///
/// It is a recorder's buffer, not a player's: a packet that is next leaves at once, and only behind a gap others wait, up
/// to `patience` from the moment the gap was noticed.
struct JitterBuffer: Sendable {
    enum Output: Sendable {
        case packet(ArrivedPacket)
        /// So many packets are missing here and given up.
        case gap(Int64)
    }

    enum Insertion: Equatable {
        /// Taken; behind `missing`, when the packet was not the next one expected.
        case taken(missing: Range<Int64>?)
        case duplicate
        /// It was given up, or is older than the first one.
        case late
        /// Further ahead than the buffer is large.
        case tooFarAhead
    }

    private struct Gap {
        /// The number behind the last missing one.
        var end: Int64
        var noticed: MonotonicTime
    }

    /// A span of packets longer than this makes the oldest gap be given up.
    static let longestSpan: Int64 = 4096

    let patience: Duration
    private var slots: [ArrivedPacket?] = Array(repeating: nil, count: 64)
    /// The number that is to leave next; nil before the first packet.
    private var next: Int64?
    private var highest: Int64 = .min
    /// What is missing before this number is not waited for any longer.
    private var givenUp: Int64 = .min
    private var gaps: [Gap] = []
    /// The first packet's number: what is before it was never waited for.
    private var first: Int64 = .min
    /// Until then nothing leaves, since the first packet to arrive need not be the first that was sent. Nil once that is
    /// over.
    private var settling: MonotonicTime?
    /// The last few ranges given up, to tell a late packet from a duplicate.
    private var passedOver: [Range<Int64>] = []

    /// How long the first packet waits for others that were sent before it.
    static let settlingTime = Duration.milliseconds(60)
    /// Not further before it than this.
    static let settlingSpan: Int64 = 64

    init(patience: Duration) { self.patience = patience }

    /// When the first packets will leave, or the oldest gap will be given up.
    var nextDeadline: MonotonicTime? { settling ?? gaps.first.map { $0.noticed + patience } }

    /// The number that is to leave next: what is before it is done with.
    var head: ExtendedSequenceNumber? { next.map(ExtendedSequenceNumber.init) }

    /// The first packet that waits behind a gap.
    var firstHeld: RTPPacket? {
        guard var number = next else { return nil }
        while number <= highest {
            if let arrived = slots[index(number)] { return arrived.packet }
            number &+= 1
        }
        return nil
    }

    /// - Parameter mayHavePredecessors: the packet does not look like the first one of its source. If it is the first to
    ///   come, it waits a little for those before it.
    mutating func insert(_ arrived: ArrivedPacket, mayHavePredecessors: Bool = false) -> Insertion {
        let number = arrived.number.value
        guard let next else {
            self.next = number
            first = number
            highest = number
            settling = mayHavePredecessors ? arrived.arrival + Self.settlingTime : nil
            store(arrived)
            return .taken(missing: nil)
        }
        if let settling, settling <= arrived.arrival { self.settling = nil }
        if settling != nil, number < next, next &- number <= Self.settlingSpan {
            return insertBefore(next, arrived)
        }
        if number < next {
            return number < first || passedOver.contains { $0.contains(number) } ? .late : .duplicate
        }
        if number &- next >= 2 * Self.longestSpan { return .tooFarAhead }
        if number <= highest {
            if slots[index(number)] != nil { return .duplicate }
            store(arrived)
            return .taken(missing: nil)
        }
        while number &- next >= Int64(slots.count) { grow() }
        store(arrived)
        let missing = highest &+ 1..<number
        highest = number
        if number &- next >= Self.longestSpan { givenUp = max(givenUp, number &- Self.longestSpan &+ 1) }
        if missing.isEmpty { return .taken(missing: nil) }
        gaps.append(Gap(end: number, noticed: arrived.arrival))
        return .taken(missing: missing)
    }

    /// Something that was sent before the first packet has come while that was still waited for.
    private mutating func insertBefore(_ next: Int64, _ arrived: ArrivedPacket) -> Insertion {
        let number = arrived.number.value
        while highest &- number >= Int64(slots.count) { grow() }
        self.next = number
        first = number
        store(arrived)
        let missing = number &+ 1..<next
        if missing.isEmpty { return .taken(missing: nil) }
        gaps.insert(Gap(end: next, noticed: arrived.arrival), at: 0)
        return .taken(missing: missing)
    }

    /// Lets the first packets leave, and gives up the gaps whose time is over.
    mutating func wake(at now: MonotonicTime) {
        if let settling, settling <= now { self.settling = nil }
        while let gap = gaps.first, gap.noticed + patience <= now {
            givenUp = max(givenUp, gap.end)
            gaps.removeFirst()
        }
    }

    /// Gives up every gap: nothing more will come.
    mutating func flush() {
        settling = nil
        if next != nil { givenUp = highest &+ 1 }
    }

    /// Forgets the order: the next packet is the first again. What has not left is lost; flush and drain before.
    mutating func restart() {
        self = JitterBuffer(patience: patience)
    }

    mutating func nextOutput() -> Output? {
        guard settling == nil, let number = next, number <= highest else { return nil }
        if let arrived = slots[index(number)] {
            slots[index(number)] = nil
            advance(to: number &+ 1)
            return .packet(arrived)
        }
        guard number < givenUp else { return nil }
        var end = number
        while end <= highest, end < givenUp, slots[index(end)] == nil { end &+= 1 }
        if passedOver.count == 16 { passedOver.removeFirst() }
        passedOver.append(number..<end)
        advance(to: end)
        return .gap(end &- number)
    }

    private mutating func advance(to number: Int64) {
        next = number
        while let gap = gaps.first, gap.end <= number { gaps.removeFirst() }
    }

    private func index(_ number: Int64) -> Int { Int(truncatingIfNeeded: number) & (slots.count - 1) }

    private mutating func store(_ arrived: ArrivedPacket) { slots[index(arrived.number.value)] = arrived }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: nil, count: old.count * 2)
        for case let arrived? in old { store(arrived) }
    }
}
