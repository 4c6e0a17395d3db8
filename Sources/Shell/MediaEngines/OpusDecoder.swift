import COpus
import MediaTypes

/// Opus packets (RFC 6716) to sound: interleaved Float at 48 kHz, full scale at ±1 (a loud sender may exceed it).
///
/// One decoder serves one stream; a frame is one sample of every channel. Buffers are the caller's and are reused: they
/// are grown once to the longest packet, and the first `frames * channels` samples of them are the result.
/// Not for more than one thread at a time.
package final class OpusDecoder {
    /// Frames a second of everything that comes out.
    package static let sampleRate = 48_000
    /// The longest packet, 120 ms (RFC 6716 section 3.2), in frames.
    package static let longestPacket = 5760
    /// Opus counts time in units of 2.5 ms; in frames.
    private static let shortestStep = 120

    package let channels: Int
    private let state: OpaquePointer

    /// - Parameter channels: 1 or 2; a packet of the other kind is mixed down or doubled.
    package init(channels: Int) throws(CodecError) {
        precondition(channels == 1 || channels == 2, "Opus without mapping has one or two channels")
        var code: Int32 = 0
        guard let state = opus_decoder_create(Int32(Self.sampleRate), Int32(channels), &code), code == OPUS_OK else {
            throw .couldNotOpen(.opus, code: Int(code))
        }
        self.state = state
        self.channels = channels
    }

    deinit { opus_decoder_destroy(state) }

    /// Decodes one packet and returns its length in frames.
    package func decode(_ payload: [UInt8], into samples: inout [Float]) throws(CodecError) -> Int {
        guard !payload.isEmpty else { throw .invalidFrame(.opus, code: Int(OPUS_INVALID_PACKET)) }
        return try run(payload, frames: Self.longestPacket, errorCorrection: false, into: &samples)
    }

    /// Recovers the packet lost just before `following` from the low-rate copy in it (in-band FEC, RFC 6716 section
    /// 2.1.7), or conceals it where there is none. Call before decoding `following` itself.
    /// - Parameter frames: the length of what was lost.
    package func decodeFEC(_ following: [UInt8], frames: Int, into samples: inout [Float]) throws(CodecError) -> Int {
        guard !following.isEmpty else { throw .invalidFrame(.opus, code: Int(OPUS_INVALID_PACKET)) }
        return try run(following, frames: Self.steps(frames), errorCorrection: true, into: &samples)
    }

    /// Continues the sound plausibly where a packet is lost for good; it fades within about 100 ms.
    /// - Parameter frames: how much, taken up to the next 2.5 ms and at most 120 ms.
    package func conceal(frames: Int, into samples: inout [Float]) throws(CodecError) -> Int {
        try run([], frames: Self.steps(frames), errorCorrection: false, into: &samples)
    }

    /// Forgets the past, for a stream that starts anew.
    package func reset() { _ = cb_opus_decoder_reset(state) }

    private static func steps(_ frames: Int) -> Int {
        let bounded = min(max(frames, shortestStep), longestPacket)
        return (bounded + shortestStep - 1) / shortestStep * shortestStep
    }

    private func run(
        _ payload: [UInt8], frames: Int, errorCorrection: Bool, into samples: inout [Float]
    ) throws(CodecError) -> Int {
        let needed = frames * channels
        if samples.count < needed {
            samples.append(contentsOf: repeatElement(0, count: Self.longestPacket * channels - samples.count))
        }
        let decoded = payload.withUnsafeBufferPointer { packet in
            opus_decode_float(
                state, packet.isEmpty ? nil : packet.baseAddress, opus_int32(clamping: packet.count), &samples,
                Int32(frames), errorCorrection ? 1 : 0)
        }
        guard decoded >= 0 else { throw .invalidFrame(.opus, code: Int(decoded)) }
        return Int(decoded)
    }
}
