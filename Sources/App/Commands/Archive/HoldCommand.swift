import Archive

/// `callbot hold`: has recordings kept.
enum HoldCommand: ArchiveCommand {
    typealias Request = RecordingsRequest
    static let name = "hold"
    static let summary = "Keep recordings from being removed."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        return try surroundings.each(request.positionals, of: archive) { (recording) throws(ArchiveError) in
            try archive.setHeld(true, recording)
            surroundings.output("\(ReportPage.printable(recording.id)): held\n")
        }
    }

    static let settings = [SettingGroup<Request>(title: "Options", settings: [.archive])]

    static var help: String {
        var help = HelpText(
            "Holds recordings: neither 'callbot rm' nor 'callbot archive prune' removes them, until 'callbot release'.",
            usage: "callbot hold RECORDING... [--archive FOLDER]")
        help.recordings()
        help.options(settings)
        help.section("Examples", "callbot hold 20261130T040728Z-k3f9")
        return help.text
    }
}

/// `callbot release`: lets recordings go that are held.
enum ReleaseCommand: ArchiveCommand {
    typealias Request = RecordingsRequest
    static let name = "release"
    static let summary = "Let recordings go that are held."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        return try surroundings.each(request.positionals, of: archive) { (recording) throws(ArchiveError) in
            try archive.setHeld(false, recording)
            surroundings.output("\(ReportPage.printable(recording.id)): released\n")
        }
    }

    static let settings = [SettingGroup<Request>(title: "Options", settings: [.archive])]

    static var help: String {
        var help = HelpText(
            "Lets recordings go that are held.", usage: "callbot release RECORDING... [--archive FOLDER]")
        help.recordings()
        help.options(settings)
        help.section("Examples", "callbot release 20261130T040728Z-k3f9")
        return help.text
    }
}
