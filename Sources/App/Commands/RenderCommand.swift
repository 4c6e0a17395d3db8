import MediaTypes
package import Recording
import RecordingFormat
import Rendering
import Storage

/// `callbot render`: makes a composite of a recording that is there.
package enum RenderCommand: Command {
    package static let name = "render"
    package static let summary = "Make the composite of a recording again, in another shape."
    package static var watchesForStop: Bool { true }

    package struct Request: Hashable, Sendable, RecordingRequest {
        /// The recording: its id, and then its folder.
        package var recording: String
        /// The archive it is in; nil for the user's own.
        package var archive: String?
        /// The file to write, which must not exist yet.
        package var output: String
        package var composite = CompositeRecipe()
        /// The names of the options that were given.
        package var given: Set<String> = []
        /// The part to render, from the recording's start; nil: from there, to its end.
        package var from: Duration?
        package var to: Duration?
        /// Whose part alone; nil for everybody.
        package var participant: String?
        package var isAudioOnly = false
        /// Whether pictures are made of the recording, if this makes its own composite.
        package var makesPictures = true
        /// Whether the recording's own composite is made anew, as it was asked for.
        package var replaces = false
        /// Where it is told how far it is; nil: nowhere.
        package var statusFile: String?

        package init(recording: String = "", output: String = "") {
            self.recording = recording
            self.output = output
        }
    }

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        var request = Request()
        try parser.apply(parsed, to: &request, in: environment)
        let recording = try parsed.single("a recording", only: "only one recording can be rendered")
        request.given = Set(parsed.uses.map { parser.settings[$0.setting].name })
        if request.replaces {
            request.recording = recording
            let others = request.given.subtracting(["replace", "status", "archive", "no-pictures"])
            if others.contains("output") { throw UsageError("it is either --output or --replace") }
            if let other = others.min() {
                throw UsageError(
                    "--replace makes the composite as it was asked for when the call was recorded: --\(other) goes with --output"
                )
            }
            return .request(request)
        }
        if request.statusFile != nil { throw UsageError("--status is for --replace") }
        guard !request.output.isEmpty else {
            throw UsageError("--output is missing: the file to write; or --replace, for the recording's own call.webm")
        }
        if request.isAudioOnly, request.soundContainer == nil {
            throw UsageError("--audio-only writes files that end in .webm, .ogg or .opus, not '\(request.output)'")
        }
        if let from = request.from, let to = request.to, from >= to {
            throw UsageError("--from must be before --to")
        }
        request.recording = recording
        return .request(request)
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "The file",
            settings: [
                .option(
                    "output", letter: "o", "FILE", "The file to write; it must not exist yet.", as: String.self
                ) { $0.output = $1 },
                .flag(
                    "replace",
                    "Make the recording's own call.webm, or make it anew, as it was asked for when the call was recorded, and say so in its manifest and report. What is there stays until the new one is complete."
                ) { $0.replaces = $1 },
                .option(
                    "status", "FILE", "With --replace: say in this file (JSON) how far it is, and how it ended.",
                    as: PathArgument.self
                ) { $0.statusFile = $1.path },
                .option("from", "TIME", "Begin at this time of the recording.", as: Duration.self) { $0.from = $1 },
                .option("to", "TIME", "End at this time of the recording.", as: Duration.self) { $0.to = $1 },
                .option(
                    "track", "WHO", "One participant alone: a name, an id, or the number of a track of theirs.",
                    as: String.self
                ) { $0.participant = $1 },
                .flag("audio-only", "The sound alone, in WebM, or in Ogg when FILE ends in .ogg or .opus.") {
                    $0.isAudioOnly = $1
                },
                .flag(
                    "no-pictures", "Do not make thumbnails and the like when FILE is the recording's own call.webm.",
                    means: false
                ) { $0.makesPictures = $1 },
                .archive,
            ]),
        SettingGroup<Request>(
            title: "The composite",
            settings: CompositeRecipe.settings { (request, change) throws(InvalidValue) in
                try change(&request.composite)
            }),
    ]

    package static var help: String {
        var help = HelpText(
            "Makes the composite of a recording again, from its tracks and its journal.",
            usage: "callbot render RECORDING -o FILE.webm [options] | --replace")
        help.recordings()
        help.options(settings)
        help.prose(
            "As it was recorded",
            "Who is where and what it looks like is as it was asked for when the call was recorded, unless --layout and the options below it say otherwise, and changes where 'callbot control' changed it, unless --layout, --full or --pinned is given. Marks are chapters. Size, rates and codec are this command's own."
        )
        help.section(
            "Examples",
            """
            callbot render standup -o standup-small.webm --size 640x360 --bitrate 500k
            callbot render 20261130T04 -o the-end.webm --from 55:00 --codec vp9
            callbot render last --replace
            callbot render standup -o ada.opus --audio-only --track Ada
            """)
        return help.text
    }
}

extension RenderCommand.Request {
    /// Whether what is rendered is the recording's own composite.
    var isComposite: Bool {
        Folder.resolved(output).map { $0 == Folder.resolved(recording + "/" + FileNaming.composite) } ?? false
    }

    /// The container of a file of sound, by its name; nil for a name that says none.
    var soundContainer: RenderSettings.SoundContainer? {
        switch output.split(separator: ".").last?.lowercased() {
        case "webm", "weba": .webM
        case "ogg", "opus", "oga": .ogg
        default: nil
        }
    }
}
