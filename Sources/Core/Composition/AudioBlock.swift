package import MediaTypes

/// A stretch of decoded sound at 48 kHz.
package struct AudioBlock: Sendable {
    /// When its first sample was captured.
    package var time: TimelineTime
    /// 1 or 2. Samples of several channels are interleaved.
    package var channels: Int
    /// Full scale is -1...1.
    package var samples: [Float]

    package init(time: TimelineTime, channels: Int, samples: [Float]) {
        self.time = time
        self.channels = channels
        self.samples = samples
    }

    /// Its length in samples of one channel.
    package var frameCount: Int { samples.count / max(1, channels) }
}

extension TimelineTime {
    /// The nearest sample at 48 kHz, counted from the origin.
    package var samplePosition: Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return seconds &* 48_000 &+ (rest &* 48 &+ (rest < 0 ? -500 : 500)) / 1000
    }
}
