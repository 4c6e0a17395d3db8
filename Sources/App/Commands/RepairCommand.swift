import Capture
import Recording
import RecordingFormat
import Storage

/// `callbot repair`: makes a whole recording, or a whole WebM file, of one that was cut short.
package enum RepairCommand: Command {
    package static let name = "repair"
    package static let summary = "Make a whole recording, or file, of one that was cut short."
    package static var watchesForStop: Bool { true }

    package struct Request: Hashable, Sendable, RecordingRequest {
        /// The recording: its id, and then its folder; or a file.
        package var recording: String
        /// The archive it is in; nil for the user's own.
        package var archive: String?
        /// Where the repaired file goes; nil: in the place of the old one.
        package var output: String?
        package var makesComposite = true
        /// Whether pictures are made of a recording when it is whole.
        package var makesPictures = true

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
        request.recording = try parsed.single("a recording or a file", only: "only one can be repaired")
        return .request(request)
    }

    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        let request = try request.located(in: surroundings.environment)
        let isAllWell = try run(request) { text in
            surroundings.output(text + "\n")
        } progress: { file, share in
            surroundings.progress("\(RenderCommand.progress(share, after: .zero))  \(file)")
            return surroundings.stopped() == nil
        }
        if request.makesPictures, Folder.isFolder(request.recording) {
            surroundings.makePictures(of: request.recording)
        }
        return isAllWell ? .success : .notRepaired
    }

    /// - Parameters:
    ///   - say: takes a line a file.
    ///   - progress: called with a file and the share of it that is done, 0 to 1; says whether to go on.
    /// - Returns: whether everything is as it should be now.
    static func run(
        _ request: Request, say: @escaping (String) -> Void, progress: @escaping (String, Double) -> Bool
    ) throws(CommandFailure) -> Bool {
        guard Folder.isFolder(request.recording) else {
            return try repairFile(request, say: say, progress: progress)
        }
        guard request.output == nil else {
            throw CommandFailure(code: .usage, sentence: "--output is for a file: a recording is repaired where it is")
        }
        var isAllWell = true
        let repair = RecordingRepair(
            folder: request.recording, software: "callbot \(Callbot.version)",
            composite: request.makesComposite
                ? { recipe in
                    var arguments = RecordArguments()
                    arguments.inherit(recipe)
                    return arguments.wantsComposite ? arguments.composite : nil
                } : nil,
            say: { report in
                if report.isFailure { isAllWell = false }
                say("\(report.file): \(report.text)")
            }, progress: progress)
        do { try repair.run() } catch { throw failure(error, of: request.recording) }
        return isAllWell
    }

    private static func repairFile(
        _ request: Request, say: (String) -> Void, progress: (String, Double) -> Bool
    ) throws(CommandFailure) -> Bool {
        let path = request.recording
        let repair = WebMRepair(path: path)
        do {
            if let output = request.output {
                let outcome = try repair.repair(to: output) { progress(path, $0) }
                say("\(output): \(words(outcome))")
            } else {
                // Whoever writes to the file would go on writing to the old one.
                let lock = try recordingFolder(of: path).map { (folder) throws(CommandFailure) in try locked(folder) }
                defer { withExtendedLifetime(lock) {} }
                say("\(path): \(words(try repair.repair { progress(path, $0) }))")
            }
            return true
        } catch let error as WebMRepair.Failure {
            throw failure(error, of: path)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(code: .softwareError, sentence: "\(error)")
        }
    }

    /// The folder of the recording that a file belongs to.
    private static func recordingFolder(of path: String) -> String? {
        let parent = Folder.parent(of: path)
        return [parent, Folder.parent(of: parent), parent + "/.."].first {
            Folder.exists($0 + "/" + FileNaming.manifest) || Folder.exists($0 + "/" + FileNaming.journal)
        }
    }

    private static func locked(_ folder: String) throws(CommandFailure) -> FileLock {
        do { return try FileLock(folder: folder) } catch {
            throw failure(error.cause == .locked ? .beingRecorded : .storage(error), of: folder)
        }
    }

    private static func words(_ outcome: WebMRepair.Outcome) -> String {
        switch outcome {
        case .whole, .amended: "whole already"
        case .repaired(leftOut: 0): "finished"
        case .repaired(let bytes): "finished, without \(bytes) torn bytes"
        }
    }

    private static func failure(_ error: WebMRepair.Failure, of path: String) -> CommandFailure {
        switch error {
        case .storage(let error): CommandFailure(code: ExitCode(error), sentence: "\(error)")
        case .unusable(let problem):
            CommandFailure(code: .notRepaired, sentence: "\(path) cannot be repaired: \(problem.words)")
        case .isChanging: CommandFailure(code: .notRepaired, sentence: "\(path) is as it was: somebody writes to it")
        case .stopped: CommandFailure(code: .interrupted, sentence: "stopped; \(path) is as it was")
        }
    }

    static func failure(_ error: RecordingRepair.Failure, of path: String) -> CommandFailure {
        switch error {
        case .notARecording: CommandFailure(code: .noInput, sentence: "\(path) is no recording's folder")
        case .beingRecorded: CommandFailure(code: .beingRecorded, sentence: "\(path) is being recorded just now")
        case .unsupportedVersion:
            CommandFailure(code: .noInput, sentence: "\(path) is of a version that this callbot does not know")
        case .storage(let error): CommandFailure(code: ExitCode(error), sentence: "\(error)")
        case .held:
            CommandFailure(
                code: .held,
                sentence:
                    "\(path) is held, and its call.webm stays as it is: 'callbot release' ends that, or render to another file with -o"
            )
        case .stopped: CommandFailure(code: .interrupted, sentence: "stopped; the rest of \(path) is as it was")
        }
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "output", letter: "o", "FILE",
                    "Write the repaired file here and leave the old one; it must not exist yet.", as: String.self
                ) { $0.output = $1 },
                .flag("no-composite", "Do not make the composite where it is missing or cannot be read.", means: false)
                {
                    $0.makesComposite = $1
                },
                .flag("no-pictures", "Do not make thumbnails and the like afterwards.", means: false) {
                    $0.makesPictures = $1
                },
                .archive,
            ])
    ]

    package static var help: String {
        var help = HelpText(
            "Makes a whole recording of one whose recorder was stopped in the middle, or a finished file of one that never was: with a duration, and so that players can seek in it.",
            usage: "callbot repair RECORDING|FILE.webm [-o OUT.webm] [--no-composite]")
        help.recordings(
            "Nobody must be recording to it now. Every file is finished and lasts as long as the recording, recording.json is brought up to what the journal says, or made anew if it is lost, chat.vtt is written, and call.webm is made from the tracks where it is missing or lacks more than some seconds.",
            [
                (
                    "FILE.webm",
                    "Any WebM or Matroska file, also of another program. Blocks, tracks, tags, chapters and attachments stay as they are; what is torn is left out."
                )
            ])
        help.options(settings)
        help.prose(
            "Safe to try",
            "A file is untouched until the new one is complete and on the disk; what is whole stays as it is. It can be done again, and stopped at any moment."
        )
        help.section(
            "Examples",
            """
            callbot repair 20261130T04
            callbot repair standup --no-composite
            callbot repair download.webm -o whole.webm
            """)
        help.section(
            "Exit codes",
            """
              0  Everything is whole now.
             40  The --output is there already.
             41  The recording is being made just now.
             42  Something could not be repaired, as the messages say, and is as it was.
             64  The command line is wrong.
             66  There is no such recording or file.
             74  Writing failed (a full disk?); what was there is as it was.
            """)
        return help.text
    }
}
