import EventLoop
import MediaEngines
import MediaTypes

extension Measurements.PictureCost {
    private static let camera = PixelSize(width: 640, height: 360)
    /// Six people on a composite: three columns, two rows.
    private static let tiles = (0..<6).map { index in
        PixelRectangle(x: index % 3 * 426, y: 60 + index / 3 * 300, width: 424, height: 240)
    }

    /// Decodes, draws and encodes for so long. What is counted is the thread's own time on a processor, so that other
    /// work on the machine does not count.
    static func measured(for span: Duration) throws(CodecError) -> Self {
        let clip = try movingClip()
        let composite = VPXEncoder.Settings()
        let encoder = try VPXEncoder(composite)
        var decoders: [VPXDecoder] = []
        for _ in tiles { decoders.append(try VPXDecoder(.vp8)) }
        let canvas = Canvas(size: composite.size)
        var (encoding, showing) = (Duration.zero, Duration.zero)
        var count = 0
        let begin = HostClock.now()
        for tick in Int64(0)... {
            let start = HostClock.threadTime()
            for (decoder, tile) in zip(decoders, tiles) {
                if let picture = try decoder.decode(clip[Int(tick) % clip.count]) { canvas.draw(picture, into: tile) }
            }
            let drawn = HostClock.threadTime()
            _ = try encoder.encode(canvas, at: tick)
            let encoded = HostClock.threadTime()
            // The first pictures are keyframes, and warm the caches.
            if tick >= 3 {
                showing += drawn - start
                encoding += encoded - drawn
                count += 1
            }
            if count > 0, HostClock.now() - begin >= span { break }
        }
        return Self(encoding: encoding / count, showing: showing / (count * tiles.count))
    }

    /// A second of a camera that sweeps over a texture, encoded.
    private static func movingClip() throws(CodecError) -> [[UInt8]] {
        let texture = Canvas(size: PixelSize(width: 1280, height: 720))
        texture.paintTexture()
        let canvas = Canvas(size: camera)
        let encoder = try VPXEncoder(.init(size: camera, bitRate: 600_000, keyframeSeconds: 60))
        var clip: [[UInt8]] = []
        for tick in Int64(0)..<25 {
            // There and back, so that the end goes over into the beginning.
            let step = Int(tick < 13 ? tick : 25 - tick)
            let part = PixelRectangle(x: 8 * step, y: 4 * step, width: camera.width, height: camera.height)
            canvas.copy(part, of: texture, toX: 0, y: 0)
            if let frame = try encoder.encode(canvas, at: tick) { clip.append(frame.payload) }
        }
        return clip
    }
}
