import MediaTypes
package import Recording

/// `callbot render`: makes a composite of a recording that is there.
package enum RenderCommand {
    package struct Request: Hashable, Sendable {
        /// The recording's folder.
        package var recording: String
        /// The file to write, which must not exist yet.
        package var output: String
        package var composite: CompositeRecipe
    }

    package enum Outcome: Sendable {
        case request(Request)
        case help
    }

    package struct Arguments: Sendable {
        var output: String?
        var composite = CompositeRecipe()
    }

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> Outcome {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        var collected = Arguments()
        try parser.apply(parsed, to: &collected, in: environment)
        guard parsed.positionals.count == 1 else {
            throw UsageError(
                parsed.positionals.isEmpty ? "the recording's folder is missing" : "only one recording can be rendered")
        }
        guard let output = collected.output else { throw UsageError("--output is missing: the file to write") }
        return .request(Request(recording: parsed.positionals[0], output: output, composite: collected.composite))
    }

    package static let settings = [
        SettingGroup<Arguments>(
            title: "Options",
            settings: [
                .option(
                    "output", letter: "o", "FILE", "The WebM file to write; it must not exist yet.", as: String.self
                ) { $0.output = $1 }
            ]
                + CompositeRecipe.settings { (arguments, change) throws(InvalidValue) in
                    try change(&arguments.composite)
                })
    ]

    package static var help: String {
        var help = HelpText(
            "Makes the composite of a recording again, from its tracks and its journal.",
            usage: "callbot render RECORDING -o FILE.webm [options]")
        help.list("Arguments", [("RECORDING", "The recording's folder.")])
        help.options(settings)
        help.section("Examples", "callbot render standup -o standup-small.webm --size 640x360 --bitrate 500k")
        return help.text
    }
}
