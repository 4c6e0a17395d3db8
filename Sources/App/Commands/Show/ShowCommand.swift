import EventLoop
import Examination
import Glibc
import JSON
import MediaTypes
import RecordingFormat
import Storage

/// `callbot show`: what a recording is worth, for people.
package enum ShowCommand: Command {
    package static let name = "show"
    package static let summary = "Show what a recording is worth, and prove it."

    package struct Request: Hashable, Sendable, RecordingRequest {
        /// The recording: its id, and then its folder.
        package var recording: String
        /// The archive it is in; nil for the user's own.
        package var archive: String?
        package var isJSON = false
        package var verifies = false
        package init(recording: String = "") { self.recording = recording }
    }

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        var request = Request()
        try parser.apply(parsed, to: &request, in: environment)
        let recording = try parsed.single("a recording", only: "only one recording can be shown")
        request.recording = recording
        return .request(request)
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .flag("json", "The report as it is in report.json.") { $0.isJSON = $1 },
                .flag(
                    "verify",
                    "Read every file whole, decode all sound and pictures, and say what does not hold, a line each."
                ) { $0.verifies = $1 },
                .archive,
            ])
    ]

    package static var help: String {
        var help = HelpText(
            "Shows what a recording is worth: who was there, what came of whom, what is missing.",
            usage: "callbot show RECORDING [options]")
        help.recordings("It may still be being made, or have been cut short.")
        help.options(settings)
        help.prose(
            "The verdict",
            "good: all that people sent is there, and can be seen and heard. degraded: something of it is missing, or shows nothing. failed: nothing of it is there. What was measured, and how, is in report.json."
        )
        help.section(
            "Examples",
            """
            callbot show last
            callbot show 20261130T04 --json
            callbot show standup --verify
            """)
        return help.text
    }

    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        let begin = HostClock.now()
        return try run(
            request.located(in: surroundings.environment), style: .ofOutput(surroundings.environment),
            progress: { surroundings.progress($0, since: begin) }, output: surroundings.output)
    }

    /// - Parameters:
    ///   - output: takes the text.
    ///   - progress: called with the share that is done, 0 to 1.
    static func run(
        _ request: Request, style: ReportPage.Style, progress: (Double) -> Void, output: (String) -> Void
    ) throws(CommandFailure) -> ExitCode {
        guard Folder.isFolder(request.recording) else {
            throw CommandFailure(code: .noInput, sentence: "\(request.recording) is no recording's folder")
        }
        let examination: RecordingExamination
        do { examination = try RecordingExamination(folder: request.recording) } catch {
            throw CommandFailure(code: .noInput, sentence: "\(error)")
        }
        guard request.verifies else {
            let report = examination.report()
            output(
                request.isJSON
                    ? report.json.pretty
                    : ReportPage(report, of: examination.manifest, isRunning: examination.isRunning, style: style).text)
            return .success
        }
        guard !examination.isRunning else {
            throw CommandFailure(
                code: .noInput,
                sentence: "\(request.recording) is still being made; it can be verified when it is over")
        }
        let report = examination.verify(progress: progress)
        if request.isJSON {
            output(report.json.pretty)
        } else if examination.findings.isEmpty {
            let manifest = examination.manifest
            let frames = report.tracks.reduce(0) { $0 + $1.frames }
            let verdict = ReportPage.printable(report.verdict.sentence)
            output("Everything holds: \(manifest.files.count) files, \(frames) frames. \(verdict)\n")
        }
        for finding in examination.findings { output(ReportPage.printable("\(finding)") + "\n") }
        return examination.findings.isEmpty ? .success : .unsound
    }
}
