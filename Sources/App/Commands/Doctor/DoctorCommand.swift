import Doctor
import JSON

/// `callbot doctor`: whether this machine can record, and what to do where it cannot.
package enum DoctorCommand: Command {
    package static let name = "doctor"
    package static let summary = "Look at this machine: whether it can record, and what to do where it cannot."

    package struct Request: Hashable, Sendable {
        /// Where recordings are to be kept; nil for where they are kept otherwise.
        package var archive: String?
        package var isJSON = false
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
        if let word = parsed.positionals.first { throw UsageError("'\(word)' is one too many") }
        return .request(request)
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "archive", "FOLDER", "Where recordings are to be kept (default: as in 'callbot help record').",
                    as: PathArgument.self
                ) { $0.archive = $1.path },
                .flag("json", "The findings for programs, with what was measured.") { $0.isJSON = $1 },
            ])
    ]

    package static var help: String {
        var help = HelpText(
            "Looks at this machine for three seconds, and says what to do where recordings would suffer.",
            usage: "callbot doctor [options]")
        help.options(settings)
        help.prose(
            "What is looked at",
            "Processors, memory, and how many people one recording can show in real time, by encoding and decoding for two seconds; the disk's space, speed and kind; the clock; fonts for names; time zones; the limit of open files; certificates for wss; UDP sockets; the libraries' versions. 16 MB are written to the archive's disk and taken away again. Nothing is sent."
        )
        help.prose(
            "The findings",
            "ok: as it should be. warning: recordings can be made, but something will be less good than it could be. problem: recordings will fail or be worth little."
        )
        help.section(
            "Examples",
            """
            callbot doctor
            callbot doctor --archive /srv/recordings --json
            """)
        help.section(
            "Exit codes",
            """
              0  There is no problem; there may be warnings.
             51  There is a problem.
             64  The command line is wrong.
            """)
        return help.text
    }

    package static func run(_ request: Request, in surroundings: Surroundings) -> ExitCode {
        let environment = surroundings.environment
        let measurements = Measurements.ofThisMachine(archive: request.archive ?? environment.archive)
        let (text, code) = run(Diagnosis(measurements), isJSON: request.isJSON, style: .ofOutput(environment))
        surroundings.output(text)
        return code
    }

    /// - Returns: what is to be printed, and what the process ends with.
    static func run(_ diagnosis: Diagnosis, isJSON: Bool, style: ReportPage.Style) -> (text: String, code: ExitCode) {
        let text =
            isJSON
            ? diagnosis.json.pretty
            : DoctorPage(diagnosis, isColoured: style.isColoured, hasUnicode: style.hasBlocks).text
        return (text, diagnosis.level == .problem ? .unfit : .success)
    }
}
