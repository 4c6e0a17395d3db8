package import WebServer

/// A file that pages are made of, as it is answered: with a policy that allows it nothing but what lies beside it.
package enum PageAnswer {
    /// What a page may do: load its own scripts, styles, pictures and media from where it came from, and nothing else.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "media-src 'self'",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    /// The end of its name says the type.
    package static func file(_ file: PageFile, to request: Request, status: Int = 200) -> Response {
        let tag = tag(file.bytes)
        guard status != 200 || request.headers["If-None-Match"] != tag else {
            // Browsers take over what this says, and would forbid what they were allowed before.
            var response = unchanged(tag)
            response.headers["Content-Security-Policy"] = policy
            return response
        }
        let type: String =
            switch file.name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            default: "image/svg+xml"
            }
        var response = Response.bytes(file.bytes, type: type, status: status)
        response.headers["Content-Security-Policy"] = policy
        guard status == 200 else { return response }
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["ETag"] = tag
        return response
    }

    /// One of the player's files, which other pages may use too; nil when there is none of this name.
    package static func playerFile(_ name: String, to request: Request) -> Response? {
        PageFiles.all.first { $0.name == name }.map { file($0, to: request) }
    }

    static func unchanged(_ tag: String) -> Response {
        Response(304, headers: ["ETag": tag, "Cache-Control": "private, no-cache"])
    }

    /// Another one for other bytes.
    static func tag(_ bytes: [UInt8]) -> String {
        // FNV-1a: short, and the same in every process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"" + String(hash, radix: 36) + "\""
    }
}
