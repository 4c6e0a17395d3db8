import Calendar
import Daemon
import EventLoop
import JSON
import MediaTypes
import Recording
import Scheduling
import Storage
import TimeZones

extension ScheduleCommand {
    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        surroundings.output(try run(request, in: surroundings.environment))
        return .success
    }

    /// - Returns: what is to be said.
    private static func run(_ request: Request, in environment: Environment) throws(CommandFailure) -> String {
        let place = StatePlace(request.state ?? environment.state)
        let store = ScheduleStore(place, recipes: RecipeFolder.followed(by: place, in: environment))
        switch request.verb {
        case .add, .import: return try add(request, to: store, of: place, in: environment)
        case .list: return list(request, store)
        case .next: return next(request, store)
        case .pause, .resume:
            var schedule = try found(request.words[0], in: store)
            schedule.isPaused = request.verb == .pause
            do { try store.setPaused(schedule) } catch {
                throw CommandFailure(code: ExitCode(error), sentence: "\(error)")
            }
            return request.verb == .pause
                ? "'\(schedule.id)' is paused; 'callbot schedule resume \(schedule.id)' ends that\n"
                : "'\(schedule.id)' is resumed\n" + lines(of: schedule)
        case .remove:
            let schedule = try found(request.words[0], in: store)
            if let path = store.recipe(of: schedule.id) {
                throw CommandFailure(
                    code: .usage,
                    sentence: "'\(schedule.id)' comes from \(path): take the key schedule out of it, or remove the file"
                )
            }
            store.remove(schedule.id)
            return "'\(schedule.id)' is removed\n"
        case .run:
            return "recording as \(try place.ask(.run(schedule: request.words[0]))["run"]?.string ?? "?")\n"
        case .history: return history(request, place)
        }
    }

    // MARK: - Changes

    private static func add(
        _ request: Request, to store: ScheduleStore, of place: StatePlace, in environment: Environment
    ) throws(CommandFailure) -> String {
        let recipe = try recipe(request.words[1], in: environment)
        let id =
            request.id.map { ScheduleID($0) } ?? ScheduleID(usualFor: request.words[request.verb == .import ? 0 : 1])
        guard ScheduleStore.isGood(id) else {
            throw CommandFailure(
                code: .usage,
                sentence: "'\(id)' cannot be an id: at most 60 letters, digits, - and _; give another one with --id")
        }
        guard !store.contains(id) else {
            throw CommandFailure(
                code: .outputExists,
                sentence: store.recipe(of: id).map {
                    "there is a schedule '\(id)' already, in \($0): give this one another --id"
                } ?? "there is a schedule '\(id)' already: remove it first, or give this one another --id")
        }
        let timing = try timing(request, in: environment)
        let schedule = try schedule(id, timing, recipe, request)
        if let fault = schedule.fault(at: HostClock.wallTime()) { throw CommandFailure(code: .usage, sentence: fault) }
        try put(schedule, in: store)
        return "'\(id)' is scheduled\n" + lines(of: schedule) + (place.warning.map { "But \($0)\n" } ?? "")
    }

    /// - Throws: when the zone is unknown, or the last time is none.
    static func schedule(
        _ id: ScheduleID, _ timing: Schedule.Timing, _ recipe: String, _ request: Request
    ) throws(CommandFailure) -> Schedule {
        let zone = try zone(request.zone)
        var schedule = Schedule(id: id, timing: timing, zone: zone.name, recipe: recipe)
        schedule.name = request.name ?? ""
        schedule.duration = request.duration
        schedule.earlyJoin = request.earlyJoin
        schedule.lateStop = request.lateStop
        schedule.missedRuns = request.missedRuns
        let isCalendar = if case .calendar = timing { true } else { false }
        schedule.overlap = request.overlap ?? (isCalendar ? .both : .skip)
        schedule.count = request.count
        if let until = request.until { schedule.until = try once(until).instant(in: zone) }
        return schedule
    }

    private static func put(_ schedule: Schedule, in store: ScheduleStore) throws(CommandFailure) {
        do { try store.put(schedule) } catch { throw CommandFailure(code: ExitCode(error), sentence: "\(error)") }
    }

    private static func found(_ id: String, in store: ScheduleStore) throws(CommandFailure) -> Schedule {
        guard ScheduleStore.isGood(ScheduleID(id)), store.contains(ScheduleID(id)) else {
            let ids = store.all().schedules.map(\.id.value)
            let hint =
                ids.isEmpty
                ? "there is none at all"
                : Spelling.suggestion(for: id, among: ids).map { "did you mean '\($0)'?" }
                    ?? "see 'callbot schedule list'"
            throw CommandFailure(code: .noInput, sentence: "there is no schedule '\(id)': \(hint)")
        }
        switch store.schedule(ScheduleID(id)) {
        case .success(let schedule): return schedule
        case .failure(let fault): throw CommandFailure(code: .badRecipe, sentence: "\(fault)")
        }
    }

    /// Why a room's address or a recipe's path is not good, in a sentence; nil when it is.
    static func recipeFault(_ text: String, in environment: Environment) -> String? {
        do throws(CommandFailure) {
            _ = try recipe(text, in: environment)
            return nil
        } catch {
            return error.sentence
        }
    }

    /// An address as it is, a path from the root, since the daemon is elsewhere; both must be good.
    private static func recipe(_ text: String, in environment: Environment) throws(CommandFailure) -> String {
        if text.contains("://") {
            do {
                _ = try RoomAddress(text)
                return text
            } catch {
                throw CommandFailure(code: .usage, sentence: "'\(text)' is no address of a room: \(error.reason)")
            }
        }
        do {
            guard case .request = try RecordCommand.parse([text], in: environment) else { return text }
        } catch { throw CommandFailure(code: error.exitCode, sentence: error.sentence) }
        return Folder.absolute(text)
    }

    private static func zone(_ name: String?) throws(CommandFailure) -> any TimeZoneRules {
        let zones = SystemTimeZones()
        do {
            return try name.map { (name) throws(UnknownTimeZone) in try zones.zone(named: name) } ?? zones.hostZone()
        } catch {
            throw CommandFailure(code: .usage, sentence: "\(error)")
        }
    }

    private static func once(_ text: String) throws(CommandFailure) -> OneOffTime {
        do { return try OneOffTime(text) } catch { throw CommandFailure(code: .usage, sentence: error.description) }
    }

    private static func timing(_ request: Request, in environment: Environment) throws(CommandFailure)
        -> Schedule.Timing
    {
        let text = request.words[0]
        if request.verb == .import {
            let path = Folder.absolute(environment.resolve(text))
            do {
                let bytes = try SmallFile.read(path, limit: ICalendar.Limits.bytes)
                _ = try ICalendar(parsing: bytes) { try? SystemTimeZones().zone(named: $0) }
            } catch let error as StorageError {
                throw CommandFailure(code: .noInput, sentence: "\(error)")
            } catch {
                throw CommandFailure(code: .badRecipe, sentence: "\(path): \(error)")
            }
            return .calendar(source: path)
        }
        do { return try Schedule.Timing(spelled: text) } catch {
            throw CommandFailure(code: .usage, sentence: error.description)
        }
    }

    // MARK: - What is said

    private static func list(_ request: Request, _ store: ScheduleStore) -> String {
        let (schedules, faults) = store.all()
        let now = HostClock.wallTime()
        if request.isJSON {
            return JSONValue.array(
                schedules.map { schedule in
                    var json = schedule.json
                    json["next"] = .array(
                        ScheduleForecast.next(5, of: schedule, after: now).map { .string($0.iso8601) })
                    if let path = store.recipe(of: schedule.id) { json["from"] = .string(path) }
                    return json
                }
            ).pretty + "\n"
        }
        var text = schedules.map { schedule in
            let paused = schedule.isPaused ? "  (paused)" : ""
            let name = schedule.name.isEmpty ? "" : "  \(schedule.name)"
            let origin = store.recipe(of: schedule.id) == nil ? "" : "as it says itself in "
            return
                "\(schedule.id)\(name)\(paused)\n  \(schedule.timing) \(schedule.zone), \(origin)\(schedule.recipe)\n"
                + lines(of: schedule)
        }.joined()
        for fault in faults { text += "cannot be followed: \(fault)\n" }
        return text.isEmpty ? "nothing is scheduled: see 'callbot help schedule'\n" : text
    }

    private static func lines(of schedule: Schedule) -> String {
        if schedule.isPaused { return "" }
        let zone = try? SystemTimeZones().zone(named: schedule.zone)
        let times = ScheduleForecast.next(5, of: schedule, after: HostClock.wallTime())
        if times.isEmpty { return "  never again\n" }
        return times.map { "  \(ScheduleForecast.words($0, in: zone))\n" }.joined()
    }

    private static func next(_ request: Request, _ store: ScheduleStore) -> String {
        let now = HostClock.wallTime()
        let due = store.all().schedules.filter { !$0.isPaused }.flatMap { schedule in
            ScheduleForecast.next(request.lines, of: schedule, after: now).map { (time: $0, schedule: schedule) }
        }.sorted { ($0.time, $0.schedule.id) < ($1.time, $1.schedule.id) }.prefix(request.lines)
        if request.isJSON {
            return JSONValue.array(
                due.map { ["time": .string($0.time.iso8601), "schedule": .string($0.schedule.id.value)] }
            ).pretty + "\n"
        }
        if due.isEmpty { return "nothing is due\n" }
        return due.map { item in
            let zone = try? SystemTimeZones().zone(named: item.schedule.zone)
            return "\(ScheduleForecast.words(item.time, in: zone))  \(item.schedule.id)\n"
        }.joined()
    }

    private static func history(_ request: Request, _ place: StatePlace) -> String {
        let id = request.words.first
        let lines = HistoryLog.read(place, last: id == nil ? request.lines : .max)
            .filter { id == nil || $0["event"]?["schedule"]?.string == id }.suffix(request.lines)
        if request.isJSON { return JSONValue.array(Array(lines)).pretty + "\n" }
        if lines.isEmpty { return "nothing has been due yet\n" }
        let zone = try? SystemTimeZones().hostZone()
        return lines.map { line in
            if let folder = line["folder"]?.string {
                // What became of a recording afterwards.
                let time = line["time"]?.int.map { WallTime(microseconds: Int64($0)) }
                return
                    "\(time.map { ScheduleForecast.words($0, in: zone) } ?? "?")  \(folder)  \(line["text"]?.string ?? "?")\n"
            }
            let due = line["event"]?["due"]?.int.map { WallTime(microseconds: Int64($0)) }
            return
                "\(due.map { ScheduleForecast.words($0, in: zone) } ?? "?")  \(line["event"]?["schedule"]?.string ?? "?")  \(line["text"]?.string ?? "?")\n"
        }.joined()
    }
}
