import Archive

/// `callbot rm`: removes recordings.
enum RemoveCommand: ArchiveCommand {
    typealias Request = RecordingsRequest
    static let name = "rm"
    static let summary = "Remove recordings."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        return try surroundings.each(request.positionals, of: archive) { (recording) throws(ArchiveError) in
            try archive.remove(recording)
            surroundings.output(
                "\(ReportPage.printable(recording.id)): removed, \(DisplayText.size(recording.bytes))\n")
        }
    }

    static let settings = [SettingGroup<Request>(title: "Options", settings: [.archive])]

    static var help: String {
        var help = HelpText(
            "Removes recordings with all their files.", usage: "callbot rm RECORDING... [--archive FOLDER]")
        help.recordings()
        help.options(settings)
        help.prose(
            "What stays",
            "Recordings that are held, that are being made, or that another callbot works on. Of one that is stopped in the middle nothing is listed any more, and what is left of it is removed with the next one."
        )
        help.section("Examples", "callbot rm 20261130T040728Z-k3f9")
        return help.text
    }
}
