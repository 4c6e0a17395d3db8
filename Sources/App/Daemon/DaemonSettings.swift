package import MediaTypes
package import Retention
package import WebServer

/// What a daemon goes by.
package struct DaemonSettings: Sendable {
    /// The path of callbot itself, of which the recorders are made.
    package var program: String
    /// Where recordings go.
    package var archive: String
    package var place: StatePlace
    /// How many recordings there may be at once, whatever the machine could take; nil for no such limit.
    package var mostRecordings: Int?
    /// How many processors there are.
    package var processors: Int
    /// Where the daemon can be asked over HTTP, and what whoever asks has to have; nil: nowhere.
    package var web: (server: WebServer.Configuration, token: Secret)?
    /// Where browsers find it, without a slash at the end; nil: where it listens.
    package var publicURL: String?
    /// Why a room's address or a recipe's path is not good, in a sentence; nil when it is.
    package var recipeFault: @Sendable (String) -> String? = { _ in nil }
    /// Of callbot.
    package var version = ""
    /// Addresses that are told what happens.
    package var webhooks: [String] = []
    /// What they are signed with.
    package var webhookKey: [UInt8]?

    /// Recipes that say themselves when they are recorded; nil for none.
    package var recipes: RecipeFolder?
    /// How many recordings that have ended are worked on at once.
    package var jobs = 1
    /// How long recordings are kept.
    package var retention = RetentionRules()
    /// Free bytes of the archive's disk below which somebody is told, and below which no recording begins.
    package var lowSpace: Int64 = 0
    package var reserve: Int64 = 0
    /// Reads all of this again, and which keys have changed that need a restart; nil where there is nothing to read.
    package var reread: (@Sendable () throws -> (settings: DaemonSettings, fixed: [String])?)?

    package init(program: String, archive: String, place: StatePlace, mostRecordings: Int? = nil, processors: Int) {
        self.program = program
        self.archive = archive
        self.place = place
        self.mostRecordings = mostRecordings
        self.processors = processors
    }
}
