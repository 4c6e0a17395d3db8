import Archive
import EventLoop
import JSON
package import MediaTypes
import Playback
package import WebServer

/// What the daemon serves: a page with all recordings, each recording's page, an API of JSON, and figures for
/// Prometheus. A function from a request to an answer: who may ask is decided before anything is done, and what there
/// is stands in the table of routes, which `GET /api/openapi.json` gives.
package struct DaemonSite: Sendable {
    /// How the site gets at the daemon.
    package struct Door: Sendable {
        package var ask: @Sendable (DaemonRequest) async -> DaemonAnswer
        /// Has the schedules read again.
        package var look: @Sendable () async -> Void
        /// The schedules that it follows now; nil when it ends.
        package var schedules: @Sendable () async -> ScheduleStore?
        /// When the daemon was seen to be at work last; nil when it is not to be asked about.
        package var pulse: @Sendable () -> MonotonicTime?

        package init(
            ask: @escaping @Sendable (DaemonRequest) async -> DaemonAnswer,
            look: @escaping @Sendable () async -> Void = {},
            schedules: @escaping @Sendable () async -> ScheduleStore? = { nil },
            pulse: @escaping @Sendable () -> MonotonicTime? = { nil }
        ) {
            self.ask = ask
            self.look = look
            self.schedules = schedules
            self.pulse = pulse
        }
    }

    let archive: ArchiveReader
    let settings: DaemonSettings
    let access: SiteAccess
    let links: LinkSigner
    let live: LiveBroadcast
    let door: Door

    package init(_ settings: DaemonSettings, token: Secret, links: LinkSigner, live: LiveBroadcast, door: Door) {
        archive = ArchiveReader(settings.archive)
        self.settings = settings
        self.links = links
        self.live = live
        self.door = door
        let isSecure = settings.web?.server.certificateFile != nil || settings.publicURL?.hasPrefix("https:") ?? false
        access = SiteAccess(token: token, isSecure: isSecure)
    }

    package func respond(to request: Request) async -> Response {
        if request.path != ["api", "session"], let given = request.query("token") { return admit(given, to: request) }
        let found = Router.all.find(request.method, request.path)
        do {
            switch found {
            case .route(let route, let parameters):
                let isOperator = access.isAllowed(request)
                if !isOperator, let refusal = try refusal(of: request, route, parameters) { return refusal }
                return try await route.act(
                    self,
                    SiteCall(request: request, route: route, parameters: parameters, isOperator: isOperator))
            // What there is and what is not is nobody's business who may not ask.
            case _ where !access.isAllowed(request): throw Self.stranger
            case .otherMethods(let methods):
                throw SiteError(
                    405, "this cannot be done here: there is \(methods.joined(separator: ", "))",
                    headers: ["Allow": methods.joined(separator: ", ")])
            case .nothing: throw SiteError.missing("there is nothing here: /api/openapi.json says what there is")
            }
        } catch {
            return answer(error, to: request)
        }
    }

    // MARK: - Who may

    private static let stranger = SiteError(
        401, "the Authorization header must be 'Bearer' and the daemon's token; a browser may say ?token= once",
        headers: ["WWW-Authenticate": "Bearer"])

    /// What somebody without the token is told; nil when it is open to them.
    private func refusal(
        of request: Request, _ route: Route, _ parameters: [String: String]
    ) throws(SiteError) -> Response? {
        switch route.access {
        case .anybody: return nil
        case .token: throw Self.stranger
        case .link:
            let recording = parameters["recording"] ?? ""
            if let given = request.query(LinkSigner.query) {
                return try enter(by: given, recording)
            }
            let given = request.cookies(LinkSigner.cookie)
            guard let first = given.first else { throw Self.stranger }
            _ = try judge(given.count == 1 ? first : given.first { isGood($0, recording) } ?? first, recording)
            return nil
        }
    }

    private func isGood(_ link: String, _ recording: String) -> Bool {
        if case .good = links.judge(link, of: recording, at: HostClock.wallTime()) { true } else { false }
    }

    /// - Returns: until when a link is good.
    private func judge(_ link: String, _ recording: String) throws(SiteError) -> WallTime {
        switch links.judge(link, of: recording, at: HostClock.wallTime()) {
        case .good(let until): return until
        case .expired(let time):
            throw SiteError(403, "this link was good until \(time.iso8601.prefix(16))Z: ask for a new one")
        case .wrong: throw SiteError(403, "this link is not good: it is cut off, or was revoked")
        }
    }

    /// Lets a browser in that has a link, and takes it out of the address.
    private func enter(by link: String, _ recording: String) throws(SiteError) -> Response {
        let until = try judge(link, recording)
        let place = "/r/\(recording.percentEncoded)/"
        let left = max(1, (until.microseconds - HostClock.wallTime().microseconds) / 1_000_000)
        return Response(
            303,
            headers: [
                "Location": place, "Cache-Control": "no-store",
                "Set-Cookie":
                    "\(LinkSigner.cookie)=\(link); Path=\(place); HttpOnly; SameSite=Lax; Max-Age=\(left)\(access.security)",
            ])
    }

    /// Lets a browser in that has the token in its address, and takes it out of there.
    private func admit(_ guess: String, to request: Request) -> Response {
        guard request.method == .get || request.method == .head, access.isToken(guess) else {
            return answer(SiteError(401, "this is not the daemon's token"), to: request)
        }
        let place = "/" + request.path.map(\.percentEncoded).joined(separator: "/")
        return Response(
            303, headers: ["Location": place, "Cache-Control": "no-store", "Set-Cookie": access.admission])
    }

    // MARK: - What went wrong

    private func answer(_ error: any Error, to request: Request) -> Response {
        let failure =
            switch error {
            case let error as SiteError: error
            case let error as ArchiveError: SiteError(error)
            default: SiteError.unavailable("\(error)")
            }
        let isAPI = request.path.first == "api"
        guard request.isFromBrowser, !isAPI, request.method == .get || request.method == .head else {
            return failure.response
        }
        if failure.status == 401, request.query("token") == nil { return SitePage.signIn(to: request) }
        return SitePage.sentence(failure.sentence, status: failure.status, to: request)
    }
}

extension SiteError {
    init(_ error: ArchiveError) {
        let status =
            switch error {
            case .noArchive, .noSuchRecording, .outside: 404
            case .ambiguous, .running, .held, .misplaced: 409
            case .stopped, .storage, .database: 503
            }
        self.init(status, "\(error)")
    }
}
