import MediaEngines
import MediaTypes

/// The composite's picture: which ticks need a frame, and what of the canvas the encoder may pass over.
final class PictureOutput {
    private let encoder: VPXEncoder
    private let ticksPerSecond: Int64
    private var lastEncoded: Int64?
    /// What has changed since the last encoded tick; nil for everything.
    private var changed: [PixelRectangle]?

    init(_ settings: RenderSettings) throws(CodecError) {
        ticksPerSecond = Int64(settings.framesPerSecond)
        encoder = try VPXEncoder(
            VPXEncoder.Settings(
                codec: settings.codec, size: settings.size, bitRate: settings.videoBitRate,
                ticksPerSecond: settings.framesPerSecond))
    }

    /// Encodes a tick's canvas if it differs from the one before or still gets sharper, and at least once a second.
    /// - Parameter changes: where it differs from the tick before; nil for everywhere.
    func encode(
        _ canvas: Canvas, at tick: Int64, changed changes: [PixelRectangle]?, isLast: Bool
    ) throws(CodecError) -> EncodedFrame? {
        if let changes, let before = changed { changed = before + changes } else { changed = nil }
        let isDue = lastEncoded.map { tick - $0 >= ticksPerSecond } ?? true
        let hasChanged = changed.map { !$0.isEmpty } ?? true
        guard isDue || isLast || hasChanged || !encoder.isStill(at: tick) else { return nil }
        let frame = try encoder.encode(canvas, at: tick, changed: changed)
        changed = []
        lastEncoded = tick
        return frame
    }
}
