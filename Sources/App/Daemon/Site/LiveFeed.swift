package import JSON

/// What goes on, as a stream of events: compares what the daemon says of itself with what it said last, and tells what
/// is new. Pure: states in, events out. Each has a number, so that who was away for a while is told what happened
/// meanwhile.
package struct LiveFeed: Sendable {
    package struct Event: Hashable, Sendable {
        /// `EPOCH-NUMBER`
        package var id: String
        package var name: String
        package var data: JSONValue
    }

    /// So many are kept for who comes back.
    private static let most = 500

    /// Another one for each daemon: its numbers begin anew.
    private let epoch: String
    private var number = 0
    private var kept: [Event] = []
    private var runs: [String: JSONValue] = [:]
    private var schedules: JSONValue?
    private var jobs: JSONValue?
    /// All that the daemon said last.
    package private(set) var state: JSONValue = ["runs": [], "schedules": []]

    package init(epoch: String) { self.epoch = epoch }

    /// The id of the last event, or of the beginning.
    package var lastID: String { "\(epoch)-\(number)" }

    /// Takes in what the daemon says of itself now.
    package mutating func update(_ state: JSONValue) -> [Event] {
        self.state = state
        var events: [Event] = []
        var now: [String: JSONValue] = [:]
        for run in state["runs"]?.array ?? [] {
            guard let id = run["run"]?.string else { continue }
            now[id] = run
            if runs[id] == nil {
                events.append(make("run-began", run))
            } else if runs[id] != run {
                events.append(make("run-changed", run))
            }
        }
        for id in runs.keys.sorted() where now[id] == nil {
            events.append(make("run-ended", runs[id] ?? ["run": .string(id)]))
        }
        runs = now
        if let schedules, schedules != state["schedules"] {
            events.append(make("schedules", ["schedules": state["schedules"] ?? []]))
        }
        schedules = state["schedules"] ?? []
        if let jobs, jobs != state["jobs"] ?? [] { events.append(make("jobs", ["jobs": state["jobs"] ?? []])) }
        jobs = state["jobs"] ?? []
        return events
    }

    /// Takes in what became of a time at which a schedule was due.
    package mutating func add(history entry: JSONValue) -> Event { make("history", entry) }

    /// What happened since an event; nil when that is not known any more, or never was.
    package func events(since id: String) -> [Event]? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, parts[0] == epoch, let seen = Int(parts[1]), seen <= number, number - seen <= kept.count
        else { return nil }
        return Array(kept.suffix(number - seen))
    }

    private mutating func make(_ name: String, _ data: JSONValue) -> Event {
        number += 1
        let event = Event(id: lastID, name: name, data: data)
        kept.append(event)
        if kept.count > Self.most { kept.removeFirst() }
        return event
    }
}
