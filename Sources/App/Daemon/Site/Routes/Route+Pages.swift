import Archive
import JSON
import Playback
import WebServer

extension Route {
    /// What people see.
    static let pages: [Route] = [
        Route(.get, "/", "The page with all recordings.", answer: .other("text/html", "It.")) { site, call in
            SitePage.file("list.html", to: call.request) ?? .notFound
        },
        Route(
            .get, "/page/{file}", for: .anybody, "What pages are made of: styles and scripts.",
            answer: .other("text/javascript", "A file; its Content-Type says of which kind.")
        ) { _, call in
            guard let file = SitePage.file(call.parameter("file"), to: call.request) else {
                throw SiteError.missing("there is no such file")
            }
            return file
        },
        Route(
            .get, "/r/{recording}", for: .link, "Leads to the page of a recording.",
            answer: .init(status: 308, type: nil, schema: nil, summary: "There.")
        ) { site, call in try await site.page(call, []) },
        Route(
            .get, "/r/{recording}/{path...}", for: .link,
            "The page of a recording, and below it what it is made of: page/, view.json, chat.vtt, and files/ with the recording's own files, in byte ranges where asked for. The path may have slashes, and be empty.",
            query: [
                .init(name: "link", schema: .text, summary: "What lets somebody in who has a link to this recording."),
                .init(name: "download", schema: .text, summary: "Of a file: to be saved, not shown."),
                .init(name: "to", schema: ["type": "integer"], summary: "Of a file that is not finished: up to here."),
            ], answer: .other("text/html", "The page, or what it is made of.")
        ) { site, call in
            try await site.page(
                call, call.parameter("path").split(separator: "/", omittingEmptySubsequences: false).map(String.init))
        },
    ]
}

extension DaemonSite {
    fileprivate func page(_ call: SiteCall, _ path: [String]) async throws -> Response {
        let folder = try await archive.folder(of: call.parameter("recording"))
        return RecordingSite.respond(
            to: call.request, path: path, folder: folder, list: call.isOperator ? "/" : nil)
    }
}
