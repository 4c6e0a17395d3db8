import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct ActiveMapTests {
    @Test func aChangeStaysActiveUntilItIsSharp() {
        var map = ActiveMap(size: PixelSize(width: 50, height: 33), sharpening: 25)
        #expect(map.columns == 4 && map.rows == 3)
        map.note(nil, at: 0)
        let passesOver = map.update(at: 25)
        #expect(!passesOver && map.active == Array(repeating: 1, count: 12))
        map.note([PixelRectangle(x: 16, y: 16, width: 17, height: 1)], at: 26)
        _ = map.update(at: 26)
        #expect(map.active == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0])
        #expect(!map.isStill(at: 51) && map.isStill(at: 52))
        _ = map.update(at: 52)
        #expect(!map.active.contains(1))
    }

    @Test(arguments: [
        PixelRectangle(x: -100, y: -100, width: 50, height: 50), PixelRectangle(x: 64, y: 0, width: 9, height: 9),
        PixelRectangle(x: 0, y: 0, width: 0, height: 10), PixelRectangle(x: 10, y: 9999, width: 10, height: 10),
    ])
    func whatIsOutsideChangesNothing(_ region: PixelRectangle) {
        var map = ActiveMap(size: PixelSize(width: 64, height: 64), sharpening: 1)
        map.note([region], at: 10)
        #expect(map.isStill(at: 10))
        let passesOver = map.update(at: 10)
        #expect(passesOver && !map.active.contains(1))
    }

    /// One quarter moves; the other three are announced as still.
    @Test(arguments: [Codec.vp8, .vp9])
    func stillPartsStaySharpAndMovingPartsMove(_ codec: Codec) throws {
        let size = PixelSize(width: 320, height: 192)
        let encoder = try VPXEncoder(.init(codec: codec, size: size, bitRate: 400_000, ticksPerSecond: 10))
        let decoder = try VPXDecoder(codec)
        let canvas = Canvas(size: size)
        let moving = Canvas(size: PixelSize(width: 160, height: 96))
        canvas.paintScenery()
        var quality: [Double] = []
        var lengths: [Int] = []
        for tick in 0..<70 {
            moving.paintScenery(at: tick)
            canvas.copy(PixelRectangle(moving.size), from: moving)
            let changed: [PixelRectangle]? = tick == 0 ? nil : [PixelRectangle(moving.size)]
            let frame = try #require(try encoder.encode(canvas, at: Int64(tick), changed: changed))
            let picture = try #require(try decoder.decode(frame.payload))
            #expect(frame.isKeyframe == (tick % 50 == 0))
            quality.append(signalToNoise(picture.pixels, canvas.pixels))
            lengths.append(frame.payload.count)
        }
        #expect(quality.dropFirst(12).allSatisfy { $0 > 28 })
        #expect(!encoder.isStill(at: 71) && encoder.isStill(at: 80))
    }

    @Test func announcingStillnessSavesBits() throws {
        func bytes(announced: Bool) throws -> Int {
            let encoder = try VPXEncoder(
                .init(size: PixelSize(width: 320, height: 192), ticksPerSecond: 10, keyframeSeconds: 60))
            let canvas = Canvas(size: encoder.settings.size)
            var sum = 0
            for tick in 0..<60 {
                canvas.paintScenery(at: tick)  // it moves everywhere, whatever is announced
                let frame = try encoder.encode(canvas, at: Int64(tick), changed: announced && tick > 0 ? [] : nil)
                if tick >= 20 { sum += frame?.payload.count ?? 0 }
            }
            return sum
        }
        #expect(try bytes(announced: true) * 10 < bytes(announced: false))
    }
}
