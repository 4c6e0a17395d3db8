import JSON
import MediaTypes
import Scheduling
import WebServer

extension Route {
    private static let longest = Duration.seconds(365 * 86_400)

    /// What is being recorded, or is to be.
    static let runs: [Route] = [
        Route(
            .get, "/api/runs", "What runs.", answer: .json(.component("RunList"), "All of it.")
        ) { site, _ in .json(["runs": try await site.status()["runs"] ?? []]) },
        Route(
            .post, "/api/runs", "Records a room, from now on.",
            body: .members(
                [
                    "recipe": [
                        "type": "string",
                        "description": "The address of a room, or the path of a recipe on the daemon's machine.",
                    ],
                    "name": ["type": "string", "description": "What it is called: letters, digits, - and _."],
                    "duration": .span("How long; without it, until it ends by itself or is stopped."),
                ], required: ["recipe"]), answer: .json(.component("Started"), "It begins.", status: 201),
            errors: [409]
        ) { site, call in
            let body = try call.body()
            let recipe = try site.recipe(in: body)
            let name = try body.text("name") ?? ScheduleID(usualFor: recipe).value
            guard ScheduleStore.isGood(ScheduleID(name)) else {
                throw SiteError.bad("name must be at most 60 letters, digits, - and _")
            }
            let duration = try body.span("duration", in: .seconds(1)...longest, "from a second to a year")
            let facts = try await site.order(
                .start(arguments: [recipe], name: name, duration: duration.map(\.seconds)))
            site.live.nudge()
            return .created(facts, at: "/api/runs/\(facts["run"]?.string ?? "")")
        },
        Route(
            .get, "/api/runs/{run}", "One run.", answer: .json(.component("Run"), "It.")
        ) { site, call in .json(try await site.run(call.parameter("run"))) },
        Route(
            .post, "/api/runs/{run}/stop",
            "Ends a run: what was recorded is made whole. Asked again, it hurries and leaves what takes long for later.",
            body: .members([:]), answer: .json(.component("Started"), "It is asked to end.", status: 202), errors: [409]
        ) { site, call in
            _ = try call.body()
            let run = call.parameter("run")
            _ = try await site.run(run)
            let facts = try await site.order(.stop(run: run))
            site.live.nudge()
            return .json(facts, status: 202)
        },
    ]
}

extension DaemonSite {
    fileprivate func run(_ id: String) async throws(SiteError) -> JSONValue {
        let runs = try await status()["runs"]?.array ?? []
        guard let run = runs.first(where: { $0["run"]?.string == id }) else {
            throw .missing("there is no run '\(id)' now")
        }
        return run
    }

    /// The address or path of what is to be recorded. Never an option: it stands on the recorder's command line.
    func recipe(in body: JSONValue) throws(SiteError) -> String {
        guard let recipe = try body.text("recipe") else {
            throw .bad("recipe is missing: the address of a room, or the path of a recipe")
        }
        guard recipe.contains("://") || recipe.hasPrefix("/"), !recipe.hasPrefix("-") else {
            throw .bad("recipe must be an address such as janus+wss://example.org/1234, or a path that begins with /")
        }
        if let fault = settings.recipeFault(recipe) { throw .bad(fault) }
        return recipe
    }
}

extension Response {
    static func created(_ json: JSONValue, at place: String) -> Response {
        var response = Response.json(json, status: 201)
        response.headers["Location"] = place
        return response
    }
}
