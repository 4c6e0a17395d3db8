import Calendar
import EventLoop
import JSON
import MediaTypes
import Scheduling
import Storage
import TimeZones
import WebServer

extension Route {
    /// What is recorded when.
    static let schedules: [Route] = [
        Route(
            .get, "/api/schedules", "The schedules, each with its next five times.",
            answer: .json(.component("ScheduleList"), "All of them, and the files that are none.")
        ) { site, _ in
            let store = await site.schedules
            let (schedules, faults) = store.all()
            return .json([
                "schedules": .array(schedules.map { $0.described(in: store) }),
                "faults": .array(faults.map { ["file": .string($0.path), "reason": .string($0.reason)] }),
            ])
        },
        Route(
            .post, "/api/schedules", "Adds a schedule, of a cron expression or of one time.",
            body: .members(ScheduleSchema.members, required: ["recipe"]),
            answer: .json(.component("Schedule"), "It is followed from now on.", status: 201), errors: [409]
        ) { site, call in
            let store = await site.schedules
            let schedule = try site.newSchedule(try call.body(), for: store)
            try store.put(schedule)
            await site.scheduleChanged()
            return .created(schedule.described(in: store), at: "/api/schedules/\(schedule.id)")
        },
        Route(
            .get, "/api/schedules/{schedule}", "One schedule, with its next five times.",
            answer: .json(.component("Schedule"), "It.")
        ) { site, call in
            let store = await site.schedules
            return .json(try site.schedule(call.parameter("schedule"), in: store).described(in: store))
        },
        Route(
            .delete, "/api/schedules/{schedule}", "Removes a schedule; what it records just now goes on.",
            answer: .nothing("It is gone."), errors: [409]
        ) { site, call in
            let (id, store) = (ScheduleID(call.parameter("schedule")), await site.schedules)
            guard ScheduleStore.isGood(id), store.contains(id) else { throw SiteError.missing(noSchedule(id)) }
            if let recipe = store.recipe(of: id) {
                throw SiteError.conflict("it comes from \(recipe): change that, or pause it")
            }
            store.remove(id)
            await site.scheduleChanged()
            return .done
        },
        Route(
            .post, "/api/schedules/{schedule}/pause", "Leaves a schedule out for a while.", body: .members([:]),
            answer: .json(.component("Schedule"), "It is paused.")
        ) { site, call in
            _ = try call.body()
            return .json(try await site.setPaused(true, call.parameter("schedule")))
        },
        Route(
            .post, "/api/schedules/{schedule}/resume", "Ends a pause.", body: .members([:]),
            answer: .json(.component("Schedule"), "It is followed again.")
        ) { site, call in
            _ = try call.body()
            return .json(try await site.setPaused(false, call.parameter("schedule")))
        },
        Route(
            .post, "/api/schedules/{schedule}/run", "Records what a schedule records, now.", body: .members([:]),
            answer: .json(.component("Started"), "It begins.", status: 201), errors: [409]
        ) { site, call in
            _ = try call.body()
            let schedule = try site.schedule(call.parameter("schedule"), in: await site.schedules)
            let facts = try await site.order(.run(schedule: schedule.id.value))
            site.live.nudge()
            return .created(facts, at: "/api/runs/\(facts["run"]?.string ?? "")")
        },
    ]

    fileprivate static func noSchedule(_ id: ScheduleID) -> String { "there is no schedule '\(id)'" }
}

extension DaemonSite {
    fileprivate var schedules: ScheduleStore {
        get async { await door.schedules() ?? ScheduleStore(settings.place) }
    }

    fileprivate func schedule(_ name: String, in store: ScheduleStore) throws(SiteError) -> Schedule {
        let id = ScheduleID(name)
        guard ScheduleStore.isGood(id), store.contains(id) else { throw .missing(Route.noSchedule(id)) }
        switch store.schedule(id) {
        case .success(let schedule): return schedule
        case .failure(let fault): throw .conflict("it cannot be read: \(fault.reason)")
        }
    }

    fileprivate func setPaused(_ isPaused: Bool, _ name: String) async throws -> JSONValue {
        let store = await schedules
        var schedule = try schedule(name, in: store)
        schedule.isPaused = isPaused
        try store.setPaused(schedule)
        await scheduleChanged()
        return schedule.described(in: store)
    }

    fileprivate func scheduleChanged() async {
        await door.look()
        live.nudge()
    }

    /// What somebody wants to add.
    fileprivate func newSchedule(_ body: JSONValue, for store: ScheduleStore) throws(SiteError) -> Schedule {
        var json = body
        let recipe = try recipe(in: body)
        let id = ScheduleID(try body.text("id") ?? ScheduleID(usualFor: recipe).value)
        guard ScheduleStore.isGood(id) else { throw .bad("id must be at most 60 letters, digits, - and _") }
        guard !store.contains(id) else {
            throw .conflict("there is a schedule '\(id)' already: remove it first, or give this one another id")
        }
        json["id"] = .string(id.value)
        do {
            if try body.text("zone") == nil { json["zone"] = .string(try SystemTimeZones().hostZone().name) }
            let schedule = try Schedule(json)
            if let fault = schedule.fault(at: HostClock.wallTime()) { throw SiteError.bad(fault) }
            return schedule
        } catch let error as SiteError {
            throw error
        } catch {
            throw .bad("\(error)")
        }
    }
}

extension Schedule {
    /// As it is kept, with its next times.
    fileprivate func described(in store: ScheduleStore) -> JSONValue {
        var json = json
        json["file"] = store.recipe(of: id).map { .string($0) }
        json["paused"] = .bool(isPaused)
        let times = isPaused ? [] : ScheduleForecast.next(5, of: self, after: HostClock.wallTime())
        json["next"] = .array(times.map { .string($0.iso8601) })
        return json
    }
}
