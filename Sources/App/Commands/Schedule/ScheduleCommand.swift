import Calendar
import Daemon
import JSON
import MediaTypes
package import Scheduling
import TimeZones

/// `callbot schedule`: what is recorded when.
package enum ScheduleCommand: Command {
    package static let name = "schedule"
    package static let summary = "Say what is recorded when."
    package static var words: [String] { Verb.allCases.map(\.rawValue) }

    package enum Verb: String, CaseIterable, Sendable {
        case add
        case `import`
        case list, next, pause, resume, remove, run, history
    }

    package struct Request: Sendable {
        package var verb = Verb.list
        /// What stands behind the verb.
        package var words: [String] = []
        package var state: String?
        package var zone: String?
        package var id: String?
        package var name: String?
        package var duration: Duration?
        package var earlyJoin = Duration.zero
        package var lateStop = Duration.zero
        package var missedRuns = MissedRunPolicy.remainder
        package var overlap: OverlapPolicy?
        package var until: String?
        package var count: Int?
        package var isJSON = false
        package var lines = 20
        package init() {}
    }

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        var request = Request()
        try parser.apply(parsed, to: &request, in: environment)
        let names = Verb.allCases.map(\.rawValue)
        guard let word = parsed.positionals.first else {
            throw UsageError("what to do is missing: one of \(names.joined(separator: ", "))")
        }
        guard let verb = Verb(rawValue: word) else {
            let suggestion = Spelling.suggestion(for: word, among: names).map { " (did you mean '\($0)'?)" } ?? ""
            throw UsageError("'\(word)' is none of \(names.joined(separator: ", "))\(suggestion)")
        }
        request.verb = verb
        request.words = Array(parsed.positionals.dropFirst())
        let (least, most, what) = verb.words
        guard request.words.count >= least else { throw UsageError("\(verb.rawValue) needs \(what)") }
        guard request.words.count <= most else {
            throw UsageError(
                "\(verb.rawValue) takes \(what), '\(request.words[most])' is one too many: a time with spaces needs quotes"
            )
        }
        return .request(request)
    }

    /// What is said of a schedule beside its times, also under the key `schedule` of a recipe.
    static let properties = SettingGroup<Request>(
        title: "For add and import",
        settings: [
            .option("id", "ID", "What it is called (default: the recipe's or calendar's name).", as: String.self) {
                $0.id = $1
            },
            .option("name", "TEXT", "A title for people.", key: "name", as: String.self) { $0.name = $1 },
            .option(
                "tz", "ZONE",
                "The time zone that the times are of, such as Europe/Berlin (default: the machine's).",
                key: "zone", as: String.self
            ) { $0.zone = $1 },
            .option(
                "duration", "TIME",
                "How long a call is planned to be; of a calendar's events, where they do not say. Without it a recording ends by itself.",
                key: "duration", as: Duration.self
            ) { $0.duration = $1 },
            .option("early", "TIME", "Join so long before it is due.", key: "early", as: Duration.self) {
                $0.earlyJoin = $1
            },
            .option("late", "TIME", "Leave so long after its planned end.", key: "late", as: Duration.self) {
                $0.lateStop = $1
            },
            .option(
                "missed", "POLICY",
                "What becomes of a call that was due when no daemon ran: remainder (what is left of it is recorded, the default), skip, or a TIME: recorded whole if it is no later than that.",
                key: "missed", as: MissedArgument.self
            ) { $0.missedRuns = $1.policy },
            .option(
                "overlap", "POLICY",
                "What happens when a call is due while an earlier one still goes on: skip (the default; both for a calendar), both, or stop-earlier.",
                key: "overlap", as: OverlapArgument.self
            ) { $0.overlap = $1.policy },
            .option(
                "until", "TIME", "Nothing later than this, such as 2027-01-31 18:00.", key: "until", as: String.self
            ) {
                $0.until = $1
            },
            .option("count", "N", "So many recordings at most.", key: "count", as: WholeNumber.self) {
                (request, number) throws(InvalidValue) in request.count = try number.within(1...1_000_000)
            },
        ])

    package static let settings = [
        properties,
        SettingGroup<Request>(
            title: "For list, next and history",
            settings: [
                .flag("json", "For programs.") { $0.isJSON = $1 },
                .option("lines", "N", "So many lines at most (default 20).", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in request.lines = try number.within(1...100_000)
                },
            ]),
        SettingGroup<Request>(
            title: "For all",
            settings: [
                .option(
                    "state", "FOLDER",
                    "Where schedules are kept, as the daemon has it (default $CALLBOT_STATE, else callbot in the user's state directory).",
                    as: PathArgument.self
                ) { $0.state = $1.path }
            ]),
    ]

    package static var help: String {
        var help = HelpText(
            "Says what is recorded when. 'callbot daemon' does it.", usage: "callbot schedule VERB ... [options]")
        help.list(
            "Verbs",
            [
                (
                    "add TIMES RECIPE",
                    "Record what a recipe says, or the room at an address: at the times of a cron expression, or once."
                ),
                (
                    "import FILE.ics RECIPE",
                    "At the events of a calendar, which is read again whenever the file changes."
                ),
                ("list", "All schedules, each with its next five times."),
                ("next", "What is due next of all."),
                ("pause ID, resume ID", "Leave it out for a while."),
                ("remove ID", "What it records just now goes on."),
                ("run ID", "Record it now. Needs the daemon."),
                ("history [ID]", "What became of each time at which it was due, and why it did not run."),
            ])
        help.options(settings)
        help.prose(
            "Times",
            "Five fields: minute, hour, day of the month, month, day of the week; each *, a number, a name (MON, JAN), a list (1,15), a range (MON-FRI), with steps (*/15), L (the last), W (the nearest weekday), # (FRI#2, the second Friday); or @hourly, @daily, @weekly, @monthly, @yearly. Once: 2026-12-01 09:00, or 2026-12-01T09:00:00Z. A time that the clocks skip is right after the gap; one that they show twice is the first."
        )
        help.section(
            "Examples",
            """
            callbot schedule add "0 9 * * MON-FRI" recipes/rooms/janus.json5 --tz Europe/Berlin --duration 45m
            callbot schedule add "2026-12-24 18:00" janus+ws://127.0.0.1:8188/1234 --duration 1h --id carols
            callbot schedule import team.ics recipes/rooms/janus.json5
            callbot schedule list
            callbot schedule history carols
            """)
        return help.text
    }
}

