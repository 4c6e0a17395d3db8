import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct VPXTests {
    private static let size = PixelSize(width: 320, height: 180)

    private func encoded(
        _ codec: Codec, _ size: PixelSize, pictures: Int, from start: Int = 0
    ) throws -> [(frame: EncodedFrame, canvas: [UInt8])] {
        let encoder = try VPXEncoder(.init(codec: codec, size: size, bitRate: 2_000_000))
        let canvas = Canvas(size: size)
        var result: [(EncodedFrame, [UInt8])] = []
        for tick in start..<start + pictures {
            canvas.paintScenery(at: tick)
            if let frame = try encoder.encode(canvas, at: Int64(tick)) { result.append((frame, canvas.pixels)) }
        }
        return result
    }

    @Test(arguments: [Codec.vp8, .vp9])
    func whatIsEncodedIsDecoded(_ codec: Codec) throws {
        let frames = try encoded(codec, Self.size, pictures: 20)
        #expect(frames.count == 20)
        #expect(frames[0].frame.isKeyframe && frames[0].frame.size == Self.size)
        #expect(frames.dropFirst().allSatisfy { !$0.frame.isKeyframe })
        #expect(frames[3].frame.time == TimelineTime(microseconds: 120_000))
        let decoder = try VPXDecoder(codec)
        for (frame, pixels) in frames {
            let picture = try #require(try decoder.decode(frame.payload))
            #expect(picture.size == Self.size)
            #expect(signalToNoise(picture.pixels, pixels) > 30)
        }
    }

    @Test(arguments: [Codec.vp8, .vp9], [(1, 1), (2, 3), (17, 33), (641, 359)])
    func oddSizesSurvive(_ codec: Codec, _ size: (Int, Int)) throws {
        let size = PixelSize(width: size.0, height: size.1)
        let decoder = try VPXDecoder(codec)
        for (frame, _) in try encoded(codec, size, pictures: 3) {
            #expect(try #require(try decoder.decode(frame.payload)).size == size)
        }
    }

    @Test(arguments: [Codec.vp8, .vp9])
    func sizeChangesAtAKeyframe(_ codec: Codec) throws {
        let decoder = try VPXDecoder(codec)
        for size in [(320, 180), (640, 360), (64, 48), (161, 91)].map({ PixelSize(width: $0, height: $1) }) {
            for (frame, pixels) in try encoded(codec, size, pictures: 3) {
                let picture = try #require(try decoder.decode(frame.payload))
                #expect(picture.size == size)
                #expect(signalToNoise(picture.pixels, pixels) > 25)
            }
        }
    }

    @Test(arguments: [Codec.vp8, .vp9])
    func keyframesComeWhenAskedForAndInTime(_ codec: Codec) throws {
        let encoder = try VPXEncoder(.init(codec: codec, size: Self.size, ticksPerSecond: 10, keyframeSeconds: 2))
        let canvas = Canvas(size: Self.size)
        var keyframes: [Int64] = []
        for tick in Int64(0)..<60 where tick < 30 || tick >= 55 {  // a still stretch without frames
            if tick == 7 { encoder.forceKeyframe() }
            canvas.paintScenery(at: Int(tick))
            if try encoder.encode(canvas, at: tick)?.isKeyframe == true { keyframes.append(tick) }
        }
        #expect(keyframes == [0, 7, 27, 55])
    }

    @Test(arguments: [Codec.vp8, .vp9])
    func brokenFramesThrowOrDecodeButNeverCrash(_ codec: Codec) throws {
        let frames = try encoded(codec, PixelSize(width: 96, height: 64), pictures: 12).map(\.frame.payload)
        let canvas = Canvas(size: PixelSize(width: 128, height: 128))
        let decoder = try VPXDecoder(codec, largest: PixelSize(width: 1024, height: 1024))
        var numbers = SeededNumbers(state: 1)
        var thrown = 0
        for round in 0..<3000 {
            var frame = frames[round % frames.count]
            for _ in 0..<Int.random(in: 1...6, using: &numbers) where !frame.isEmpty {
                // Most bytes that decide are near the front.
                let reach = Bool.random(using: &numbers) ? min(frame.count, 24) : frame.count
                let place = Int.random(in: 0..<reach, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: frame.removeLast(Int.random(in: 0...frame.count, using: &numbers))
                case 1: frame[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                default: frame[place] = .random(in: 0...255, using: &numbers)
                }
            }
            do {
                if let picture = try decoder.decode(frame) { canvas.draw(picture, into: PixelRectangle(canvas.size)) }
            } catch { thrown += 1 }
        }
        #expect(thrown > 100)
        // And the decoder still decodes.
        let good = try encoded(codec, Self.size, pictures: 2)
        for (frame, pixels) in good {
            let picture = try #require(try decoder.decode(frame.payload))
            #expect(signalToNoise(picture.pixels, pixels) > 25)
        }
    }

    @Test(arguments: [Codec.vp8, .vp9])
    func oversizedAndEmptyFramesAreRefused(_ codec: Codec) throws {
        let decoder = try VPXDecoder(codec, largest: PixelSize(width: 100, height: 100))
        let frame = try encoded(codec, Self.size, pictures: 1)[0].frame.payload
        #expect(throws: CodecError.pictureTooLarge(Self.size)) { try decoder.decode(frame) }
        #expect(throws: CodecError.self) { try decoder.decode([]) }
        #expect(decoder.picture == nil)
    }

    @Test func unknownCodecsAreRefused() {
        #expect(throws: CodecError.unsupported(.h264)) { try VPXDecoder(.h264) }
        #expect(throws: CodecError.unsupported(.opus)) { try VPXEncoder(.init(codec: .opus)) }
    }
}
