import MediaTypes
import WebIO
import WebServer

/// Who may ask the daemon for something: who has its token. A browser says it once and has a cookie from then on, which
/// no other site's page can make use of, and from which nobody learns the token.
struct SiteAccess: Sendable {
    static let cookie = "callbot"

    private let token: [UInt8]
    private let session: String
    /// Whether browsers get here through TLS alone.
    let isSecure: Bool

    init(token: Secret, isSecure: Bool) {
        self.token = Array(token.revealed().utf8)
        session = hmacSHA256(Array("callbot session".utf8), key: self.token)
        self.isSecure = isSecure
    }

    func isAllowed(_ request: Request) -> Bool {
        if let header = request.headers["Authorization"] {
            return header.hasPrefix("Bearer ") && isToken(String(header.dropFirst(7)))
        }
        return request.cookies(Self.cookie).contains { Self.isSame($0, session) }
    }

    func isToken(_ guess: String) -> Bool { Self.isSame(guess, String(decoding: token, as: UTF8.self)) }

    /// The header field that lets a browser in.
    var admission: String { "\(Self.cookie)=\(session); Path=/; HttpOnly; SameSite=Strict\(security)" }

    /// The header field that has it forgotten again.
    var dismissal: String { "\(Self.cookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0\(security)" }

    /// What a cookie says besides where browsers come through TLS.
    var security: String { isSecure ? "; Secure" : "" }

    /// Takes the same time, however much of a guess is right.
    static func isSame(_ guess: String, _ wanted: String) -> Bool {
        let (wanted, given) = (Array(wanted.utf8), Array(guess.utf8))
        guard wanted.count == given.count else { return false }
        return zip(wanted, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Request {
    /// The values of the cookies of a name.
    func cookies(_ name: String) -> [String] {
        (headers["Cookie"] ?? "").split { $0 == ";" || $0 == "," }.map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Whether a person looks at the answer.
    var isFromBrowser: Bool { headers["Accept"]?.contains("text/html") ?? false }
}
