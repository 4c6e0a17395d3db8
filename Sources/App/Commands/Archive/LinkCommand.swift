import Archive
import Daemon
import JSON
import MediaTypes

/// `callbot link`: lets others watch a recording that the daemon serves.
enum LinkCommand: ArchiveCommand {
    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        var state: String?
        /// How long the link is good.
        var time = LinkSigner.usual
        var revokesAll = false

        func check() throws(UsageError) {
            if revokesAll {
                guard let one = positionals.first else { return }
                throw UsageError("--revoke-all is for the links to all recordings, '\(one)' is one too many")
            }
            guard !positionals.isEmpty else { throw UsageError("a recording is missing") }
        }
    }

    static let name = "link"
    static let summary = "Let others watch a recording that the daemon serves."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let place = StatePlace(request.state ?? surroundings.environment.state)
        if request.revokesAll {
            _ = try place.ask(.revokeLinks)
            surroundings.output("no link that was given out is good any more\n")
            return .success
        }
        let archive = try surroundings.archive(request)
        for name in request.positionals {
            let recording: ArchivedRecording
            do { recording = try archive.recording(named: name) } catch { throw CommandFailure(error) }
            let link = try place.ask(.link(recording: recording.id, seconds: request.time.seconds))
            surroundings.output("\(link["url"]?.string ?? "")\n")
        }
        return .success
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option("for", "TIME", "How long it is good: 36h, 7d (default), 2w, 1y.", as: Age.self) {
                    (request, age) throws(InvalidValue) in
                    guard age.span <= LinkSigner.longest else { throw InvalidValue("must be a year at most") }
                    request.time = age.span
                },
                .flag("revoke-all", "Make all links worthless that were given out, by a new key.") {
                    $0.revokesAll = $1
                },
                .archive,
                .option(
                    "state", "FOLDER",
                    "As the daemon has it (default $CALLBOT_STATE, else callbot in the user's state directory).",
                    as: PathArgument.self
                ) { $0.state = $1.path },
            ])
    ]

    static var help: String {
        var help = HelpText(
            "Prints an address at which whoever has it can watch one recording, and nothing else, for a while. Needs a daemon with --listen, and with --public-url where that is not what others can reach.",
            usage: "callbot link RECORDING... [--for TIME]")
        help.recordings()
        help.options(settings)
        help.section(
            "Examples",
            """
            callbot link 20261130T040728Z-k3f9
            callbot link 20261130T040728Z-k3f9 --for 1d
            callbot link --revoke-all
            """)
        return help.text
    }
}
