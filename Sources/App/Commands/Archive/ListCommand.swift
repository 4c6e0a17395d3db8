import Archive
import JSON
import RecordingFormat

/// `callbot list`: which recordings there are.
enum ListCommand: ArchiveCommand {
    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        var selection = RecordingSelection()
        var order = RecordingOrder.start
        var isReversed = false
        var limit = 50
        var cursor: PageCursor?
        var isJSON = false

        func check() throws(UsageError) {
            guard let one = positionals.first else { return }
            throw UsageError("'\(one)' is no option; --words searches, 'callbot show' shows one recording")
        }
    }

    static let name = "list"
    static let summary = "List the recordings of the archive."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        do throws(ArchiveError) {
            let filter = request.selection.filter(at: surroundings.now())
            let page = try archive.recordings(
                filter, order: request.order, isReversed: request.isReversed, limit: request.limit,
                after: request.cursor)
            if request.isJSON {
                var object = JSONObject()
                object["recordings"] = .array(page.elements.map(\.json))
                object["next"] = page.next.map { .string("\($0)") }
                surroundings.output(JSONValue.object(object).pretty)
                return .success
            }
            guard !page.elements.isEmpty else {
                surroundings.notice("no such recordings in \(archive.folder)")
                return .success
            }
            surroundings.output(RecordingTable(recordings: page.elements, width: surroundings.columns).text)
            if let next = page.next {
                let (count, _) = try archive.totals(filter)
                surroundings.notice("these are \(page.elements.count) of \(count): --after \(next) goes on")
            }
            return .success
        } catch {
            throw CommandFailure(error)
        }
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Which recordings",
            settings: RecordingSelection.settings { $1(&$0.selection) } + [
                .option(
                    "words", "TEXT", "With these words in the chat, in marks or in names; as for 'callbot search'.",
                    as: String.self
                ) { $0.selection.filter.words = SearchWords($1) },
                .option("verdict", "GRADE", "Of this grade: good, degraded or failed.", as: Verdict.Grade.self) {
                    $0.selection.filter.grade = $1
                },
                .option(
                    "state", "STATE", "In this state: recording, finished, interrupted or damaged.",
                    as: ArchivedRecording.State.self
                ) { $0.selection.filter.state = $1 },
                .flag("held", "Held ones.") { $0.selection.filter.isHeld = $1 },
            ]),
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "sort", "ORDER",
                    "start, the newest first (default); duration, the longest first; size, the largest first.",
                    as: RecordingOrder.self
                ) { $0.order = $1 },
                .flag("reverse", "The other way round.") { $0.isReversed = $1 },
                .option("limit", "NUMBER", "At most so many (default 50).", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in request.limit = try number.within(1...1_000_000)
                },
                .option("after", "CURSOR", "Go on where a list ended that said so.", as: PageCursor.self) {
                    $0.cursor = $1
                },
                .flag("json", "For programs: an object with 'recordings', and 'next' when there are more.") {
                    $0.isJSON = $1
                },
                .archive,
            ]),
    ]

    static var help: String {
        var help = HelpText("Lists the recordings of an archive.", usage: "callbot list [options]")
        help.options(settings)
        help.prose(
            "What is listed",
            "Recordings that are finished, are being made, or were cut short, and damaged ones with what is wrong. They are found in the archive's folders; the index over them is brought up to date each time, and is made again whenever it is missing."
        )
        help.section(
            "Examples",
            """
            callbot list
            callbot list --room standup --from 7d
            callbot list --verdict failed --json
            callbot list --sort size --limit 10
            """)
        return help.text
    }
}
