import COpus
import MediaTypes

/// Sound to Opus packets (RFC 6716) of 20 ms: interleaved stereo Float at 48 kHz in. Not for more than one thread at a
/// time.
package final class OpusEncoder {
    package struct Settings: Sendable {
        /// Bits a second on average.
        package var bitRate: Int
        /// 0 (cheapest) to 10 (best). 9, the library's own choice, gives the same bits as 10 for a mix of voices; 5 takes
        /// two thirds of the time, which is nothing beside the picture, for 0.1 dB less.
        package var complexity: Int
        /// Adds a low-rate copy of each packet to the next one, for a link that loses this percentage of packets; 0 for a
        /// file.
        package var expectedLossPercent: Int

        package init(bitRate: Int = 64_000, complexity: Int = 9, expectedLossPercent: Int = 0) {
            self.bitRate = bitRate
            self.complexity = complexity
            self.expectedLossPercent = expectedLossPercent
        }
    }

    package static let sampleRate = 48_000
    package static let channels = 2
    /// Frames (one sample of both channels) in a packet: 20 ms.
    package static let framesPerPacket = 960

    /// The encoder's delay in frames at 48 kHz: a player has to skip so many at the start (pre-skip, RFC 7845 section 5.1).
    package let preSkip: Int
    private let state: OpaquePointer
    private var packet = [UInt8](repeating: 0, count: 4000)

    package init(_ settings: Settings = Settings()) throws(CodecError) {
        var code: Int32 = 0
        let opened = opus_encoder_create(
            Int32(Self.sampleRate), Int32(Self.channels), OPUS_APPLICATION_AUDIO, &code)
        guard let opened, code == OPUS_OK else { throw .couldNotOpen(.opus, code: Int(code)) }
        let requests: [(Int32, Int)] = [
            (OPUS_SET_BITRATE_REQUEST, settings.bitRate),
            (OPUS_SET_COMPLEXITY_REQUEST, settings.complexity),
            (OPUS_SET_INBAND_FEC_REQUEST, settings.expectedLossPercent > 0 ? 1 : 0),
            (OPUS_SET_PACKET_LOSS_PERC_REQUEST, settings.expectedLossPercent),
        ]
        for (request, value) in requests where code == OPUS_OK {
            code = cb_opus_encoder_set(opened, request, Int32(clamping: value))
        }
        var lookahead: Int32 = 0
        if code == OPUS_OK { code = cb_opus_encoder_get(opened, OPUS_GET_LOOKAHEAD_REQUEST, &lookahead) }
        guard code == OPUS_OK else {
            opus_encoder_destroy(opened)
            throw .couldNotOpen(.opus, code: Int(code))
        }
        state = opened
        preSkip = Int(lookahead)
    }

    deinit { opus_encoder_destroy(state) }

    /// Encodes the next 20 ms.
    /// - Parameter samples: at least 960 frames, left and right by turns; the first 960 are taken.
    package func encode(_ samples: [Float]) throws(CodecError) -> [UInt8] {
        precondition(samples.count >= Self.framesPerPacket * Self.channels, "a packet needs 20 ms of sound")
        let length = opus_encode_float(
            state, samples, Int32(Self.framesPerPacket), &packet, opus_int32(packet.count))
        guard length > 0 else { throw .encodingFailed(.opus, code: Int(length)) }
        return Array(packet[..<Int(length)])
    }
}
