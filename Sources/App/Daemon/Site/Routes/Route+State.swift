import EventLoop
import JSON
import MediaTypes
import Storage
import WebServer

extension Route {
    /// How the daemon is, and what goes on.
    static let state: [Route] = [
        Route(
            .get, "/health", for: .anybody, "Whether it is alive.",
            answer: .json(["type": "object", "properties": ["alive": ["const": true]]], "It is.")
        ) { _, _ in .json(["alive": true]) },
        Route(
            .get, "/ready", for: .anybody,
            "Whether it can record: the archive can be written to, and the scheduler is at work.",
            answer: .json(["type": "object", "properties": ["ready": ["const": true]]], "It can."), errors: [503]
        ) { site, _ in
            if let fault = site.readinessFault { throw SiteError.unavailable(fault) }
            return .json(["ready": true])
        },
        Route(
            .get, "/metrics", "Figures for Prometheus.",
            answer: .other("text/plain", "Its text format, version 0.0.4.")
        ) { site, _ in
            let totals = try? await site.archive.totals()
            let free = try? Folder.freeSpace(of: site.settings.nearestFolder)
            let text = DaemonMetrics(try await site.status(), archive: totals, freeSpace: free).text
            return .bytes(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
        },
        Route(
            .get, "/api/status", "What runs, and what is due next.", answer: .json(.component("Status"), "All of it.")
        ) { site, _ in .json(try await site.status()) },
        Route(
            .get, "/api/events",
            "What goes on, as server-sent events: 'state' with all of it first, then 'run-began', 'run-changed' (at most once a second), 'run-ended', 'schedules', and 'history'. Who comes back with Last-Event-ID is told what was missed, as far as it is known still.",
            answer: .other(
                "text/event-stream",
                "Each event's data is JSON: of 'state' a Status, of the runs' a Run, of 'history' a HistoryEntry."),
            errors: [503]
        ) { site, call in
            // Who only asks about it does not listen.
            guard call.request.method == .get else {
                return Response(200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
            }
            guard let stream = await site.live.listen(after: call.request.headers["Last-Event-ID"]) else {
                throw SiteError.unavailable("\(LiveBroadcast.mostListeners) listen already: try again later")
            }
            var response = Response.events(stream)
            // A proxy in between is to pass them on as they come.
            response.headers["X-Accel-Buffering"] = "no"
            return response
        },
        Route(
            .get, "/api/openapi.json", "This document.",
            answer: .json(["type": "object"], "An OpenAPI document.")
        ) { site, _ in .json(OpenAPIDocument(version: site.settings.version).json) },
    ]
}

extension DaemonSite {
    func status() async throws(SiteError) -> JSONValue {
        switch await door.ask(.status) {
        case .done(let status): return status
        case .refused(let reason): throw .unavailable(reason)
        }
    }

    /// What the daemon answers, or why it does not.
    func order(_ request: DaemonRequest) async throws(SiteError) -> JSONValue {
        switch await door.ask(request) {
        case .done(let facts): return facts
        case .refused(let reason): throw .conflict(reason)
        }
    }

    /// The daemon's own sign of life comes every ten seconds.
    private static let patience = Duration.seconds(60)

    fileprivate var readinessFault: String? {
        guard Folder.isFolder(settings.nearestFolder), Folder.isWritable(settings.nearestFolder) else {
            return "the archive \(settings.archive) cannot be written to"
        }
        guard let pulse = door.pulse(), HostClock.now() - pulse < Self.patience else {
            return "the scheduler is not at work"
        }
        return nil
    }
}

extension DaemonSettings {
    /// The archive, or where it will be made.
    fileprivate var nearestFolder: String {
        var folder = archive
        while !Folder.exists(folder), folder != "/", folder != "." { folder = Folder.parent(of: folder) }
        return folder
    }
}
