import MediaTypes

/// Texts of strangers, as they are put into the columns of a terminal.
enum DisplayText {
    /// How many columns a text takes: two for wide characters, none for marks upon others.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isEmoji = first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
        return isEmoji || isWide(first.value) ? 2 : 1
    }

    /// East Asian scripts, roughly by Unicode's EastAsianWidth (W and F).
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// A text of at most so many columns, and without what would move a cursor.
    static func clipped(_ text: String, _ columns: Int) -> String {
        let text = ReportPage.printable(text)
        guard width(text) > columns else { return text }
        var clipped = ""
        var left = columns - 1
        for character in text {
            left -= width(character)
            guard left >= 0 else { break }
            clipped.append(character)
        }
        return columns > 0 ? clipped + "…" : ""
    }

    /// The same, with spaces up to the width: behind it, or before it.
    static func padded(_ text: String, _ columns: Int, isRight: Bool = false) -> String {
        let text = clipped(text, columns)
        let spaces = String(repeating: " ", count: max(0, columns - width(text)))
        return isRight ? spaces + text : text + spaces
    }

    /// `1:02:03`
    static func clock(_ span: Duration) -> String {
        let seconds = max(0, span.components.seconds)
        return "\(seconds / 3600):\((seconds / 60 % 60).padded(2)):\((seconds % 60).padded(2))"
    }

    /// `830 kB`, `12 MB`, `1.5 GB`
    static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\((bytes + 999) / 1000) kB" : byteCount(bytes)
    }
}
