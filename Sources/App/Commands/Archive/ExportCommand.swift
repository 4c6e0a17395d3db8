import Archive

/// `callbot export`: copies a recording's files elsewhere.
enum ExportCommand: ArchiveCommand {
    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        var output: String?
        /// Empty for all.
        var parts: [Archive.Part] = []

        func check() throws(UsageError) {
            guard !positionals.isEmpty else { throw UsageError("a recording is missing") }
            guard positionals.count == 1 else {
                throw UsageError("only one can be exported, '\(positionals[1])' is one too many")
            }
            guard output != nil else { throw UsageError("--output is missing") }
        }
    }

    static let name = "export"
    static let summary = "Copy a recording's files elsewhere."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        let target = request.output ?? ""
        return try surroundings.each(request.positionals, of: archive) { (recording) throws(ArchiveError) in
            let copying = CopyProgress(of: recording, in: surroundings)
            let (files, bytes) = try archive.export(recording, request.parts, to: target, progress: copying.add)
            let count = "\(files) \(files == 1 ? "file" : "files")"
            surroundings.output(ReportPage.printable("\(target): \(count), \(DisplayText.size(bytes))") + "\n")
        }
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "output", letter: "o", "FOLDER", "Where the files go; must not exist yet.", as: PathArgument.self
                ) { $0.output = $1.path },
                .option(
                    "only", "PARTS",
                    "Only these, with commas between: composite, tracks, chat, report (with journal and recording.json), poster, pictures (poster, thumbnails, waveform, speaking times).",
                    as: PartsArgument.self
                ) { $0.parts += $1.parts },
                .archive,
            ])
    ]

    static var help: String {
        var help = HelpText(
            "Copies the files of a recording, or some of them, to a folder.",
            usage: "callbot export RECORDING -o FOLDER [--only PARTS]")
        help.recordings()
        help.options(settings)
        help.section(
            "Examples",
            """
            callbot export 20261130T040728Z-k3f9 -o standup
            callbot export 20261130T040728Z-k3f9 -o standup --only composite,chat
            """)
        return help.text
    }
}

/// `composite,chat`
struct PartsArgument: ArgumentValue {
    var parts: [Archive.Part]

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> PartsArgument {
        var parts: [Archive.Part] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let part = Archive.Part(rawValue: String(word)) else {
                throw InvalidValue("must be some of \(Archive.Part.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            parts.append(part)
        }
        return PartsArgument(parts: parts)
    }
}
