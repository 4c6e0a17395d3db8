package import JSON
package import MediaTypes

/// How loud a call is over its time, to be drawn: `waveform.json`.
package struct Waveform: Hashable, Sendable {
    /// How many points there are at most.
    package static let most = 2000

    /// How long a point stands for.
    package let interval: Duration
    /// For each interval the greatest sample, 0 for silence to 255 for full scale, in proportion.
    package private(set) var peaks: [UInt8]
    private let duration: Duration

    /// A silent one.
    package init(duration: Duration) {
        self.duration = (TimelineTime.zero + duration).plausible - TimelineTime.zero
        // Whole hundredths of a second, and not finer than is seen.
        let hundredths = (self.duration.nanoseconds / Int64(Self.most) + 9_999_999) / 10_000_000
        interval = .milliseconds(10 * max(5, hundredths))
        let count = (self.duration.nanoseconds + interval.nanoseconds - 1) / interval.nanoseconds
        peaks = Array(repeating: 0, count: Int(count))
    }

    /// Takes sound in, in any order; what lies outside of the call is left out.
    /// - Parameters:
    ///   - samples: of all channels in turn, full scale at ±1.
    ///   - channels: 1 or more.
    ///   - rate: samples a second of each channel.
    package mutating func add(_ samples: ArraySlice<Float>, channels: Int, rate: Int, at time: TimelineTime) {
        let length = Int64(samples.count / channels)
        let frames = interval.microseconds / 1000 * Int64(rate) / 1000
        // Beyond lies nothing, and products stay far from overflowing.
        let start = max(-1 << 40, min(1 << 46, time.microseconds)) * Int64(rate) / 1_000_000
        var frame: Int64 = 0
        while frame < length {
            let position = start + frame
            let index = position >= 0 ? position / frames : -1
            let end = min(length, position >= 0 ? frame + frames - position % frames : frame - position)
            if index >= 0, index < Int64(peaks.count) {
                let first = samples.startIndex + Int(frame) * channels
                peaks[Int(index)] = max(
                    peaks[Int(index)], Self.peak(samples[first..<(first + Int(end - frame) * channels)]))
            }
            frame = end
        }
    }

    private static func peak(_ samples: ArraySlice<Float>) -> UInt8 {
        var peak: Float = 0
        // What is no number is not greater.
        for sample in samples where sample.magnitude > peak { peak = sample.magnitude }
        return UInt8(min(255, (min(peak, 1) * 255).rounded(.up)))
    }

    package var json: JSONValue {
        [
            "version": 1, "duration": .integer(duration.microseconds), "interval": .integer(interval.microseconds),
            "peaks": .array(peaks.map { .integer(Int64($0)) }),
        ]
    }
}
