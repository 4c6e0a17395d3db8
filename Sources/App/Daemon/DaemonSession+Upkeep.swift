import EventLoop
import JSON
import Logging
import Storage
import Supervision

/// What the daemon's upkeep needs of it, and what changes while it runs.
extension DaemonSession {
    var upkeepDoor: Upkeep.Door {
        Upkeep.Door(
            hasRoom: { [weak self] in
                self?.assumeIsolated { $0.admission.hasRoomForJob(loads: $0.fleet?.loads ?? []) } ?? false
            },
            busy: { [weak self] in self?.assumeIsolated { $0.busyFolders } ?? [] },
            tell: { [weak self] event, subject, facts in
                self?.assumeIsolated { $0.webhooks?.tell(event, about: subject, facts) }
            },
            note: { [weak self] line in self?.assumeIsolated { $0.note(line) } })
    }

    private var busyFolders: Set<String> {
        Set((fleet?.ids ?? []).compactMap { fleet?.folder(of: $0) })
    }

    private func note(_ line: JSONValue) {
        live?.tell(history: line)
        do { try history.append(line) } catch { logger.error("the history cannot be written: \(error)") }
    }

    func take(_ lines: [RetentionKeeper.Line], _ problem: String?) { upkeep?.take(lines, problem) }

    func openWebhooks() {
        webhooks = WebhookSender(
            to: settings.webhooks, key: settings.webhookKey, settings.place, loop: loop, logger: logger)
    }

    /// Leaves word which recipes are followed, for `callbot schedule`.
    func noteRecipes() throws(StorageError) {
        guard let recipes = settings.recipes else { return try SmallFile.removeIfThere(settings.place.recipes) }
        try AtomicFile.replace(
            settings.place.recipes, with: JSONValue(dictionaryLiteral: ("folder", .string(recipes.path))).compactUTF8)
        if !Folder.isFolder(recipes.path) {
            logger.warning("the folder of recipes is not there (yet)", ["folder": .string(recipes.path)])
        }
    }

    /// Reads the settings again, and the schedules.
    func reread() {
        do {
            if let (changed, fixed) = try settings.reread?() {
                try take(changed)
                for key in fixed { logger.warning("'\(key)' has changed: that needs a restart of the daemon") }
                logger.notice("the settings are read again")
            }
        } catch {
            let reason = (error as? any CustomStringConvertible)?.description ?? "\(error)"
            logger.error("the settings stay as they were: \(reason)")
        }
        look()
    }

    private func take(_ changed: DaemonSettings) throws(StorageError) {
        let old = settings
        settings.mostRecordings = changed.mostRecordings
        settings.processors = changed.processors
        settings.webhooks = changed.webhooks
        settings.webhookKey = changed.webhookKey
        settings.recipes = changed.recipes
        settings.jobs = changed.jobs
        settings.retention = changed.retention
        settings.lowSpace = changed.lowSpace
        settings.reserve = changed.reserve
        admission.limit(processors: settings.processors, most: settings.mostRecordings)
        if old.webhooks != settings.webhooks || old.webhookKey != settings.webhookKey { openWebhooks() }
        store = ScheduleStore(settings.place, recipes: settings.recipes)
        files = [:]
        try noteRecipes()
        upkeep?.apply(settings)
    }
}
