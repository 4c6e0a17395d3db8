package import Storage

/// Where the daemon and those who speak to it keep what they know: schedules, history, runs.
package struct StatePlace: Hashable, Sendable {
    package let folder: String

    package init(_ folder: String) { self.folder = folder }

    /// Makes the folders that are missing.
    package func prepare() throws(StorageError) { try Folder.createMissing(schedules) }

    /// A file for each schedule.
    package var schedules: String { folder + "/schedules" }
    /// How far each schedule is settled.
    package var scheduler: String { folder + "/scheduler.json" }
    /// What became of every time at which a schedule was due, a line each.
    package var history: String { folder + "/history.jsonl" }
    /// What is to be told to addresses on the web and has not been taken yet, and what became of each.
    package var webhooks: String { folder + "/webhooks.json" }
    package var webhookLog: String { folder + "/webhooks.jsonl" }
    /// What links to recordings are signed with.
    package var linkKey: String { folder + "/link.key" }
    /// The recipes' schedules that are paused.
    package var paused: String { folder + "/paused.json" }
    /// Which folder of recipes the daemon follows.
    package var recipes: String { folder + "/recipes.json" }
    /// What is to be done with recordings that have ended.
    package var jobs: String { folder + "/jobs" }
    /// Held by the daemon that runs.
    package var lock: String { folder + "/daemon.lock" }
    package static let socket = "daemon.socket"
}
