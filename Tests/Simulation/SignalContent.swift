import CallbotTesting
import Glibc
import MediaEngines
import MediaTypes

/// What the senders of a `CapturedCall` send, made once with real encoders: darkness and silence, and for 0.2 s of every five a
/// bright picture and a tone.
struct SignalContent: Sendable {
    private let dark: [UInt8]
    private let bright: [UInt8]
    private let silence: [UInt8]
    private let tone: [UInt8]

    static func isSignal(_ time: MonotonicTime) -> Bool { time.nanoseconds % CapturedCall.interval < 200_000_000 }

    init() throws {
        dark = try Self.picture(Colour(0))
        bright = try Self.picture(Colour(0xF0F0F0))
        silence = try Self.sound(amplitude: 0)
        tone = try Self.sound(amplitude: 0.6)
    }

    var sound: @Sendable (MonotonicTime, Bool) -> RTPSender.Content {
        { [silence, tone] time, _ in RTPSender.Content(payload: Self.isSignal(time) ? tone : silence) }
    }

    var picture: @Sendable (MonotonicTime, Bool) -> RTPSender.Content {
        { [dark, bright] time, _ in RTPSender.Content(payload: Self.isSignal(time) ? bright : dark) }
    }

    func isClick(_ payload: [UInt8]) -> Bool { payload.starts(with: tone) }
    func isFlash(_ payload: [UInt8]) -> Bool { payload.starts(with: bright) }

    private static func picture(_ colour: Colour) throws -> [UInt8] {
        let size = PixelSize(width: 64, height: 48)
        let canvas = Canvas(size: size)
        canvas.clear(colour)
        return try VPXEncoder(VPXEncoder.Settings(size: size, bitRate: 100_000)).encode(canvas, at: 0)?.payload ?? []
    }

    /// A packet in whose padding (RFC 6716 section 3.2.5) the sender's number of the frame finds room.
    private static func sound(amplitude: Float) throws -> [UInt8] {
        let samples = (0..<OpusEncoder.framesPerPacket).flatMap { index -> [Float] in
            let sample = amplitude * sin(Float(index) * 2 * .pi * 1000 / 48_000)
            return [sample, sample]
        }
        let packet = try OpusEncoder().encode(samples)
        guard let toc = packet.first, toc & 3 == 0 else { return [] }
        return [toc | 3, 0x41, 4] + packet.dropFirst()
    }
}
