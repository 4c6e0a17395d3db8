package import MediaTypes

/// The tile of somebody without a picture: a circle in a colour of their own with their initials, and the name below.
/// Each is drawn once and kept. Not for more than one thread at a time.
package final class AvatarPainter {
    private struct Key: Hashable {
        var name: String
        var id: ParticipantID
        var size: PixelSize
        var background: Colour
    }
    private let labels: LabelPainter
    private var known: [Key: Canvas] = [:]

    package init(labels: LabelPainter) { self.labels = labels }

    /// The tile at a size; to be copied to where it belongs.
    package func avatar(
        name: String, id: ParticipantID, size: PixelSize, background: Colour = Colour(0x202124)
    ) -> Canvas {
        let key = Key(name: name, id: id, size: size, background: background)
        if let canvas = known[key] { return canvas }
        if known.count >= 64 { known.removeAll() }
        let canvas = draw(key)
        known[key] = canvas
        return canvas
    }

    private func draw(_ key: Key) -> Canvas {
        let canvas = Canvas(size: key.size)
        canvas.clear(key.background)
        let (width, height) = (key.size.width, key.size.height)
        let diameter = min(width, height) * 9 / 20
        guard diameter >= 8 else { return canvas }
        let circle = Mask.roundedRectangle(PixelSize(width: diameter, height: diameter), radius: Double(diameter) / 2)
        let middle = (x: width / 2, y: height * 9 / 20)
        canvas.blend(circle, atX: middle.x - diameter / 2, y: middle.y - diameter / 2, Self.colour(of: key.id))
        let initials = labels.label(Self.initials(of: key.name), pixels: diameter * 2 / 5, width: diameter)
        canvas.blend(initials, atX: middle.x - initials.size.width / 2, y: middle.y - initials.size.height / 2, .white)
        let pixels = min(max(height / 14, 10), 48)
        let name = labels.label(key.name, pixels: pixels, width: width * 9 / 10)
        canvas.blend(
            name, atX: (width - name.size.width) / 2, y: middle.y + diameter / 2 + pixels / 2, Colour(0xE8EAED))
        return canvas
    }

    /// The first characters of the first and the last word, in capitals.
    static func initials(of name: String) -> String {
        let words = name.split { $0.isWhitespace || $0 == "\0" }
        guard let first = words.first?.first else { return "?" }
        let last = words.count > 1 ? words.last?.first : nil
        return String(first).uppercased() + (last.map { String($0).uppercased() } ?? "")
    }

    /// A colour that white letters can be read on; the same id has the same colour in every recording.
    static func colour(of id: ParticipantID) -> Colour {
        let palette: [UInt32] = [
            0xB3261E, 0xA84300, 0x7A5900, 0x3F6900, 0x00695C, 0x00629E, 0x3949AB, 0x5E35B1, 0x8E24AA, 0xAD1457,
            0x5D4037, 0x455A64,
        ]
        // FNV-1a: Swift's own hash differs from run to run.
        let hash = id.value.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Colour(palette[Int((hash ^ hash >> 16) % UInt32(palette.count))])
    }
}
