/// A file that pages are made of. It is built into the program, so that it needs no folder beside it.
package struct PageFile: Sendable {
    package let name: String
    package let bytes: [UInt8]

    package init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The files of the player's page.
enum PageFiles {
    static let all = [
        PageFile("chat.js", PackageResources.chat_js),
        PageFile("icon.svg", PackageResources.icon_svg),
        PageFile("index.html", PackageResources.index_html),
        PageFile("keys.js", PackageResources.keys_js),
        PageFile("main.js", PackageResources.main_js),
        PageFile("player.css", PackageResources.player_css),
        PageFile("players.js", PackageResources.players_js),
        PageFile("seekbar.js", PackageResources.seekbar_js),
        PageFile("style.css", PackageResources.style_css),
        PageFile("timeline.js", PackageResources.timeline_js),
        PageFile("words.js", PackageResources.words_js),
    ]
}
