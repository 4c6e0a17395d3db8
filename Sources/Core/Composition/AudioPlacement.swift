package import MediaTypes

/// Puts one track's decoded blocks in the mix, where their times say, without the clicks that times a little wrong would
/// make. A block whose time is within `tolerance` of its predecessor's end simply follows it; the difference, if it lasts,
/// is a drift of the sender's clock and is taken out by stretching blocks by at most 1/100, a sixth of a semitone. Further away it is a real gap
/// (or a jump) and the block goes exactly where it belongs, with both edges faded for 2 ms.
package struct AudioPlacement {
    /// 20 ms, in samples.
    package static let tolerance: Int64 = 960
    /// What comes within this of the last block's end may still be its successor: sound nearer than this to the present
    /// must not be taken from the mixer yet.
    package static let holdBack = tolerance + Int64(fade)

    private static let fade = 96
    /// Drift below this is left alone: 1 ms, in samples.
    private static let deadBand = 48.0

    /// The last 2 ms, as stereo, that wait to learn whether something follows them.
    private var tail: [Float] = []
    /// The sample after the tail; nil at the start and after the sound has faded out.
    private var next: Int64?
    /// How much later the blocks' times are than the places they were given, smoothed, in samples.
    private var drift = 0.0

    /// Blocks dropped since everything in them lay before what was already placed.
    package private(set) var droppedBlocks = 0

    package init() {}

    /// Whether there is no sound that the next block could follow.
    package var isSilent: Bool { next == nil }

    /// Places a block; `advance` is how many samples earlier than its time it is to sound (the codec's delay).
    package mutating func place(_ block: AudioBlock, advancedBy advance: Int64 = 0, into mixer: inout AudioMixer) {
        let count = block.frameCount
        guard count > 0 else { return }
        let wanted = block.time.samplePosition &- advance
        guard let next else {
            begin(stereo(block), at: wanted, into: &mixer)
            return
        }
        let difference = wanted &- next
        if difference > Self.tolerance {
            settle(into: &mixer)
            begin(stereo(block), at: wanted, into: &mixer)
        } else if difference >= -Self.tolerance {
            drift += (Double(difference) - drift) / 16
            let most = count / 100
            // The same share of the time, however long blocks are.
            let wish = abs(drift) > Self.deadBand ? Int(drift / 32 * Double(count) / 960) : 0
            let stretch = max(-most, min(most, wish))
            follow(stretch == 0 ? stereo(block) : resampled(stereo(block), to: count + stretch), into: &mixer)
        } else {
            // A jump back: what was already heard at that time stays, the rest follows after a fade.
            let overlap = -difference
            settle(into: &mixer)
            guard overlap < Int64(count) else {
                droppedBlocks += 1
                self.next = nil
                return
            }
            let rest = Array(stereo(block)[(Int(overlap) * 2)...])
            begin(rest, at: next, into: &mixer)
        }
    }

    /// Fades out the sound if nothing that begins at or after `time` could follow it any more.
    package mutating func settle(before time: TimelineTime, advancedBy advance: Int64 = 0, into mixer: inout AudioMixer)
    {
        guard let next, next &+ Self.tolerance < time.samplePosition &- advance else { return }
        settle(into: &mixer)
        self.next = nil
    }

    /// Fades out the sound: the track has ended.
    package mutating func finish(into mixer: inout AudioMixer) {
        settle(into: &mixer)
        next = nil
    }

    private mutating func settle(into mixer: inout AudioMixer) {
        guard let next, !tail.isEmpty else { return }
        let count = tail.count / 2
        for index in 0..<count {
            let gain = Float(count - index) / Float(count + 1)
            tail[index * 2] *= gain
            tail[index * 2 + 1] *= gain
        }
        mixer.add(tail, 0..<count, at: next - Int64(count))
        tail = []
    }

    private mutating func begin(_ samples: [Float], at position: Int64, into mixer: inout AudioMixer) {
        drift = 0
        var faded = samples
        let count = min(Self.fade, samples.count / 2)
        for index in 0..<count {
            let gain = Float(index + 1) / Float(count + 1)
            faded[index * 2] *= gain
            faded[index * 2 + 1] *= gain
        }
        tail = []
        next = position
        follow(faded, into: &mixer)
    }

    /// Puts samples right after the last ones, and keeps back the end of them.
    private mutating func follow(_ samples: [Float], into mixer: inout AudioMixer) {
        guard let next else { return }
        let held = tail.count / 2
        if held > 0 { mixer.add(tail, 0..<held, at: next - Int64(held)) }
        let count = samples.count / 2
        let kept = min(Self.fade, count)
        mixer.add(samples, 0..<count - kept, at: next)
        tail = Array(samples[((count - kept) * 2)...])
        self.next = next + Int64(count)
    }
}

/// The block's samples as interleaved stereo.
private func stereo(_ block: AudioBlock) -> [Float] {
    guard block.channels == 1 else { return block.samples }
    var samples = [Float]()
    samples.reserveCapacity(block.samples.count * 2)
    for sample in block.samples {
        samples.append(sample)
        samples.append(sample)
    }
    return samples
}

/// Stereo samples stretched or squeezed to another count by cubic interpolation; the first sample stays the first.
private func resampled(_ samples: [Float], to count: Int) -> [Float] {
    let sourceCount = samples.count / 2
    guard sourceCount > 1, count > 0 else { return samples }
    var result = [Float](repeating: 0, count: count * 2)
    let step = Double(sourceCount) / Double(count)
    for index in 0..<count {
        let place = Double(index) * step
        let whole = min(Int(place), sourceCount - 1)
        let part = Float(place - Double(whole))
        for channel in 0...1 {
            func sample(_ at: Int) -> Float { samples[max(0, min(sourceCount - 1, at)) * 2 + channel] }
            let (a, b, c, d) = (sample(whole - 1), sample(whole), sample(whole + 1), sample(whole + 2))
            let slope = 0.5 * (c - a)
            let square = a - 2.5 * b + 2 * c - 0.5 * d
            let cube = 0.5 * (d - a) + 1.5 * (b - c)
            result[index * 2 + channel] = ((cube * part + square) * part + slope) * part + b
        }
    }
    return result
}
