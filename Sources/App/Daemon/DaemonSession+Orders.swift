import EventLoop
import JSON
import LocalSocket
import Logging
import MediaTypes
import Scheduling
import Supervision

/// What the daemon does for those who ask it.
extension DaemonSession {
    func listen() {
        let complaint = DaemonAnswer.refused("a request is at most \(LocalServer.longestLine) bytes long")
        do {
            server = try LocalServer(
                in: settings.place.folder, named: StatePlace.socket, on: loop, complaint: complaint.json.compactUTF8
            ) { [weak self] line in
                let answer = self?.assumeIsolated { $0.answer(line) } ?? .refused("the daemon ends")
                return answer.json.compactUTF8
            }
        } catch {
            logger.error("nobody can speak to the daemon: \(error)")
        }
    }

    private func answer(_ line: [UInt8]) -> DaemonAnswer {
        guard let request = (try? JSONValue(parsing: line)).flatMap(DaemonRequest.init) else {
            return .refused("this is no request")
        }
        return answer(request)
    }

    func answer(_ request: DaemonRequest) -> DaemonAnswer {
        switch request {
        case .status: return .done(status)
        case .run(let name):
            look()
            guard let schedule = known[ScheduleID(name)] else { return .refused("there is no schedule '\(name)'") }
            return begin(name, [schedule.recipe], for: schedule.duration.map(\.seconds))
        case .start(let arguments, let name, let duration): return begin(name, arguments, for: duration)
        case .stop(let run):
            guard fleet?.record(of: RunID(run)) == nil else { return stop(RunID(run)) }
            let ids = (fleet?.ids ?? []).filter { $0.value.hasPrefix(run) }
            guard let id = ids.first, ids.count == 1 else {
                return .refused(ids.isEmpty ? "there is no run '\(run)'" : "'\(run)' may be one of \(ids.count) runs")
            }
            return stop(id)
        case .link(let recording, let seconds): return link(recording, seconds)
        case .revokeLinks: return revokeLinks()
        }
    }

    private func stop(_ id: RunID) -> DaemonAnswer {
        fleet?.stop(id)
        return .done(["run": .string(id.value)])
    }

    private func begin(_ name: String, _ arguments: [String], for seconds: Double?) -> DaemonAnswer {
        guard ScheduleStore.isGood(ScheduleID(name)) else { return .refused("'\(name)' cannot name a run") }
        let now = HostClock.wallTime()
        if let seconds, !(1...31_536_000).contains(seconds) { return .refused("it must last from a second to a year") }
        let order = RunOrder(
            id: RunID(asked: name, at: now), until: seconds.map { now + .microseconds(Int64($0 * 1_000_000)) })
        if let reason = begin(order, arguments) { return .refused(reason) }
        return .done(["run": .string(order.id.value)])
    }
}
