import MediaEngines
import MediaTypes
import Testing

@testable import Recording

@Suite struct PictureWatchTests {
    /// A camera that makes a keyframe only when it is asked for one, and is covered after half a minute.
    @Test func aCameraThatGoesBlackIsSeenThoughItMakesNoKeyframes() throws {
        let size = PixelSize(width: 64, height: 36)
        let encoder = try VPXEncoder(
            VPXEncoder.Settings(size: size, bitRate: 50_000, ticksPerSecond: 5, keyframeSeconds: 3600))
        let canvas = Canvas(size: size)
        var watch = PictureWatch()
        var wishes: [Int64] = []
        var looks: [(second: Int64, isBlack: Bool)] = []
        for tick in Int64(0)..<400 {
            let level = tick < 150 ? UInt8(100 + tick % 50) : 0
            canvas.clear(Colour(red: level, green: level, blue: level))
            guard var frame = try encoder.encode(canvas, at: tick) else { continue }
            frame.time = .zero + .milliseconds(200 * tick)
            if let look = watch.see(frame, of: TrackID(1)) { looks.append((tick / 5, look.isBlack)) }
            for track in watch.nextWishes() {
                #expect(track == TrackID(1))
                wishes.append(tick / 5)
                encoder.forceKeyframe()
            }
        }
        #expect(wishes == [70])
        #expect(looks.map(\.second) == [0, 1, 70, 71])
        #expect(looks.map(\.isBlack) == [false, false, true, true])
    }
}
