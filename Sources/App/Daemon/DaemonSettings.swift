package import MediaTypes
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

    package init(program: String, archive: String, place: StatePlace, mostRecordings: Int? = nil, processors: Int) {
        self.program = program
        self.archive = archive
        self.place = place
        self.mostRecordings = mostRecordings
        self.processors = processors
    }
}
