/// The sum of all voices: stereo at 48 kHz, on the timeline's samples. Whatever is not filled is silence; where the sum
/// would clip, the limiter turns it down for a moment.
package struct AudioMixer {
    /// How far sound must be complete beyond what is taken, in samples.
    package static let lookAhead = Int64(Limiter.delay)

    /// Interleaved sums from `origin` on.
    private var sums: [Float] = []
    private var origin: Int64
    private let start: Int64
    private var limiter = Limiter()
    /// How far the limiter has seen.
    private var seen: Int64

    /// What came too late to be heard, in samples. What lies before the mixer's start is not late.
    package private(set) var lateSamples: Int64 = 0

    /// Starts at a sample of the timeline.
    package init(at origin: Int64 = 0) {
        self.origin = origin
        start = origin
        seen = origin
    }

    /// The first sample that has not been taken.
    package var position: Int64 { origin }

    /// Adds interleaved stereo samples `range` (counted in pairs) of `stereo` at a sample of the timeline.
    package mutating func add(_ stereo: [Float], _ range: Range<Int>, at position: Int64) {
        let open = max(origin, seen)
        let late = min(Int64(range.count), max(0, open &- position))
        lateSamples &+= max(0, min(open, position &+ Int64(range.count)) &- max(start, position))
        let first = range.lowerBound + Int(late)
        guard first < range.upperBound else { return }
        let offset = Int(position &+ late &- origin) * 2
        let count = (range.upperBound - first) * 2
        grow(to: offset + count)
        let source = stereo.span.extracting(first * 2..<range.upperBound * 2)
        var target = sums.mutableSpan
        for index in 0..<count { target[offset &+ index] += source[index] }
    }

    /// Appends everything before `end` to `output`, interleaved. All sound before `end + lookAhead` must have been added.
    package mutating func take(upTo end: Int64, into output: inout [Float]) {
        guard end > origin else { return }
        let count = Int(end - origin)
        grow(to: (count + Limiter.delay) * 2)
        output.reserveCapacity(output.count + count * 2)
        // The limiter runs ahead of what is taken; only at the start is there more to see than to take.
        var ahead = Int(seen - origin)
        while ahead < Limiter.delay {
            _ = limiter.gain(afterPeak: peak(at: ahead))
            ahead += 1
        }
        var at = 0
        while at < count {
            let chunk = min(count - at, 480)
            if limiter.isOpen, isQuiet(ahead..<ahead + chunk) {
                output.append(contentsOf: sums[at * 2..<(at + chunk) * 2])
            } else {
                for index in at..<at + chunk {
                    let gain = limiter.gain(afterPeak: peak(at: index + Limiter.delay))
                    output.append(sums[index * 2] * gain)
                    output.append(sums[index * 2 + 1] * gain)
                }
            }
            at += chunk
            ahead += chunk
        }
        sums.removeFirst(count * 2)
        origin = end
        seen = end + Self.lookAhead
    }

    private mutating func grow(to count: Int) {
        if sums.count < count { sums.append(contentsOf: repeatElement(0, count: count - sums.count)) }
    }

    private func peak(at index: Int) -> Float { max(abs(sums[index * 2]), abs(sums[index * 2 + 1])) }

    private func isQuiet(_ range: Range<Int>) -> Bool {
        let samples = sums.span
        var highest: Float = 0
        for index in range.lowerBound * 2..<range.upperBound * 2 { highest = max(highest, abs(samples[index])) }
        return highest <= Limiter.ceiling
    }
}
