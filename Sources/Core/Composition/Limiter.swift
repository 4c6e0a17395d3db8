/// Keeps a sum of voices under full scale without clipping: it looks 5 ms ahead, is down in time before a peak arrives, and
/// comes back slowly. No sample ever leaves above the ceiling. What is under the ceiling passes bit by bit unchanged.
///
/// Gains are whole numbers of 2^-24, so that the running sum is exact and the result does not depend on how the sound is
/// cut into pieces.
package struct Limiter {
    /// -0.1 dBFS is 0.9886; a little below, for what rounding adds.
    package static let ceiling: Float = 0.985
    /// How many samples later a gain comes out than the peak that caused it went in.
    package static let delay = window - 1

    private static let window = 240
    private static let unity: Int64 = 1 << 24
    /// The way back to full gain: 1/16384 of the missing part each sample, a time constant of 0.34 s.
    private static let releaseShift: Int64 = 14

    /// What each of the last samples would need at most.
    private var needed = [Int64](repeating: unity, count: window)
    /// The gain's course before smoothing.
    private var course = [Int64](repeating: unity, count: window)
    private var sum = unity * Int64(window)
    private var slot = 0
    private var lowest = unity
    /// Where `lowest` is in `needed`.
    private var lowestSlot = 0
    private var last = unity

    package init() {}

    /// Whether the gain is 1, was 1 for all of the window, and stays so as long as no peak exceeds the ceiling.
    package var isOpen: Bool { sum == Self.unity * Int64(Self.window) && lowest == Self.unity }

    /// Takes the next sample's peak over all channels and returns the gain for the sample `delay` before it.
    package mutating func gain(afterPeak peak: Float) -> Float {
        let need = peak > Self.ceiling ? Int64(Self.ceiling / peak * Float(Self.unity)) : Self.unity
        needed[slot] = need
        if need <= lowest {
            lowest = need
            lowestSlot = slot
        } else if slot == lowestSlot {
            // The lowest has just left the window: look for the one that is now.
            lowest = .max
            for step in 1...Self.window {
                let index = (slot + step) % Self.window
                if needed[index] <= lowest {
                    lowest = needed[index]
                    lowestSlot = index
                }
            }
        }
        let released = last + max(1, (Self.unity - last) >> Self.releaseShift)
        last = min(lowest, min(Self.unity, released))
        sum += last - course[slot]
        course[slot] = last
        slot = slot + 1 == Self.window ? 0 : slot + 1
        return Float(sum) / Float(Self.unity * Int64(Self.window))
    }
}
