import MediaEngines
import MediaTypes

/// The composite's picture: which ticks need a frame, how large it is, and what of the canvas the encoder may pass over.
final class PictureOutput {
    private let settings: RenderSettings
    private let ticksPerSecond: Int64
    private var encoder: VPXEncoder
    /// Makes pictures smaller, while they are encoded half as large.
    private var half: CanvasHalver?
    private var lastEncoded: Int64?
    /// What has changed since the last encoded tick; nil for everything.
    private var changed: [PixelRectangle]?

    init(_ settings: RenderSettings) throws(CodecError) {
        self.settings = settings
        ticksPerSecond = Int64(settings.framesPerSecond)
        encoder = try Self.encoder(settings, size: settings.size, bitRate: settings.videoBitRate)
    }

    /// Encodes a tick's canvas if it differs from the one before or still gets sharper, and at least once a second.
    /// - Parameters:
    ///   - changes: where it differs from the page before; nil for everywhere.
    ///   - isHalf: whether the frame is half as wide and half as high. A change begins with a keyframe.
    func encode(
        _ canvas: Canvas, at tick: Int64, changed changes: [PixelRectangle]?, isHalf: Bool, isLast: Bool
    ) throws(CodecError) -> EncodedFrame? {
        if isHalf != (half != nil) { try change(toHalf: isHalf) }
        if let changes, let before = changed { changed = before + changes } else { changed = nil }
        let isDue = lastEncoded.map { tick - $0 >= ticksPerSecond } ?? true
        let hasChanged = changed.map { !$0.isEmpty } ?? true
        guard isDue || isLast || hasChanged || !encoder.isStill(at: tick) else { return nil }
        let frame: EncodedFrame?
        if let half {
            frame = try encoder.encode(half.half(of: canvas), at: tick, changed: changed?.map(half.half))
        } else {
            frame = try encoder.encode(canvas, at: tick, changed: changed)
        }
        changed = []
        lastEncoded = tick
        return frame
    }

    private func change(toHalf isHalf: Bool) throws(CodecError) {
        half = isHalf ? CanvasHalver(of: settings.size) : nil
        // A quarter of the pixels at half of the rate: it does not look worse than it must.
        encoder = try Self.encoder(
            settings, size: half?.size ?? settings.size, bitRate: settings.videoBitRate / (isHalf ? 2 : 1))
        (changed, lastEncoded) = (nil, nil)
    }

    private static func encoder(
        _ settings: RenderSettings, size: PixelSize, bitRate: Int
    ) throws(CodecError) -> VPXEncoder {
        try VPXEncoder(
            VPXEncoder.Settings(
                codec: settings.codec, size: size, bitRate: bitRate, ticksPerSecond: settings.framesPerSecond))
    }
}
