/// Joins the parts of messages that SCTP hands over before their end (partial delivery, RFC 6458 section 8.1.20), stream by
/// stream, and forgets those that grow too long.
struct MessageReassembly {
    private struct Partial {
        var octets: [UInt8] = []
        var isTooLong = false
    }

    /// Octets of the longest message that is kept.
    let limit: Int
    /// Messages that were longer.
    private(set) var oversizedMessages = 0
    private var partials: [UInt16: Partial] = [:]

    init(limit: Int) { self.limit = limit }

    /// - Returns: the whole message, when this part ends one that is not too long.
    mutating func take(_ part: [UInt8], stream: UInt16, isLast: Bool) -> [UInt8]? {
        if isLast, part.count <= limit, partials.isEmpty { return part }  // nearly always
        var partial = partials.removeValue(forKey: stream) ?? Partial()
        if partial.isTooLong || partial.octets.count + part.count > limit {
            partial = Partial(octets: [], isTooLong: true)
        } else {
            partial.octets += part
        }
        guard isLast else {
            partials[stream] = partial
            return nil
        }
        if partial.isTooLong {
            oversizedMessages += 1
            return nil
        }
        return partial.octets
    }

    /// Partial messages of these streams will not be finished.
    mutating func forget(streams: [UInt16]) {
        for stream in streams { partials[stream] = nil }
    }

    mutating func forgetAll() { partials = [:] }
}
