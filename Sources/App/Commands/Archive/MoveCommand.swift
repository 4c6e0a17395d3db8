import Archive
import EventLoop
import MediaTypes

/// `callbot mv`: moves recordings elsewhere.
enum MoveCommand: ArchiveCommand {
    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        /// Exactly this folder.
        var output: String?

        func check() throws(UsageError) {
            guard positionals.count > (output == nil ? 1 : 0) else {
                throw UsageError(
                    positionals.isEmpty
                        ? "a recording is missing" : "where to is missing: an archive's folder, or --output")
            }
            guard output == nil || positionals.count == 1 else {
                throw UsageError("only one recording can become the --output")
            }
        }
    }

    static let name = "mv"
    static let summary = "Move recordings into another archive."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        let names = request.output == nil ? Array(request.positionals.dropLast()) : request.positionals
        let destination: Archive.Destination =
            request.output.map { .folder($0) } ?? .archive(request.positionals.last ?? "")
        return try surroundings.each(names, of: archive) { (recording) throws(ArchiveError) in
            let copying = CopyProgress(of: recording, in: surroundings)
            let target = try archive.move(recording, to: destination, progress: copying.add)
            surroundings.output(ReportPage.printable("\(recording.id): moved to \(target)") + "\n")
        }
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "output", letter: "o", "FOLDER", "Where exactly a single recording goes; must not exist yet.",
                    as: PathArgument.self
                ) { $0.output = $1.path },
                .archive,
            ])
    ]

    static var help: String {
        var help = HelpText(
            "Moves recordings into another archive, or one to a folder of its own.",
            usage: "callbot mv RECORDING... OTHER-ARCHIVE | RECORDING -o FOLDER")
        help.recordings()
        help.options(settings)
        help.prose(
            "Safe to stop",
            "Into another file system a recording is copied, and removed here when all of it is on the other disk: so it is whole in one of both places at every moment."
        )
        help.section(
            "Examples",
            """
            callbot mv 20261130T040728Z-k3f9 /mnt/large/archive
            callbot mv 20261130T040728Z-k3f9 -o standup
            """)
        return help.text
    }
}

/// How far the copying of a recording is.
final class CopyProgress {
    private let recording: ArchivedRecording
    private let surroundings: Surroundings
    private let begin = HostClock.now()
    private var copied: Int64 = 0

    init(of recording: ArchivedRecording, in surroundings: Surroundings) {
        self.recording = recording
        self.surroundings = surroundings
    }

    /// - Returns: whether to go on.
    func add(_ bytes: Int64) -> Bool {
        copied += bytes
        let share = min(1, Double(copied) / Double(max(1, recording.bytes)))
        surroundings.progress("\(RenderCommand.progress(share, after: HostClock.now() - begin))  \(recording.id)")
        return surroundings.stopped() == nil
    }
}
