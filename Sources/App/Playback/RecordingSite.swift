import Examination
import Glibc
import JSON
import MediaTypes
import RecordingFormat
import Storage
package import WebServer

/// The pages of one recording: a function from its folder and a path to an answer, wherever in a site it stands.
///
/// Below the recording's place there are: the page itself, `page/` with what it is made of, `view.json` with what it
/// shows, `chat.vtt`, and `files/` with the recording's own.
package enum RecordingSite {
    /// - Parameters:
    ///   - path: the segments below the recording's place; `[""]` is the page.
    ///   - folder: the recording's.
    ///   - list: the address of the list of all recordings, for who may see it; nil for no way there.
    package static func respond(
        to request: Request, path: [String], folder: String, list: String? = nil
    ) -> Response {
        guard request.method == .get || request.method == .head else { return .methodNotAllowed }
        switch path.first {
        case nil:
            // So that what the page names lies below it.
            let place = (request.path.last ?? "").percentEncoded + "/"
            return Response(308, headers: ["Location": place])
        case ""? where path.count == 1: return PageAnswer.playerFile("index.html", to: request) ?? .notFound
        case "page"? where path.count == 2: return PageAnswer.playerFile(path[1], to: request) ?? .notFound
        case "view.json"? where path.count == 1: return view(of: folder, list: list, request)
        case "chat.vtt"? where path.count == 1: return subtitles(of: folder)
        case "files"?: return file(Array(path.dropFirst()), in: folder, request)
        default: return .notFound
        }
    }

    private static func view(of folder: String, list: String?, _ request: Request) -> Response {
        let tag = stamp(of: folder, list)
        if let tag, request.headers["If-None-Match"] == tag { return PageAnswer.unchanged(tag) }
        guard let view = try? RecordingView(folder: folder) else { return .notFound }
        var json = view.json
        json["list"] = list.map { .string($0) } ?? .null
        var response = Response.bytes(json.compactUTF8, type: "application/json")
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["ETag"] = tag
        return response
    }

    /// Made anew, so that it is there while the recording is made, too.
    private static func subtitles(of folder: String) -> Response {
        let bytes = (try? SmallFile.read(folder + "/" + FileNaming.chat)) ?? []
        let text = ChatSubtitles.text(of: ChatLine.lines(in: bytes).lines)
        return .bytes(Array(text.utf8), type: "text/vtt; charset=utf-8")
    }

    /// `?to=BYTES` asks for a file that is not finished, up to there, in a form in which a player can go anywhere.
    private static func file(_ path: [String], in folder: String, _ request: Request) -> Response {
        guard let type = RecordingFiles.type(of: path), let file = ServedFolder(folder)?.file(path) else {
            return .notFound
        }
        if let limit = request.query("to") {
            let place = folder + "/" + path.joined(separator: "/")
            guard type == "video/webm", let limit = Int64(limit),
                let snapshot = SnapshotShelf.shared.snapshot(of: file, at: place, to: limit)
            else { return .notFound }
            return .file(snapshot, type: type)
        }
        var response = Response.file(file, type: type)
        if request.query("download") != nil {
            response.headers["Content-Disposition"] =
                "attachment; filename*=UTF-8''\(path[path.count - 1].percentEncoded)"
        }
        return response
    }

    /// Another one whenever what the view is made of has changed; nil where that cannot be told.
    private static func stamp(of folder: String, _ list: String?) -> String? {
        let names = [".", FileNaming.manifest, FileNaming.journal, FileNaming.chat, FileNaming.report]
        var parts = [list ?? "-"]
        for name in names {
            var status = stat()
            guard stat(folder + "/" + name, &status) == 0 else {
                parts.append("-")
                continue
            }
            parts.append("\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
        }
        // Whether somebody makes it is not in any file, and a recorder may end without a word.
        guard let bytes = try? SmallFile.read(folder + "/" + FileNaming.manifest),
            let manifest = try? RecordingManifest(parsing: bytes), manifest.state != .recording
        else { return nil }
        return PageAnswer.tag(Array(parts.joined(separator: " ").utf8))
    }
}
