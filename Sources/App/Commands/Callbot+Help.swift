import JSON

extension Callbot {
    package static let commands: [(name: String, summary: String)] = [
        ("record", "Record a room."),
        ("render", "Make the composite of a recording again, in another shape."),
        ("repair", "Make a whole recording, or file, of one that was cut short."),
        ("show", "Show what a recording is worth, and prove it."),
        ("play", "Watch a recording in a browser, or follow it as text."),
        ("control", "Change a recording while it is made: its layout, its chapters."),
        ("list", "List the recordings of the archive."),
        ("search", "Find where something was said."),
        ("verify", "Prove recordings, file by file."),
        ("export", "Copy a recording's files elsewhere."),
        ("mv", "Move recordings into another archive."),
        ("rm", "Remove recordings."),
        ("hold", "Keep recordings from being removed."),
        ("release", "Let recordings go that are held."),
        ("archive", "Look after the archive: status, rebuild, prune."),
        ("layout", "Draw a layout, to choose by looking."),
        ("schedule", "Say what is recorded when."),
        ("daemon", "Record what is scheduled."),
        ("doctor", "Look at this machine: whether it can record, and what to do where it cannot."),
        ("help", "Explain a command: callbot help record."),
        ("version", "Say which callbot this is."),
    ]

    package static var help: String {
        var help = HelpText(
            "Records calls: joins a room, keeps every track, the composite and the chat.",
            usage: "callbot COMMAND [options]")
        help.list("Commands", commands.map { (term: $0.name, meaning: $0.summary) })
        help.section("Examples", "callbot record janus+ws://127.0.0.1:8188/1234 --name \"Recorder\" --duration 1h")
        return help.text
    }

    static func suggestion(for name: String) -> String? {
        Spelling.suggestion(for: name, among: commands.map(\.name))
    }
}
