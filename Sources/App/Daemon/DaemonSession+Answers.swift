import EventLoop
import JSON
import Logging
import MediaTypes
import Scheduling
import Storage
import Supervision
import WebServer

/// What the daemon says of itself, and how it is asked over HTTP.
extension DaemonSession {
    /// Opens the site.
    func open(_ configuration: WebServer.Configuration, _ token: Secret) async throws {
        let live = LiveBroadcast { [weak self] in await self?.status }
        let pulse = pulse
        let door = DaemonSite.Door(
            ask: { [weak self] request in await self?.answer(request) ?? .refused("the daemon ends") },
            look: { [weak self] in await self?.look() }, schedules: { [weak self] in await self?.store },
            pulse: { pulse.withLock { $0 } })
        let site = DaemonSite(settings, token: token, links: links, live: live, door: door)
        var configuration = configuration
        if let name = settings.publicURL.flatMap(Self.host) { configuration.hosts.append(name) }
        // Each listener has one for as long as it listens.
        configuration.limits.connections += LiveBroadcast.mostListeners
        let web = WebServer(configuration, loop: LoopExecutor(name: "callbot-web")) { await site.respond(to: $0) }
        let port = try await web.start()
        self.web = web
        self.live = live
        listensAt = Self.address(of: configuration, port)
        logger.notice(
            "it can be asked over HTTP", ["address": .string(configuration.address), "port": .init(Int(port))])
    }

    /// Nil when it listens at all addresses, since nobody can go to all.
    private static func address(of configuration: WebServer.Configuration, _ port: UInt16) -> String? {
        guard !["0.0.0.0", "::"].contains(configuration.address) else { return nil }
        let scheme = configuration.certificateFile == nil ? "http" : "https"
        let host = configuration.address.contains(":") ? "[\(configuration.address)]" : configuration.address
        return "\(scheme)://\(host):\(port)"
    }

    /// The name in an address.
    private static func host(in address: String) -> String? {
        let parts = address.split(separator: "/")
        guard parts.count > 1 else { return nil }
        let authority = parts[1]
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return name.isEmpty ? nil : String(name)
    }

    // MARK: - Links

    func link(_ recording: String, _ seconds: Double) -> DaemonAnswer {
        guard let place = settings.publicURL ?? listensAt else {
            return .refused(
                web == nil
                    ? "the daemon is not asked over HTTP: start it with --listen"
                    : "links need an address that others can go to: start the daemon with --public-url")
        }
        guard (1...LinkSigner.longest.seconds).contains(seconds) else {
            return .refused("a link is good for a second to a year")
        }
        do { return .done(try links.link(to: recording, for: .seconds(seconds), at: place)) } catch {
            return .refused("the key of links: \(error)")
        }
    }

    func revokeLinks() -> DaemonAnswer {
        do {
            try links.revokeAll()
            return .done([:])
        } catch {
            return .refused("the key of links: \(error)")
        }
    }

    // MARK: - What runs

    var status: JSONValue {
        let next = known.values.sorted { $0.id < $1.id }.map { schedule -> JSONValue in
            var json: JSONValue = ["schedule": .string(schedule.id.value), "paused": .bool(schedule.isPaused)]
            if let due = scheduler.nextDue(schedule.id) { json["next"] = .string(due.iso8601) }
            return json
        }
        return [
            "runs": .array((fleet?.ids ?? []).compactMap(facts)), "schedules": .array(next),
            "load": .number(fleet?.load ?? 0), "jobs": upkeep?.json ?? .array([]),
        ]
    }

    private func facts(of id: RunID) -> JSONValue? {
        guard let fleet, let record = fleet.record(of: id) else { return nil }
        var json: JSONValue = [
            "run": .string(id.value), "name": .string(id.name), "state": .string(state(of: id, in: fleet)),
            "ordered": .string(record.ordered.iso8601),
        ]
        json["schedule"] = events[id].map { .string($0.schedule.value) }
        json["until"] = record.order.until.map { .string($0.iso8601) }
        json["load"] = fleet.load(of: id).map { .number($0) }
        if let status = fleet.status(of: id) { status.put(into: &json) }
        return json
    }

    private func state(of id: RunID, in fleet: RecorderFleet) -> String {
        if fleet.isEnding(id) { return "ending" }
        if fleet.isWaiting(id) { return "waiting" }
        switch fleet.status(of: id)?.state {
        case nil: return "starting"
        case .joining?: return "joining"
        case .recording?: return "recording"
        case .ended?: return "ending"
        }
    }
}

extension RecorderStatus {
    /// Adds what the recorder says to what is said of a run.
    fileprivate func put(into json: inout JSONValue) {
        json["room"] = .string(room)
        guard let folder else { return }
        let name = folder.split(separator: "/").last ?? ""
        // An id is the time of the start and a few characters; the room's name follows.
        let id = name.split(separator: "-", maxSplits: 2).prefix(2).joined(separator: "-")
        json["recording"] = .string(id)
        json["page"] = .string("/r/\(id)/")
        json["elapsed"] = elapsed.map { .integer($0.microseconds) }
        json["people"] = JSONValue(people)
        json["tracks"] = JSONValue(tracks)
        json["loss"] = .number(loss)
        json["incomingBitRate"] = JSONValue(incomingBitRate)
        json["outgoingBitRate"] = JSONValue(outgoingBitRate)
        json["compositeLag"] = compositeLag.map { .integer($0.microseconds) }
        json["compositeLevel"] = compositeLevel.map { .string($0) }
        json["offset"] = offset.map { .integer($0.microseconds) }
    }
}
