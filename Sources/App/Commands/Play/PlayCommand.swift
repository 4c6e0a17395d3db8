import MediaTypes

/// `callbot play`: a recording to be watched in a browser, or followed on the terminal.
package enum PlayCommand: Command {
    package static let name = "play"
    package static let summary = "Watch a recording in a browser, or follow it as text."
    package static var watchesForStop: Bool { true }

    package struct Request: Hashable, Sendable, RecordingRequest {
        /// The recording: its id, and then its folder.
        package var recording: String
        /// The archive it is in; nil for the user's own.
        package var archive: String?
        package var opensBrowser = true
        /// 0 for any that is free.
        package var port: UInt16 = 0
        /// How long; nil until it is stopped, or the text's end.
        package var time: Duration?
        package var isText = false
        package var from = Duration.zero
        package var speed = 1.0
        /// Where the sound goes: a command that reads it, or `-`; nil for none.
        package var sound: String?
        /// The names of the options that were given.
        package var given: Set<String> = []
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
        let recording = try parsed.single("a recording", only: "only one recording can be played")
        let given = Set(parsed.uses.map { parser.settings[$0.setting].name })
        let others = request.isText ? ["port", "no-browser"] : ["speed", "sound"]
        if let other = others.first(where: { given.contains($0) }) {
            throw UsageError(
                request.isText
                    ? "--\(other) is for the browser and does not go with --text" : "--\(other) is for --text")
        }
        if request.sound != nil, request.speed != 1 { throw UsageError("--sound is played at --speed 1 only") }
        request.recording = recording
        return .request(request)
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "In a browser",
            settings: [
                .flag("no-browser", "Only print the address, open no browser.", means: false) { $0.opensBrowser = $1 },
                .option("port", "N", "The port to serve at (default: any that is free).", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in request.port = UInt16(try number.within(0...65_535))
                },
            ]),
        SettingGroup<Request>(
            title: "On the terminal",
            settings: [
                .flag("text", "Follow chat, speakers, who comes and leaves, and marks, in true time.") {
                    $0.isText = $1
                },
                .option("speed", "N", "How fast, 0.1 to 1000 (default 1).", as: PlaybackSpeed.self) {
                    $0.speed = $1.factor
                },
                .option(
                    "sound", "COMMAND",
                    "Let this command play the sound: it reads WAV (48 kHz, stereo) from its standard input. '-' writes that to standard output, and the text to standard error.",
                    as: String.self
                ) { $0.sound = $1 },
            ]),
        SettingGroup<Request>(
            title: "Both",
            settings: [
                .option("from", "TIME", "Begin at this time of the recording.", as: Duration.self) { $0.from = $1 },
                .option("for", "TIME", "End after this time (default: at Ctrl-C).", as: Duration.self) {
                    $0.time = $1
                },
                .archive,
            ]),
    ]

    package static var help: String {
        var help = HelpText(
            "Plays a recording: in a browser, with the chat in step, who spoke when, and everybody's own tracks; or as text on the terminal.",
            usage: "callbot play RECORDING [options]")
        help.recordings("It may still be being made: what is there so far can be watched.")
        help.options(settings)
        help.prose(
            "Who can see it",
            "The page is served to this machine alone, at an address with a secret in it that is another one every time. Whoever is given the address can watch for as long as the command runs."
        )
        help.section(
            "Examples",
            """
            callbot play last
            callbot play 20261130T04 --from 12:30
            callbot play standup --no-browser --port 8080 --for 2h
            callbot play standup --text --from 12:30 --speed 4
            callbot play standup --text --sound aplay
            """)
        help.section(
            "Exit codes",
            """
              0  The --for is over, or the text is at its end.
             44  The --port is taken.
             64  The command line is wrong.
             66  There is no such recording, or it cannot be read.
            130  Stopped by SIGINT (Ctrl-C).
            143  Stopped by SIGTERM.
            """)
        return help.text
    }
}

/// A factor of time: `2`, `0.5`.
struct PlaybackSpeed: NumericArgumentValue {
    let factor: Double

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> PlaybackSpeed {
        guard let first = text.first, "0"..."9" ~= first, let factor = Double(text), 0.1...1000 ~= factor else {
            throw InvalidValue("must be a number from 0.1 to 1000, such as 2 or 0.5")
        }
        return PlaybackSpeed(factor: factor)
    }
}
