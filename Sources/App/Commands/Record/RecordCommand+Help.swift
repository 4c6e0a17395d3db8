extension RecordCommand {
    private static let purpose =
        "Joins a Janus room without publishing anything, and leaves a recording: every track as it was sent, a composite of all, and the chat."

    package static var help: String {
        var help = HelpText(
            purpose, usage: "callbot record ROOM|RECIPE.json5 [options]\n  callbot record --resume RECORDING [options]")
        help.list(
            "Arguments",
            [
                ("ROOM", "The room's address: janus+ws://HOST:PORT/ROOM or janus+wss://HOST[:PORT][/PATH]/ROOM."),
                (
                    "RECIPE.json5",
                    "A file with the room and the options: a JSON5 object with the key room, and any of the options below as keys in camel case (emptyTimeout, logLevel; composite: false); its key schedule is the daemon's. A flag wins over the file. Paths in it count from its folder."
                ),
            ])
        help.options(RecordArguments.settings)
        help.list("Secrets", secrets)
        help.list(
            "Signals",
            [("SIGINT, SIGTERM", "End the recording properly. A second one hurries it: what can be rendered later is.")]
        )
        help.section(
            "Examples",
            """
            callbot record janus+ws://127.0.0.1:8188/1234 --name "Recorder" --duration 1h
            callbot record janus+wss://example.org/janus/1234 --pin env:ROOM_PIN --empty-timeout 5m
            callbot record recipes/rooms/janus.json5 --output standup --no-composite
            callbot record --resume standup --pin env:ROOM_PIN
            """)
        help.section("Exit codes", ExitCode.table)
        return help.text
    }

    private static let secrets = [
        (
            "SECRET",
            "env:NAME (an environment variable) or file:PATH (a file's text). The secret itself works, too, but was seen by whoever listed processes before callbot hid it."
        )
    ]
}
