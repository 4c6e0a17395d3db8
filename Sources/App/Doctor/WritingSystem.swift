/// What people's names are written in, as far as fonts come in packages.
package enum WritingSystem: String, CaseIterable, Sendable {
    case latin, arabic, chinese, emoji

    package var name: String {
        switch self {
        case .latin: "Latin"
        case .arabic: "Arabic"
        case .chinese: "Chinese"
        case .emoji: "emoji"
        }
    }

    /// What a font must have to count.
    var sample: String {
        switch self {
        case .latin: "Zoë Čapek Ångström"
        case .arabic: "مرحبا بالعالم"
        case .chinese: "佐伊你好世界"
        case .emoji: "😀🎉👍"
        }
    }

    /// The Debian package with such a font.
    var package: String {
        switch self {
        case .latin: "fonts-dejavu-core"
        case .arabic: "fonts-noto-core"
        case .chinese: "fonts-noto-cjk"
        case .emoji: "fonts-symbola"
        }
    }
}
