import CYUV
import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct ScalerTests {
    private func scaled(_ source: Canvas, to size: PixelSize) -> Canvas {
        let target = Canvas(size: size)
        let scaler = PictureScaler()
        source.withPlanes { from in target.withPlanes { scaler.scale(from, to: $0) } }
        return target
    }

    private func reference(_ source: Canvas, to size: PixelSize, _ filter: FilterMode) -> Canvas {
        let target = Canvas(size: size)
        source.withPlanes { from in
            target.withPlanes { to in
                _ = I420Scale(
                    from.luma.start, Int32(from.luma.stride), from.blue.start, Int32(from.blue.stride),
                    from.red.start, Int32(from.red.stride), Int32(from.size.width), Int32(from.size.height),
                    to.luma.start, Int32(to.luma.stride), to.blue.start, Int32(to.blue.stride),
                    to.red.start, Int32(to.red.stride), Int32(to.size.width), Int32(to.size.height), filter)
            }
        }
        return target
    }

    @Test(
        "scaled pictures look like libyuv's",
        arguments: [
            ((640, 360), (426, 240)), ((640, 360), (320, 180)), ((640, 360), (256, 144)), ((1280, 720), (426, 240)),
            ((1920, 1080), (1280, 720)), ((641, 359), (400, 222)), ((640, 360), (480, 270)), ((640, 360), (240, 134)),
            ((1920, 1080), (250, 140)), ((320, 180), (212, 118)), ((100, 100), (98, 60)),
        ])
    func scaledPicturesLookLikeTheLibrarys(_ from: (Int, Int), _ to: (Int, Int)) {
        let source = Canvas(size: PixelSize(width: from.0, height: from.1))
        source.paintScenery()
        let size = PixelSize(width: to.0, height: to.1)
        let ours = scaled(source, to: size).pixels
        let best = max(
            signalToNoise(ours, reference(source, to: size, kFilterBilinear).pixels),
            signalToNoise(ours, reference(source, to: size, kFilterBox).pixels))
        #expect(best > 45)
    }

    @Test(arguments: [((320, 180), (426, 240)), ((213, 119), (640, 360)), ((1, 1), (16, 16)), ((2, 3), (64, 48))])
    func enlargingMixesTheNearestPixels(_ from: (Int, Int), _ to: (Int, Int)) {
        let source = Canvas(size: PixelSize(width: from.0, height: from.1))
        source.paintScenery()
        let result = scaled(source, to: PixelSize(width: to.0, height: to.1))
        var worst = 0.0
        for y in 0..<to.1 {
            for x in 0..<to.0 {
                let across = min(Double(from.0 - 1), max(0, (Double(x) + 0.5) * Double(from.0) / Double(to.0) - 0.5))
                let down = min(Double(from.1 - 1), max(0, (Double(y) + 0.5) * Double(from.1) / Double(to.1) - 0.5))
                let (left, top) = (Int(across), Int(down))
                let (right, bottom) = (min(left + 1, from.0 - 1), min(top + 1, from.1 - 1))
                let (u, v) = (across - Double(left), down - Double(top))
                let upper = Double(source.luma(left, top)) * (1 - u) + Double(source.luma(right, top)) * u
                let lower = Double(source.luma(left, bottom)) * (1 - u) + Double(source.luma(right, bottom)) * u
                worst = max(worst, abs(upper * (1 - v) + lower * v - Double(result.luma(x, y))))
            }
        }
        #expect(worst < 4)
    }

    @Test func anEvenSurfaceStaysEven() {
        var numbers = SeededNumbers(state: 3)
        for _ in 0..<200 {
            let source = Canvas(size: .random(to: 200, using: &numbers))
            source.clear(Colour(red: 200, green: 30, blue: 90))
            let target = scaled(source, to: .random(to: 200, using: &numbers))
            let expected = Canvas(size: target.size)
            expected.clear(Colour(red: 200, green: 30, blue: 90))
            #expect(target.pixels == expected.pixels, "\(source.size) to \(target.size)")
        }
    }

    @Test(
        arguments: [(1, 1), (1, 4320), (7680, 1), (7680, 4320), (16, 16)],
        [(1, 1), (2, 2), (1280, 720), (1, 720), (1280, 1), (33, 77)])
    func everySizeScalesToEverySize(_ from: (Int, Int), _ to: (Int, Int)) {
        let source = Canvas(size: PixelSize(width: from.0, height: from.1))
        source.clear(.white)
        let target = scaled(source, to: PixelSize(width: to.0, height: to.1))
        #expect(target.luma(0, 0) == 235 && target.luma(to.0 - 1, to.1 - 1) == 235)
        #expect(target.blue((to.0 - 1) / 2, (to.1 - 1) / 2) == 128)
    }
}

extension PixelSize {
    static func random(to limit: Int, using numbers: inout SeededNumbers) -> PixelSize {
        PixelSize(width: .random(in: 1...limit, using: &numbers), height: .random(in: 1...limit, using: &numbers))
    }
}
