import Logging
import MediaTypes
import Retention
import WebIO

extension DaemonCommand {
    /// Everything that can be set for the daemon: on the command line, in its file, in the help.
    package static let settings: [SettingGroup<Request>] = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "config", "FILE",
                    "Read settings from this file (JSON5; see Configuration).", as: PathArgument.self
                ) { $0.configuration = $1.path },
                .option(
                    "archive", "FOLDER",
                    "Where recordings go (default $CALLBOT_ARCHIVE, else callbot/archive in the user's data directory).",
                    key: "archive", as: PathArgument.self
                ) { $0.archive = $1.path },
                .option(
                    "state", "FOLDER",
                    "Where schedules and what became of them are kept (default $CALLBOT_STATE, else callbot in the user's state directory).",
                    key: "state", as: PathArgument.self
                ) { $0.state = $1.path },
                .option(
                    "recipes", "FOLDER",
                    "Follow the recipes (*.json5) in this folder that have a key schedule, such as schedule: { when: \"0 9 * * MON-FRI\", duration: \"45m\" }: each is a schedule with the file's name.",
                    key: "recipes", as: PathArgument.self
                ) { $0.recipes = $1.path },
                .option(
                    "most", "N",
                    "No more than so many recordings at once. Without it, as many as the machine is seen to take.",
                    key: "most", as: WholeNumber.self
                ) { (request, number) throws(InvalidValue) in
                    request.mostRecordings = try number.within(1...10_000)
                },
                .option(
                    "processors", "N",
                    "So many processors are for recordings (default: all of the machine's).", key: "processors",
                    as: WholeNumber.self
                ) { (request, number) throws(InvalidValue) in request.processors = try number.within(1...10_000) },
                .option(
                    "jobs", "N",
                    "Work on so many recordings at once that have ended: composites that were left for later, pictures (default 1; 0 for none).",
                    key: "jobs", as: WholeNumber.self
                ) { (request, number) throws(InvalidValue) in request.jobs = try number.within(0...100) },
                .option(
                    "listen", "ADDRESS:PORT",
                    "Answer over HTTP there: a page with all recordings, search, what runs and the schedules, and an API; see below. Needs --web-token, and TLS where it is not this machine's own address.",
                    key: "listen", as: ListenArgument.self
                ) { $0.listen = $1 },
                .option(
                    "web-token", "SECRET",
                    "Whoever asks over HTTP must say 'Authorization: Bearer SECRET'; a browser, once, ?token=SECRET.",
                    key: "webToken", as: Secret.self, isSecret: Secret.isLiteral
                ) { $0.webToken = $1 },
                .option(
                    "public-url", "URL",
                    "Where browsers find it, when that is not --listen: behind a proxy, https://calls.example.org. Links begin with it.",
                    key: "publicURL", as: PublicURLArgument.self
                ) { $0.publicURL = $1 },
                .option(
                    "certificate", "FILE", "The server's certificate (PEM), for TLS.", key: "certificate",
                    as: PathArgument.self
                ) {
                    $0.certificateFile = $1.path
                },
                .option("key", "FILE", "Its key (PEM).", key: "key", as: PathArgument.self) { $0.keyFile = $1.path },
                .option(
                    "webhook", "URL",
                    "Tell this address (a POST of JSON) when a recording starts and ends, and when a scheduled one does not run; again for a day until it answers with 2xx. May be given again.",
                    key: "webhooks", as: WebAddressArgument.self,
                    reset: { $0.webhooks = [] }
                ) { $0.webhooks.append($1.address) },
                .option(
                    "webhook-secret", "SECRET",
                    "Sign what is told: Callbot-Signature is t=SECONDS,sha256=HMAC of 'SECONDS.BODY'. env:NAME, file:PATH or the secret itself.",
                    key: "webhookSecret", as: Secret.self, isSecret: Secret.isLiteral
                ) { $0.webhookSecret = $1 },
                .option(
                    "log-format", "FORMAT", "auto, text, plain or json (default auto: text on a terminal, else plain).",
                    key: "logFormat", as: LogFormatChoice.self
                ) { $0.logFormat = $1 },
                .option(
                    "log-level", "LEVEL", "trace, debug, info, notice, warning, error or critical (default info).",
                    key: "logLevel", as: LogLevel.self
                ) { $0.logLevel = $1 },
            ]),
        SettingGroup<Request>(
            title: "How long recordings are kept",
            settings: [
                .option(
                    "keep-for", "AGE", "Remove what ended longer ago: 36h, 30d, 2w, 1y.", key: "keepFor", as: Age.self
                ) { $0.retention.age = $1.span },
                .option(
                    "keep-at-most", "SIZE", "Remove the oldest while all take more than this: 500G.",
                    key: "keepAtMost", as: ByteSize.self
                ) { $0.retention.bytes = $1.bytes },
                .option(
                    "keep-free", "SIZE", "Remove the oldest while less of the disk is free than this: 50G.",
                    key: "keepFree", as: ByteSize.self
                ) { $0.retention.freeSpace = $1.bytes },
                .option(
                    "keep-room", "ROOM=RULE",
                    "Of this room (its address, or its id) another rule in place of the others: an age (30d), a number of recordings (20) or a size (50G). May be given again.",
                    key: "keepRooms", as: RoomRuleArgument.self, reset: { $0.retention.rooms = [:] }
                ) { $1.add(to: &$0.retention) },
            ]),
        SettingGroup<Request>(
            title: "The disk",
            settings: [
                .option(
                    "low-space", "SIZE",
                    "Warn, and tell the webhooks, when less of the archive's disk is free (default 2G).",
                    key: "lowSpace", as: ByteSize.self
                ) { $0.lowSpace = $1.bytes },
                .option(
                    "reserve", "SIZE",
                    "Begin no recording when less of the archive's disk is free (default 32M, as recorders have it).",
                    key: "reserve", as: ByteSize.self
                ) { $0.reserve = $1.bytes },
            ]),
    ]
}

/// An address on the web.
private struct WebAddressArgument: ArgumentValue {
    let address: String

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> WebAddressArgument {
        guard HTTPPost.isAddress(text) else {
            throw InvalidValue("must be an address such as https://example.org/hook")
        }
        return WebAddressArgument(address: text)
    }
}
