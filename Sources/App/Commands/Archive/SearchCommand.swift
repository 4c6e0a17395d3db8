import Archive
import JSON
import MediaTypes

/// `callbot search`: where something was said.
enum SearchCommand: ArchiveCommand {
    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        var selection = RecordingSelection()
        var kinds: Set<FoundLine.Kind> = []
        var limit = 50
        var cursor: PageCursor?
        var isJSON = false

        var words: SearchWords { SearchWords(positionals.joined(separator: " ")) }

        func check() throws(UsageError) {
            guard !words.isEmpty else { throw UsageError("there is no word to look for") }
        }
    }

    static let name = "search"
    static let summary = "Find where something was said."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        let page: Page<FoundLine>
        do {
            page = try archive.lines(
                with: request.words, in: request.selection.filter(at: surroundings.now()), kinds: request.kinds,
                limit: request.limit, after: request.cursor)
        } catch {
            throw CommandFailure(error)
        }
        if request.isJSON {
            var object = JSONObject()
            object["lines"] = .array(page.elements.map(\.json))
            object["next"] = page.next.map { .string("\($0)") }
            surroundings.output(JSONValue.object(object).pretty)
            return .success
        }
        for line in page.elements { surroundings.output(text(line, width: surroundings.columns) + "\n") }
        if let first = page.elements.first, surroundings.columns != nil {
            let moment = DisplayText.clock(first.at - .zero)
            surroundings.notice("'callbot play \(first.recording.id) --from \(moment)' plays the first")
        }
        if page.elements.isEmpty { surroundings.notice("nothing was found") }
        if let next = page.next { surroundings.notice("there is more: --after \(next) goes on") }
        return .success
    }

    private static func text(_ line: FoundLine, width: Int?) -> String {
        let who = line.kind == .name ? nil : line.person
        let what = [line.kind == .message ? nil : "[\(line.kind.rawValue)]", who.map { "\($0):" }, line.excerpt]
        let text = what.compactMap { $0 }.joined(separator: " ")
        let start = "\(line.recording.id)  \(DisplayText.clock(line.at - .zero))  "
        return DisplayText.clipped(start + text, width ?? .max)
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: RecordingSelection.settings { $1(&$0.selection) } + [
                .option(
                    "kind", "KIND",
                    "Only of this kind: message, private, announcement, data or alert, as in chat.jsonl; mark, name or room. Can be given again.",
                    as: FoundLine.Kind.self
                ) { $0.kinds.insert($1) },
                .option("limit", "NUMBER", "At most so many lines (default 50).", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in request.limit = try number.within(1...1_000_000)
                },
                .option("after", "CURSOR", "Go on where a search ended that said so.", as: PageCursor.self) {
                    $0.cursor = $1
                },
                .flag("json", "For programs: an object with 'lines', and 'next' when there are more.") {
                    $0.isJSON = $1
                },
                .archive,
            ])
    ]

    static var help: String {
        var help = HelpText(
            "Finds where something was said: in the chat, in marks, in names of people and rooms; the newest recording first.",
            usage: "callbot search WORDS [options]")
        help.list(
            "Arguments",
            [
                (
                    "WORDS",
                    "All of them must be in a line, in any case, with or without accents. \"Words in quotes\" must stand together; begin* is any word that begins so. Nothing else has a meaning."
                )
            ])
        help.options(settings)
        help.prose(
            "What it answers",
            "The recording, the moment, and the line. 'callbot play RECORDING --from MOMENT' plays it; with --json each has a 'page' on the site of 'callbot daemon --listen'."
        )
        help.section(
            "Examples",
            """
            callbot search budget
            callbot search budg* --room standup --from 30d
            callbot search hello --person Ada --json
            """)
        return help.text
    }
}
