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
    package static func respond(to request: Request, path: [String], folder: String) -> Response {
        guard request.method == .get || request.method == .head else { return .methodNotAllowed }
        switch path.first {
        case nil:
            // So that what the page names lies below it.
            let place = (request.path.last ?? "").percentEncoded + "/"
            return Response(308, headers: ["Location": place])
        case ""? where path.count == 1: return pageFile("index.html", request)
        case "page"? where path.count == 2: return pageFile(path[1], request)
        case "view.json"? where path.count == 1: return view(of: folder, request)
        case "chat.vtt"? where path.count == 1: return subtitles(of: folder)
        case "files"?: return file(Array(path.dropFirst()), in: folder, request)
        default: return .notFound
        }
    }

    /// What the page may do: load its own scripts, styles, pictures and media from where it came from, and nothing else.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "media-src 'self'",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    private static func pageFile(_ name: String, _ request: Request) -> Response {
        guard let file = PageFiles.all.first(where: { $0.name == name }) else { return .notFound }
        let bytes = Array(file.text.utf8)
        let tag = tag(bytes)
        guard request.headers["If-None-Match"] != tag else { return unchanged(tag) }
        let type: String =
            switch name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            default: "image/svg+xml"
            }
        var response = Response.bytes(bytes, type: type)
        response.headers["Content-Security-Policy"] = policy
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["ETag"] = tag
        return response
    }

    private static func view(of folder: String, _ request: Request) -> Response {
        let tag = stamp(of: folder)
        if let tag, request.headers["If-None-Match"] == tag { return unchanged(tag) }
        guard let view = try? RecordingView(folder: folder) else { return .notFound }
        var response = Response.bytes(view.json.compactUTF8, type: "application/json")
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

    private static func unchanged(_ tag: String) -> Response {
        Response(304, headers: ["ETag": tag, "Cache-Control": "private, no-cache"])
    }

    /// Another one whenever what the view is made of has changed; nil where that cannot be told.
    private static func stamp(of folder: String) -> String? {
        let names = [".", FileNaming.manifest, FileNaming.journal, FileNaming.chat, FileNaming.report]
        var parts: [String] = []
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
        return tag(Array(parts.joined(separator: " ").utf8))
    }

    private static func tag(_ bytes: [UInt8]) -> String {
        // FNV-1a: short, and the same in every process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"" + String(hash, radix: 36) + "\""
    }
}
