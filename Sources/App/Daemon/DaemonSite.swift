import Archive
import JSON
package import MediaTypes
import Playback
import RecordingFormat
package import WebServer

/// What the daemon serves: an API of JSON, figures for Prometheus, and each recording's page. A function from a request to an
/// answer; who may ask is decided before anything else.
///
///     GET  /health                 that it is there
///     GET  /metrics                figures (Prometheus' text format)
///     GET  /api/status             what runs, and what is due
///     GET  /api/recordings         ?room= person= words= verdict= limit= after=
///     GET  /api/search             ?words= limit= after=
///     GET  /api/history            ?lines=
///     POST /api/start              {"arguments": [ROOM or RECIPE, ...], "name": NAME, "duration": SECONDS}
///     POST /api/run                {"schedule": ID}
///     POST /api/stop               {"run": RUN}
///     GET  /r/ID/                  the page of a recording
///
/// All but the first want the daemon's token: in the Authorization header, or, from a browser, once as `?token=`, which is then
/// kept in a cookie that no other site's page can make use of.
package struct DaemonSite: Sendable {
    private static let mostRows = 1000

    private let archive: ArchiveReader
    private let place: StatePlace
    /// Whoever has it may ask: recordings are nobody else's, and other users of this machine get to its loopback, too.
    private let token: Secret
    private let ask: @Sendable (DaemonRequest) async -> DaemonAnswer

    package init(
        archive: String, place: StatePlace, token: Secret,
        ask: @escaping @Sendable (DaemonRequest) async -> DaemonAnswer
    ) {
        self.archive = ArchiveReader(archive)
        self.place = place
        self.token = token
        self.ask = ask
    }

    package func respond(to request: Request) async -> Response {
        if request.path == ["health"] { return isRead(request) ? .text("ok", status: 200) : .methodNotAllowed }
        if let given = request.query("token") { return admit(given, to: request) }
        guard isAllowed(request) else {
            var response = Response.text(
                "The Authorization header must be 'Bearer' and the daemon's token; a browser may say ?token= once.",
                status: 401)
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        }
        switch request.path.first {
        case "metrics"? where request.path.count == 1: return isRead(request) ? await metrics() : .methodNotAllowed
        case "api"? where request.path.count == 2:
            return request.method == .post
                ? await change(request.path[1], request)
                : isRead(request) ? await answer(request.path[1], request) : .methodNotAllowed
        case "r"? where request.path.count >= 2:
            guard let folder = await archive.folder(of: request.path[1]) else { return .notFound }
            return RecordingSite.respond(to: request, path: Array(request.path.dropFirst(2)), folder: folder)
        default: return .notFound
        }
    }

    private func isRead(_ request: Request) -> Bool { request.method == .get || request.method == .head }

    private func isAllowed(_ request: Request) -> Bool {
        if let header = request.headers["Authorization"], header.hasPrefix("Bearer ") {
            return isToken(String(header.dropFirst(7)))
        }
        let cookies = (request.headers["Cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return cookies.contains {
            $0.hasPrefix(Self.cookie + "=") && isToken(String($0.dropFirst(Self.cookie.count + 1)))
        }
    }

    private static let cookie = "callbot"

    /// Takes the same time, however much of a guess is right.
    private func isToken(_ guess: String) -> Bool {
        let (wanted, given) = (Array(token.revealed().utf8), Array(guess.utf8))
        guard wanted.count == given.count else { return false }
        return zip(wanted, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Lets a browser in that has the token in its address, and takes it out of there.
    private func admit(_ guess: String, to request: Request) -> Response {
        guard isRead(request), isToken(guess) else { return .text("This is not the daemon's token.", status: 401) }
        let place = "/" + request.path.map(\.percentEncoded).joined(separator: "/")
        return Response(
            303,
            headers: [
                "Location": place, "Cache-Control": "no-store",
                "Set-Cookie": "\(Self.cookie)=\(guess); Path=/; HttpOnly; SameSite=Strict",
            ])
    }

    // MARK: - Questions

    private func answer(_ what: String, _ request: Request) async -> Response {
        let limit = min(max(request.query("limit").flatMap { Int($0) } ?? 50, 1), Self.mostRows)
        let cursor = request.query("after").flatMap(PageCursor.init)
        do {
            switch what {
            case "status": return Self.said(await ask(.status))
            case "recordings":
                var filter = RecordingFilter()
                filter.room = request.query("room")
                filter.person = request.query("person")
                filter.words = request.query("words").map { SearchWords($0) }
                if let grade = request.query("verdict") {
                    guard let grade = Verdict.Grade(rawValue: grade) else {
                        return Self.bad("verdict must be good, degraded or failed")
                    }
                    filter.grade = grade
                }
                return Self.json(try await archive.recordings(filter, limit: limit, after: cursor))
            case "search":
                let words = SearchWords(request.query("words") ?? "")
                guard !words.isEmpty else { return Self.bad("words are missing") }
                return Self.json(try await archive.lines(with: words, limit: limit, after: cursor))
            case "history":
                let lines = min(max(request.query("lines").flatMap { Int($0) } ?? 100, 1), 100_000)
                return Self.json(["history": .array(HistoryLog.read(place, last: lines))])
            default: return .notFound
            }
        } catch {
            return Self.json(["error": .string("\(error)")], status: 503)
        }
    }

    // MARK: - Orders

    private func change(_ what: String, _ request: Request) async -> Response {
        // What a form or a script of another site can send without being asked first has another type.
        guard request.headers["Content-Type"]?.hasPrefix("application/json") ?? false else {
            return Self.bad("the Content-Type must be application/json")
        }
        guard var json = try? JSONValue(parsing: request.body), ["start", "run", "stop"].contains(what) else {
            return ["start", "run", "stop"].contains(what) ? Self.bad("the body is not JSON") : .notFound
        }
        json["do"] = .string(what)
        guard let order = DaemonRequest(json) else { return Self.bad("something is missing: see the daemon's help") }
        return Self.said(await ask(order))
    }

    private static func said(_ answer: DaemonAnswer) -> Response {
        switch answer {
        case .done(let facts): json(facts)
        case .refused(let reason): json(["error": .string(reason)], status: 409)
        }
    }

    private static func bad(_ reason: String) -> Response { json(["error": .string(reason)], status: 400) }

    private static func json(_ value: JSONValue, status: Int = 200) -> Response {
        var response = Response.bytes(value.compactUTF8, type: "application/json", status: status)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    // MARK: - Figures

    private func metrics() async -> Response {
        guard case .done(let status) = await ask(.status) else { return .text("the daemon ends", status: 503) }
        return .bytes(Array(DaemonMetrics(status).text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }
}
