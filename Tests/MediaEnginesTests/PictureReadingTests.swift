import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct PictureReadingTests {
    private func scenery(_ width: Int, _ height: Int) -> Canvas {
        let canvas = Canvas(size: PixelSize(width: width, height: height))
        canvas.clear(Colour(0x3060A0))
        canvas.fill(PixelRectangle(x: 0, y: 0, width: width / 2, height: height / 2), Colour(0xE0A040))
        return canvas
    }

    @Test(arguments: [(2, 2), (33, 17), (640, 360)])
    func whatWasWrittenIsRead(_ size: (Int, Int)) throws {
        let canvas = scenery(size.0, size.1)
        for file in [try PictureFile.png(canvas), try PictureFile.jpeg(canvas, quality: 100)] {
            let picture = try PictureFile.read(file)
            #expect(picture.size == canvas.size)
            let copy = Canvas(size: canvas.size)
            copy.draw(picture, into: PixelRectangle(copy.size))
            for (x, y) in [(0, 0), (size.0 - 1, size.1 - 1)] {
                let (got, wanted) = (copy.pixel(atX: x, y: y), canvas.pixel(atX: x, y: y))
                #expect(abs(Int(got.luma) - Int(wanted.luma)) < 8, "\(x), \(y)")
                #expect(abs(Int(got.blue) - Int(wanted.blue)) < 8 && abs(Int(got.red) - Int(wanted.red)) < 8)
            }
        }
    }

    @Test func noDamageBreaksTheReader() throws {
        let canvas = scenery(64, 36)
        var numbers = SeededNumbers(state: 1)
        for file in [try PictureFile.png(canvas), try PictureFile.jpeg(canvas)] {
            for length in 0..<file.count - 16 {
                #expect(throws: PictureFile.DecodingError.self, "\(length)") {
                    try PictureFile.read(Array(file.prefix(length)))
                }
            }
            for _ in 0..<500 {
                var damaged = file
                for _ in 0..<3 {
                    damaged[Int.random(in: 0..<file.count, using: &numbers)] = UInt8.random(
                        in: 0...255, using: &numbers)
                }
                _ = try? PictureFile.read(damaged)
            }
        }
        #expect(throws: PictureFile.DecodingError.unknownFormat) { try PictureFile.read(Array("GIF89a".utf8)) }
    }

    @Test(arguments: [(16_385, 1), (8000, 8000), (0x7FFF_FFFF, 0x7FFF_FFFF)])
    func aSizeThatIsOnlyClaimedTakesNoMemory(_ size: (Int, Int)) throws {
        var file = try PictureFile.png(scenery(2, 2))
        for (at, number) in [(16, size.0), (20, size.1)] {
            for byte in 0..<4 { file[at + byte] = UInt8(truncatingIfNeeded: number >> (8 * (3 - byte))) }
        }
        #expect(throws: PictureFile.DecodingError.tooLarge(PixelSize(width: size.0, height: size.1))) {
            try PictureFile.read(file)
        }
    }
}
