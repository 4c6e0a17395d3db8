import RecordingFormat
import Rendering
import Storage

/// `callbot pictures`: makes what recordings can be looked over by at a glance.
package enum PicturesCommand: Command {
    package static let name = "pictures"
    package static let summary = "Make thumbnails and the like of recordings."
    package static var watchesForStop: Bool { true }

    package struct Request: Hashable, Sendable {
        /// Folders, or ids in the archive.
        package var recordings: [String] = []
        package var isForced = false
        /// Nil for the user's own.
        package var archive: String?
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
        guard !parsed.positionals.isEmpty else { throw UsageError("a recording is missing") }
        request.recordings = parsed.positionals
        return .request(request)
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .flag("force", "Make all of it anew, however new what is there is.") { $0.isForced = $1 },
                .option(
                    "archive", "FOLDER",
                    "The archive that they are in (default $CALLBOT_ARCHIVE, else callbot/archive in the user's data directory).",
                    as: PathArgument.self
                ) { $0.archive = $1.path },
            ])
    ]

    package static var help: String {
        var help = HelpText(
            "Makes what finished recordings can be looked over by at a glance, in their folders.",
            usage: "callbot pictures RECORDING... [options]")
        help.recordings()
        help.options(settings)
        help.list(
            "Files",
            [
                (
                    "thumbnails.jpg",
                    "At most 100 small pictures of the call in one; thumbnails.vtt says which is where."
                ),
                ("waveform.json", "How loud it is, in at most 2000 points."),
                ("speaking.json", "How long everybody spoke, and how often."),
                ("poster.jpg", "A moment of it, where there is none."),
            ])
        help.prose(
            "At its leisure",
            "'callbot record', 'render' and 'repair' do this by themselves at their end, unless --no-pictures is given. It leaves the processors and the disk to everybody else (nice 19, idle I/O). What is newer than call.webm stays. Without call.webm there are no thumbnails, and the waveform is that of the tracks. It can be stopped at any moment."
        )
        help.section(
            "Examples",
            """
            callbot pictures last
            callbot pictures 20261130T040728Z-k3f9 20261201T0900 --force
            """)
        help.section(
            "Exit codes",
            """
              0  All is there now.
             41  The recording is being made, repaired or moved just now.
             42  Something could not be made, as the messages say, and is as it was.
             64  The command line is wrong.
             66  There is no such recording, or it was cut short and is to be repaired first.
             74  Writing failed (a full disk?); what was there is as it was.
            130  Stopped by SIGINT (Ctrl-C), 143 by SIGTERM; what was not done is as it was.
            """)
        return help.text
    }
}

extension ExitCode {
    init(_ failure: RecordingPictures.Failure) {
        switch failure {
        case .notARecording, .cutShort: self = .noInput
        case .running, .busy, .changed: self = .beingRecorded
        case .storage(let error): self.init(error)
        case .stopped: self = .interrupted
        }
    }
}