extension ScheduleCommand.Verb {
    /// How many words it takes, and which.
    fileprivate var words: (least: Int, most: Int, what: String) {
        switch self {
        case .add: (2, 2, "the times and a recipe or an address")
        case .import: (2, 2, "a calendar's file and a recipe or an address")
        case .pause, .resume, .remove, .run: (1, 1, "the id of a schedule")
        case .list, .next: (0, 0, "nothing more")
        case .history: (0, 1, "the id of a schedule at most")
        }
    }
}

/// `--missed`
private struct MissedArgument: ArgumentValue {
    let policy: MissedRunPolicy

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> MissedArgument {
        switch text {
        case "skip": return MissedArgument(policy: .skip)
        case "remainder": return MissedArgument(policy: .remainder)
        default:
            guard let limit = Duration(spelled: text), limit > .zero, limit <= .seconds(366 * 86_400) else {
                throw InvalidValue("must be remainder, skip or a time such as 15m")
            }
            return MissedArgument(policy: .late(upTo: limit))
        }
    }
}

/// `--overlap`
private struct OverlapArgument: ArgumentValue {
    let policy: OverlapPolicy

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> OverlapArgument {
        switch text {
        case "skip": OverlapArgument(policy: .skip)
        case "both": OverlapArgument(policy: .both)
        case "stop-earlier": OverlapArgument(policy: .stopEarlier)
        default: throw InvalidValue("must be skip, both or stop-earlier")
        }
    }
}
