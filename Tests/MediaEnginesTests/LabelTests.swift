import CTurboJPEG
import MediaTypes
import Testing

@testable import MediaEngines

@Suite struct LabelTests {
    private let labels = LabelPainter()

    @Test(arguments: ["Ada", "Влади́мир", "محمد الفاتح", "שלום", "山田太郎", "김민수", "नमस्ते", "😀", "👩‍👩‍👧", "Zoë 🎉", "ẗ̴̡h̷e"])
    func everyScriptIsDrawn(_ text: String) {
        let mask = labels.label(text, pixels: 24, width: 400)
        #expect(!mask.isBlank)
        // A box for a character that no font has is not blank either.
        #expect(labels.missingGlyphs(in: text) == 0)
        #expect(mask.size.width > 8 && mask.size.width <= 400 && mask.size.height >= 20)
    }

    @Test(
        "hostile text does no harm",
        arguments: [
            "", " ", "\0", "\0\0a\0", "a\nb\r\nc\u{2028}d\u{2029}e", String(repeating: "x", count: 10_000),
            String(repeating: "\u{0301}", count: 5000), "\u{0301}", "\u{202E}abc", "\u{FFFD}\u{FFFF}",
            "e" + String(repeating: "\u{0336}", count: 300), String(repeating: "ﷺ", count: 400), "<b>&amp;",
        ])
    func hostileTextDoesNoHarm(_ text: String) {
        for (pixels, width) in [(20, 200), (1, 1), (0, 0), (-5, -5), (512, 60), (100_000, 100_000)] {
            let mask = labels.label(text, pixels: pixels, width: width)
            #expect(mask.size.width >= 1 && mask.size.width <= max(1, min(width, 8192)))
            let canvas = Canvas(size: PixelSize(width: 64, height: 64))
            canvas.blend(mask, atX: 31, y: -7, .white)
        }
    }

    @Test func aWideLabelIsCutAndKept() {
        let whole = labels.label("a name that is rather long", pixels: 20, width: 1000)
        let cut = labels.label("a name that is rather long", pixels: 20, width: 100)
        #expect(whole.size.width > 200 && cut.size.width <= 100 && cut.size.width > 60)
        #expect(labels.label("a name that is rather long", pixels: 20, width: 100) === cut)
        #expect(
            labels.label("a", pixels: 40, width: 1000).size.height
                > labels.label("a", pixels: 20, width: 1000).size.height)
    }

    @Test func blendingMixesByCoverage() {
        let canvas = Canvas(size: PixelSize(width: 40, height: 40))
        let box = Mask.roundedRectangle(PixelSize(width: 20, height: 20), radius: 8)
        canvas.blend(box.faded(to: 0.5), atX: 11, y: 10, .white)
        #expect(canvas.luma(10, 10) == 16)  // the round corner
        #expect(abs(Int(canvas.luma(20, 20)) - 125) <= 1)  // half of 16 and 235
        #expect(canvas.luma(9, 20) == 16 && canvas.luma(30, 20) == 16 && canvas.luma(29, 20) > 100)
        canvas.clear(.black)
        canvas.blend(box, atX: -10, y: 30, Colour(0xFF0000))
        #expect(canvas.luma(4, 39) == 81 && canvas.red(2, 19) == 240)
        canvas.blend(box, atX: 1000, y: -1000, .white)
    }

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("  jean  le rond d'Alembert ", "JD"), ("", "?"), ("\0", "?"),
        ("ßtraße", "SS"),
        ("山田 太郎", "山太"), ("👩‍👩‍👧 x", "👩‍👩‍👧X"),
    ])
    func initialsAreOfTheFirstAndTheLastWord(_ name: String, _ initials: String) {
        #expect(AvatarPainter.initials(of: name) == initials)
    }

    @Test func anAvatarIsDrawnOnceInAColourOfItsOwn() {
        let painter = AvatarPainter(labels: labels)
        let size = PixelSize(width: 426, height: 240)
        let avatar = painter.avatar(name: "Ada Lovelace", id: ParticipantID("42"), size: size)
        #expect(avatar === painter.avatar(name: "Ada Lovelace", id: ParticipantID("42"), size: size))
        let colour = AvatarPainter.colour(of: ParticipantID("42")).limitedYUV
        let pixels = avatar.pixels
        #expect(pixels.count { $0 == colour.luma } > 3000)
        #expect(pixels.prefix(426 * 240).count { $0 > 200 } > 100)  // the letters
        let row = (170..<235).contains { y in (100..<326).contains { avatar.luma($0, y) > 150 } }
        #expect(row)  // the name below
        #expect(Set((0..<50).map { AvatarPainter.colour(of: ParticipantID(String($0))) }).count > 6)
        for size in [(1, 1), (7, 300), (33, 21)] {
            _ = painter.avatar(name: "x y", id: ParticipantID("1"), size: PixelSize(width: size.0, height: size.1))
        }
    }
}

@Suite struct PictureFileTests {
    @Test(arguments: [(1, 1), (33, 17), (1280, 720)])
    func aJPEGShowsTheCanvas(_ size: (Int, Int)) throws {
        let canvas = Canvas(size: PixelSize(width: size.0, height: size.1))
        canvas.clear(Colour(red: 200, green: 60, blue: 30))
        let file = try PictureFile.jpeg(canvas)
        let decompressor = tjInitDecompress()
        defer { tjDestroy(decompressor) }
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        #expect(tjDecompressHeader3(decompressor, file, UInt(file.count), &width, &height, &sampling, &space) == 0)
        #expect((Int(width), Int(height)) == size)
        var pixels = [UInt8](repeating: 0, count: size.0 * size.1 * 3)
        #expect(
            tjDecompress2(decompressor, file, UInt(file.count), &pixels, width, 0, height, Int32(TJPF_RGB.rawValue), 0)
                == 0)
        for (got, wanted) in zip(pixels.suffix(3), [200, 60, 30]) { #expect(abs(Int(got) - wanted) < 6) }
    }

    @Test func aPNGIsOne() throws {
        let canvas = Canvas(size: PixelSize(width: 33, height: 17))
        let file = try PictureFile.png(canvas)
        #expect(file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(file[16..<24] == [0, 0, 0, 33, 0, 0, 0, 17])
    }
}
