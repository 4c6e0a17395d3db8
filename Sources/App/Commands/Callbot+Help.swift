import JSON

extension Callbot {
    /// Every command, and what is none but is called like one, in the order of the help: what completions and the manual page
    /// are made from, too.
    package static let declarations: [CommandDeclaration] =
        commands.map { $0.declaration } + [
            CommandDeclaration(
                "help", "Explain a command: callbot help record.", words: commands.map { $0.name } + ["version"]),
            CommandDeclaration("version", "Say which callbot this is."),
        ]

    package static var help: String {
        var help = HelpText(
            "Records calls: joins a room, keeps every track, the composite and the chat.",
            usage: "callbot COMMAND [options]")
        help.list("Commands", declarations.map { (term: $0.name, meaning: $0.summary) })
        help.section(
            "Examples",
            """
            callbot record janus+ws://127.0.0.1:8188/1234 --name "Recorder" --duration 1h
            callbot play last
            callbot search budget --from 7d
            callbot schedule add "0 9 * * MON-FRI" janus+ws://127.0.0.1:8188/1234 --duration 45m
            callbot daemon --listen 127.0.0.1:8080 --web-token env:TOKEN
            """)
        return help.text
    }

    static func suggestion(for name: String) -> String? {
        Spelling.suggestion(for: name, among: declarations.map(\.name))
    }
}
