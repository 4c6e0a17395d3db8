import Composition
import JSON
import LocalSocket
import Recording
package import RecordingFormat
import Rendering
import Storage

/// `callbot control`: changes a recording while it is made.
package enum ControlCommand: Command {
    package static let name = "control"
    package static let summary = "Change a recording while it is made: its layout, its chapters."
    package static var words: [String] { changes.map(\.0) }

    package struct Request: Hashable, Sendable, RecordingRequest {
        /// The recording: its id, and then its folder.
        package var recording: String
        /// The archive it is in; nil for the user's own.
        package var archive: String?
        package var event: ControlEvent

        package init(recording: String, event: ControlEvent) {
            self.recording = recording
            self.event = event
        }
    }

    /// What can be asked for, and what each needs.
    static let changes = [("layout", "NAME|FILE"), ("full", "WHO|none"), ("pin", "WHO|none"), ("mark", "TEXT")]

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        let words = parsed.positionals
        let names = changes.map(\.0)
        guard let recording = words.first else { throw UsageError("a recording is missing") }
        guard words.count > 1 else {
            throw UsageError("what to change is missing: one of \(names.joined(separator: ", "))")
        }
        guard let change = changes.first(where: { $0.0 == words[1] }) else {
            let suggestion = Spelling.suggestion(for: words[1], among: names).map { " (did you mean '\($0)'?)" } ?? ""
            throw UsageError("what to change must be one of \(names.joined(separator: ", "))\(suggestion)")
        }
        guard words.count > 2, !words[2].isEmpty else { throw UsageError("\(change.0) needs \(change.1)") }
        guard words.count == 3 else {
            throw UsageError("\(change.0) takes one \(change.1), '\(words[3])' is one too many: spaces need quotes")
        }
        var request = Request(recording: recording, event: try event(change.0, words[2], in: environment))
        try parser.apply(parsed, to: &request, in: environment)
        return .request(request)
    }

    package static let settings = [SettingGroup<Request>(title: "Options", settings: [.archive])]

    private static func event(
        _ change: String, _ value: String, in environment: Environment
    ) throws(UsageError) -> ControlEvent {
        let who = value == "none" ? nil : value
        switch change {
        case "full": return .full(who)
        case "pin": return .pinned(who)
        case "mark": return .mark(value)
        default:
            do throws(InvalidValue) {
                return .layout(try LayoutChoice.Layout.parse(value, in: environment).json)
            } catch {
                throw UsageError("the layout \(error.reason)")
            }
        }
    }

    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        try run(request.located(in: surroundings.environment))
        return .success
    }

    /// Asks the process that makes the recording, and waits until it has said that it does.
    static func run(_ request: Request) throws(CommandFailure) {
        guard Folder.exists(request.recording + "/" + FileNaming.manifest) else {
            throw CommandFailure(code: .noInput, sentence: "\(request.recording) is no recording's folder")
        }
        let line: [UInt8]
        do {
            line = try LocalClient.ask(
                ControlRequest(request.event).json.compactUTF8, in: request.recording, named: FileNaming.controlSocket)
        } catch {
            if error.isNobodyThere {
                throw CommandFailure(code: .unreachable, sentence: "\(request.recording) is not being recorded now")
            }
            throw CommandFailure(
                code: error.isTooLong ? .usage : .unreachable,
                sentence: "the recording cannot be told: \(error.reason)")
        }
        switch ControlAnswer(line: line) {
        case .done?: return
        case .refused(let reason)?:
            throw CommandFailure(code: .unreachable, sentence: "the recording refuses: \(reason)")
        case nil: throw CommandFailure(code: .unreachable, sentence: "what answers is no recording")
        }
    }

    package static var help: String {
        var help = HelpText(
            "Changes a recording while it is made: what its composite shows from now on, and where its chapters begin. The journal keeps it, so that 'callbot render' does the same later.",
            usage: "callbot control RECORDING layout|full|pin|mark WHAT")
        help.recordings(
            "",
            [
                (
                    "layout NAME|FILE",
                    "Who is where: \(LayoutName.allCases.map(\.rawValue).joined(separator: ", ")), or a file with a layout of one's own, as recipes/layouts has some."
                ),
                ("full WHO|none", "Who fills the picture, a name or an id; from when they are there."),
                ("pin WHO|none", "Who has the large place, whoever speaks."),
                ("mark TEXT", "A chapter of this name begins."),
            ])
        help.options(settings)
        help.section(
            "Examples",
            """
            callbot control last layout speaker
            callbot control standup layout recipes/layouts/lecture.json5
            callbot control standup full Ada
            callbot control standup pin none
            callbot control standup mark "Questions"
            """)
        help.section(
            "Exit codes",
            """
              0  Done.
             64  The command line is wrong.
             66  There is no such recording.
             69  Nobody makes the recording now, or whoever does refuses.
            """)
        return help.text
    }
}
