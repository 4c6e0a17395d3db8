import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct CanvasTests {
    @Test(
        arguments: [
            (Colour.black, 16, 128, 128), (.white, 235, 128, 128), (Colour(0xFF0000), 81, 90, 240),
            (Colour(0x00FF00), 145, 54, 34), (Colour(0x0000FF), 41, 240, 110),
        ])
    func coloursAreLimitedRange(_ colour: Colour, _ luma: Int, _ blue: Int, _ red: Int) {
        let canvas = Canvas(size: PixelSize(width: 3, height: 3))
        canvas.clear(colour)
        #expect(Int(canvas.luma(2, 2)) == luma && Int(canvas.blue(1, 1)) == blue && Int(canvas.red(1, 1)) == red)
    }

    @Test func fillingKeepsToItsRectangle() {
        let canvas = Canvas(size: PixelSize(width: 16, height: 16))
        canvas.fill(PixelRectangle(x: 3, y: 5, width: 6, height: 4), .white)  // even edges inside: 4...8, 6...8
        let lit = (0..<256).filter { canvas.luma($0 % 16, $0 / 16) == 235 }
        #expect(lit == [100, 101, 102, 103, 116, 117, 118, 119])
        canvas.fill(PixelRectangle(x: -100, y: -100, width: 1, height: 1), .black)
        canvas.fill(PixelRectangle(x: 200, y: 0, width: 10, height: 10), .black)
        #expect((0..<256).count { canvas.luma($0 % 16, $0 / 16) == 235 } == 8)
    }

    @Test func anOddLastColumnIsPainted() {
        let canvas = Canvas(size: PixelSize(width: 5, height: 7))
        canvas.clear(.white)
        #expect(canvas.pixels.prefix(35).allSatisfy { $0 == 235 })
    }

    @Test func copyingCutsOffWhatDoesNotFit() {
        let source = Canvas(size: PixelSize(width: 20, height: 20))
        source.paintScenery()
        let canvas = Canvas(size: PixelSize(width: 32, height: 32))
        canvas.copy(PixelRectangle(x: 2, y: 4, width: 100, height: 100), of: source, toX: 20, y: 26)
        #expect(canvas.luma(20, 26) == source.luma(2, 4))
        #expect(canvas.luma(31, 31) == source.luma(13, 9))
        #expect(canvas.red(15, 15) == source.red(6, 4))
        #expect(canvas.luma(19, 26) == 16 && canvas.luma(20, 25) == 16)
        canvas.copy(PixelRectangle(x: 0, y: 0, width: 20, height: 20), of: source, toX: -10, y: -10)
        #expect(canvas.luma(0, 0) == source.luma(10, 10) && canvas.luma(9, 9) == source.luma(19, 19))
    }

    private func picture(_ size: PixelSize, _ paint: (Canvas) -> Void) throws -> DecodedPicture {
        let canvas = Canvas(size: size)
        paint(canvas)
        let encoder = try VPXEncoder(.init(size: size, bitRate: 8_000_000))
        let frame = try #require(try encoder.encode(canvas, at: 0))
        return try #require(try VPXDecoder(.vp8).decode(frame.payload))
    }

    @Test func aCroppedPictureShowsThatPartOnly() throws {
        let picture = try picture(PixelSize(width: 64, height: 64)) {
            $0.fill(PixelRectangle(x: 32, y: 0, width: 32, height: 64), .white)
        }
        let canvas = Canvas(size: PixelSize(width: 48, height: 48))
        canvas.clear(Colour(0xFF0000))
        canvas.draw(
            picture, into: PixelRectangle(x: 8, y: 8, width: 32, height: 32),
            cropping: PixelRectangle(x: 36, y: 8, width: 20, height: 20))
        #expect(canvas.luma(8, 8) > 225 && canvas.luma(39, 39) > 225)
        #expect(
            canvas.luma(7, 8) == 81 && canvas.luma(40, 39) == 81 && canvas.red(3, 4) == 240 && canvas.red(20, 19) == 240
        )
    }

    @Test func aPictureBeyondTheEdgeKeepsItsScale() throws {
        let picture = try picture(PixelSize(width: 64, height: 64)) {
            $0.fill(PixelRectangle(x: 32, y: 0, width: 32, height: 64), .white)
        }
        let canvas = Canvas(size: PixelSize(width: 96, height: 64))
        canvas.draw(picture, into: PixelRectangle(x: -64, y: 0, width: 128, height: 64))
        #expect(canvas.luma(8, 30) > 225 && canvas.luma(60, 30) > 225)  // only the right half is seen
        #expect(canvas.luma(64, 30) == 16)
    }

    @Test func drawingStaysInsideForAnyRectangle() throws {
        var numbers = SeededNumbers(state: 11)
        for _ in 0..<40 {
            let picture = try picture(.random(to: 90, using: &numbers)) { $0.paintScenery() }
            for _ in 0..<25 {
                let canvas = Canvas(size: .random(to: 60, using: &numbers))
                canvas.clear(.black)
                let region = PixelRectangle(
                    x: .random(in: -40...60, using: &numbers), y: .random(in: -40...60, using: &numbers),
                    width: .random(in: 0...120, using: &numbers), height: .random(in: 0...120, using: &numbers))
                canvas.draw(
                    picture, into: region,
                    cropping: PixelRectangle(
                        x: .random(in: -20...90, using: &numbers), y: .random(in: -20...90, using: &numbers),
                        width: .random(in: 0...120, using: &numbers), height: .random(in: 0...120, using: &numbers)))
                for y in 0..<canvas.size.height {
                    for x in 0..<canvas.size.width where canvas.luma(x, y) != 16 {
                        #expect(x >= region.x && x < region.right && y >= region.y && y < region.bottom)
                    }
                }
            }
        }
    }
}
