import Playback
import WebServer

/// The daemon's own pages.
enum SitePage {
    /// A file of a page, this one's or the player's; nil when there is none of this name.
    static func file(_ name: String, to request: Request) -> Response? {
        SiteFiles.named(name).map { PageAnswer.file($0, to: request) }
            ?? PageAnswer.playerFile(name, to: request)
    }

    /// Asks for the token.
    static func signIn(to request: Request) -> Response {
        SiteFiles.named("signin.html").map { PageAnswer.file($0, to: request, status: 401) } ?? .notFound
    }

    /// A small page with one sentence on it.
    static func sentence(_ sentence: String, status: Int, to request: Request) -> Response {
        guard let page = SiteFiles.named("sentence.html") else { return .notFound }
        let said = (sentence.first?.uppercased() ?? "") + sentence.dropFirst() + "."
        let text = page.text.replacing("{sentence}", with: escaped(said))
        return PageAnswer.file(PageFile(page.name, Array(text.utf8)), to: request, status: status)
    }

    /// Text as markup that shows it.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
