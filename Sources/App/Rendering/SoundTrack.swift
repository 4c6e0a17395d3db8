import Composition
import MediaEngines
import MediaTypes

/// One audio track in the making of a composite: decodes its packets and places them in the mix. Up to three packets
/// lost in a row are concealed, since one hears a hole more than a guess; more than that is silence.
final class SoundTrack {
    private(set) var undecodable = 0
    private(set) var concealed = 0

    /// How far the sound out of a decoder lags behind what the packet's time says, in samples: libopus as a sender looks
    /// 6.5 ms ahead, and nearly every sender is libopus.
    static let senderDelay: Int64 = 312
    private static let mostConcealed = 3
    /// How long before a packet's time sound may still be placed on account of it.
    static let concealmentReach = Duration.milliseconds(180)

    private var waiting: [EncodedFrame] = []
    private var decoder: OpusDecoder?
    private var placement = AudioPlacement()
    private var samples: [Float] = []
    /// Where the packet decoded last ends, and how long it was in samples.
    private var last: (end: TimelineTime, length: Int)?

    /// Whether nothing waits and nothing sounds.
    var isSilent: Bool { waiting.isEmpty && placement.isSilent }

    func append(_ frame: EncodedFrame) { waiting.append(frame) }

    /// Decodes and places every packet captured before `end`; nothing captured earlier will come any more.
    func mix(before end: TimelineTime, into mixer: inout AudioMixer) {
        var count = 0
        while count < waiting.count, waiting[count].time < end {
            play(waiting[count], into: &mixer)
            count += 1
        }
        waiting.removeFirst(count)
        placement.settle(before: end - Self.concealmentReach, advancedBy: Self.senderDelay, into: &mixer)
    }

    func finish(into mixer: inout AudioMixer) { placement.finish(into: &mixer) }

    private func play(_ frame: EncodedFrame, into mixer: inout AudioMixer) {
        do {
            // A decoder of two channels doubles mono, and goes along when a sender changes its mind.
            let decoder = try decoder ?? OpusDecoder(channels: 2)
            self.decoder = decoder
            try conceal(before: frame, with: decoder, into: &mixer)
            place(try decoder.decode(frame.payload, into: &samples), at: frame.time, into: &mixer)
        } catch {
            undecodable += 1
        }
    }

    /// Fills a hole of exactly one to three packets before a frame: the last of them from the frame itself, if it carries
    /// a copy.
    private func conceal(
        before frame: EncodedFrame, with decoder: OpusDecoder, into mixer: inout AudioMixer
    ) throws(CodecError) {
        guard let last else { return }
        let hole = frame.time.samplePosition - last.end.samplePosition
        let length = Int64(last.length)
        let lost = (hole + length / 2) / length
        guard lost >= 1, lost <= Self.mostConcealed, abs(hole - lost * length) <= length / 4,
            frame.time - last.end <= Self.concealmentReach
        else { return }
        for index in 1...lost {
            guard let end = self.last?.end else { return }
            let count =
                index == lost
                ? try decoder.decodeFEC(frame.payload, frames: last.length, into: &samples)
                : try decoder.conceal(frames: last.length, into: &samples)
            place(count, at: end, into: &mixer)
            concealed += 1
        }
    }

    private func place(_ count: Int, at time: TimelineTime, into mixer: inout AudioMixer) {
        guard count > 0 else { return }
        let block = AudioBlock(time: time, channels: 2, samples: Array(samples[..<(count * 2)]))
        placement.place(block, advancedBy: Self.senderDelay, into: &mixer)
        last = (time + .microseconds(Int64(count) * 1_000_000 / 48_000), count)
    }
}
