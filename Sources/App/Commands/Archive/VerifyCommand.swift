import Archive
import EventLoop
import Examination
import MediaTypes
import RecordingFormat

/// `callbot verify`: proves recordings, file by file.
enum VerifyCommand: ArchiveCommand {
    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        var isAll = false
        var selection = RecordingSelection()

        func check() throws(UsageError) {
            guard isAll || !positionals.isEmpty else { throw UsageError("a recording is missing, or --all") }
            guard positionals.isEmpty || !isAll else { throw UsageError("either recordings or --all") }
            guard isAll || selection == RecordingSelection() else {
                throw UsageError("--room, --person, --from and --to choose among --all")
            }
        }
    }

    static let name = "verify"
    static let summary = "Prove recordings, file by file."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        var code = ExitCode.success
        guard request.isAll else {
            let failed = try surroundings.each(request.positionals, of: archive) { (recording) throws(ArchiveError) in
                if !verify(recording, of: archive, in: surroundings, as: "") { code = .unsound }
            }
            return failed == .success ? code : failed
        }
        let recordings: [ArchivedRecording]
        do {
            recordings = try archive.recordings(request.selection.filter(at: surroundings.now())).elements
        } catch {
            throw CommandFailure(error)
        }
        for (number, recording) in recordings.enumerated() {
            if let stopped = surroundings.stopped() { return stopped }
            let place = "\(number + 1) of \(recordings.count)  "
            if !verify(recording, of: archive, in: surroundings, as: place) { code = .unsound }
        }
        return code
    }

    /// Says what does not hold.
    /// - Returns: whether all holds, or nothing can be said yet.
    private static func verify(
        _ recording: ArchivedRecording, of archive: Archive, in surroundings: Surroundings, as place: String
    ) -> Bool {
        func say(_ text: String) { surroundings.output(ReportPage.printable("\(recording.id): \(text)") + "\n") }
        guard recording.state != .damaged else {
            say(recording.problem ?? "damaged")
            return false
        }
        guard recording.state != .recording else {
            say("is still being made")
            return true
        }
        do {
            let examination = try RecordingExamination(folder: archive.path(of: recording))
            let begin = HostClock.now()
            let report = examination.verify { share in
                surroundings.progress(
                    "\(place)\(RenderCommand.progress(share, after: HostClock.now() - begin))  \(recording.id)")
            }
            surroundings.finishProgress()
            for finding in examination.findings { say("\(finding)") }
            if examination.findings.isEmpty { say("holds, \(report.verdict.grade)") }
            return examination.findings.isEmpty
        } catch {
            say("\(error)")
            return false
        }
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .flag("all", "All recordings of the archive; or those chosen by the next ones.") { $0.isAll = $1 }
            ]
                + RecordingSelection.settings { $1(&$0.selection) } + [.archive])
    ]

    static var help: String {
        var help = HelpText(
            "Proves recordings: reads every file whole, decodes all sound and pictures, and says what does not hold.",
            usage: "callbot verify RECORDING... | --all [options]")
        help.recordings()
        help.options(settings)
        help.section(
            "Examples",
            """
            callbot verify 20261130T040728Z-k3f9
            callbot verify --all --from 7d
            """)
        help.section(
            "Exit codes",
            """
              0  Everything holds.
             50  Something does not, and is said in a line each.
             64  The command line is wrong.
             66  There is no such recording or archive.
            """)
        return help.text
    }
}
