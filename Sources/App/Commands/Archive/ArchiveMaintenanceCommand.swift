import Archive
import JSON
import MediaTypes
import Retention
import Storage

/// `callbot archive`: the archive as a whole.
enum ArchiveMaintenanceCommand: ArchiveCommand {
    enum Task: String, CaseIterable { case status, rebuild, prune }

    struct Request: ArchiveRequest {
        var archive: String?
        var positionals: [String] = []
        var rules = RetentionRules()
        var isDryRun = false
        var isJSON = false

        var task: Task? { positionals.first.flatMap { Task(rawValue: $0) } }

        func check() throws(UsageError) {
            guard let first = positionals.first else { throw UsageError("status, rebuild or prune is missing") }
            guard let task else {
                let suggestion = Spelling.suggestion(for: first, among: Task.allCases.map(\.rawValue))
                    .map { " (did you mean '\($0)'?)" }
                throw UsageError("'\(first)' is none of status, rebuild, prune\(suggestion ?? "")")
            }
            guard positionals.count == 1 else { throw UsageError("'\(positionals[1])' is one too many") }
            guard task == .prune || rules.isEmpty && !isDryRun else {
                throw UsageError("rules are for 'archive prune'")
            }
            guard task != .prune || !rules.isEmpty else {
                throw UsageError(
                    "prune needs a rule: --older-than, --max-count, --max-per-room, --max-size, --min-free or --keep-room"
                )
            }
            guard task == .status || !isJSON else { throw UsageError("--json is for 'archive status'") }
        }
    }

    static let name = "archive"
    static var words: [String] { Task.allCases.map(\.rawValue) }
    static let summary = "Look after the archive: status, rebuild, prune."

    static func run(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let archive = try surroundings.archive(request)
        do throws(ArchiveError) {
            switch request.task {
            case .status?: return try status(of: archive, isJSON: request.isJSON, in: surroundings)
            case .rebuild?: return try rebuild(archive, in: surroundings)
            case .prune?: return try prune(archive, request, in: surroundings)
            case nil: return .usage
            }
        } catch {
            if error == .stopped, let stopped = surroundings.stopped() {
                throw CommandFailure(code: stopped, sentence: "\(error)")
            }
            throw CommandFailure(error)
        }
    }

    // MARK: - status

    private static func status(
        of archive: Archive, isJSON: Bool, in surroundings: Surroundings
    ) throws(ArchiveError) -> ExitCode {
        try archive.refresh()
        let recordings = try archive.recordings().elements
        let damage = try archive.damage()
        func count(_ state: ArchivedRecording.State) -> Int { recordings.count { $0.state == state } }
        let bytes = recordings.reduce(0) { $0 + $1.bytes }
        let held = recordings.count(where: \.isHeld)
        let free = try? Folder.freeSpace(of: archive.folder)
        let leftover = archive.leftoverBytes
        if isJSON {
            var object = JSONObject()
            object["archive"] = .string(archive.folder)
            object["recordings"] = .integer(Int64(recordings.count))
            for state in ArchivedRecording.State.allCases { object[state.rawValue] = .integer(Int64(count(state))) }
            object["held"] = .integer(Int64(held))
            object["bytes"] = .integer(bytes)
            object["free"] = free.map(JSONValue.integer)
            object["leftover"] = .integer(leftover)
            object["oldest"] = recordings.last?.start.map { .string($0.iso8601) }
            object["newest"] = recordings.first?.start.map { .string($0.iso8601) }
            object["indexDamage"] = damage.map(JSONValue.string)
            surroundings.output(JSONValue.object(object).pretty)
        } else {
            let states = ArchivedRecording.State.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
            let parts = states + (held > 0 ? ["\(held) held"] : [])
            let words = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
            var text = "\(archive.folder)\n"
            text += "recordings  \(recordings.count)\(words)\n"
            text += "size        \(DisplayText.size(bytes))\(free.map { ", \(DisplayText.size($0)) free" } ?? "")\n"
            if let first = recordings.last?.start, let last = recordings.first?.start {
                text += "from        \(first.iso8601.prefix(10)) to \(last.iso8601.prefix(10))\n"
            }
            text +=
                "index       \(damage.map { "damaged: \($0); 'callbot archive rebuild' makes it anew" } ?? "whole")\n"
            if leftover > 0 {
                text +=
                    "left over   \(DisplayText.size(leftover)) of removals that were stopped; 'callbot archive rebuild' removes it\n"
            }
            surroundings.output(text)
        }
        return damage == nil ? .success : .unsound
    }

    // MARK: - rebuild

    private static func rebuild(
        _ archive: Archive, in surroundings: Surroundings
    ) throws(ArchiveError) -> ExitCode {
        try archive.clean()
        let count = try archive.rebuild { share in
            surroundings.progress("\(Int(share * 100)) %")
            return surroundings.stopped() == nil
        }
        surroundings.finishProgress()
        surroundings.output("The index was made anew: \(count) \(count == 1 ? "recording" : "recordings").\n")
        return .success
    }

    // MARK: - prune

    private static func prune(
        _ archive: Archive, _ request: Request, in surroundings: Surroundings
    ) throws(ArchiveError) -> ExitCode {
        var (count, bytes, code) = (0, Int64(0), ExitCode.success)
        var stop: ExitCode?
        try archive.prune(by: request.rules, isDryRun: request.isDryRun) { outcome in
            switch outcome {
            case .removed(let recording, let reason):
                let size = DisplayText.size(recording.bytes)
                surroundings.output(
                    ReportPage.printable("\(recording.id)  \(size)  \(recording.roomName): \(reason.words)") + "\n")
                count += 1
                bytes += recording.bytes
            case .kept(_, let error):
                surroundings.notice(ReportPage.printable("\(error)"))
                if !error.isExpectedWhenPruning, code == .success { code = ExitCode(error) }
            }
            stop = surroundings.stopped()
            return stop == nil
        }
        if let stop { return stop }
        let did = request.isDryRun ? "would be removed" : count == 1 ? "was removed" : "were removed"
        surroundings.output("\(count) \(count == 1 ? "recording" : "recordings") \(did), \(DisplayText.size(bytes)).\n")
        return code
    }

    static let settings = [
        SettingGroup<Request>(
            title: "Rules for prune",
            settings: [
                .option("older-than", "AGE", "What ended longer ago goes: 36h, 30d, 2w, 1y.", as: Age.self) {
                    $0.rules.age = $1.span
                },
                .option("max-per-room", "NUMBER", "Of each room, so many stay.", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in
                    request.rules.countPerRoom = try number.within(0...1_000_000)
                },
                .option("max-count", "NUMBER", "So many stay.", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in request.rules.count = try number.within(0...1_000_000)
                },
                .option("max-size", "BYTES", "So much stays: 500G, 2T.", as: ByteSize.self) {
                    $0.rules.bytes = $1.bytes
                },
                .option("min-free", "BYTES", "Until so much of the disk is free: 50G.", as: ByteSize.self) {
                    $0.rules.freeSpace = $1.bytes
                },
                .option(
                    "keep-room", "ROOM=RULE",
                    "Of this room (its address, or its id) another rule in place of the others: an age (30d), a number of recordings (20) or a size (50G). May be given again.",
                    as: RoomRuleArgument.self
                ) { $1.add(to: &$0.rules) },
                .flag("dry-run", "Only say what would go, and why.") { $0.isDryRun = $1 },
            ]),
        SettingGroup<Request>(
            title: "Options", settings: [.flag("json", "The status for programs.") { $0.isJSON = $1 }, .archive]),
    ]

    static var help: String {
        var help = HelpText(
            "Looks after the archive as a whole.", usage: "callbot archive status|rebuild|prune [options]")
        help.list(
            "What to do",
            [
                ("status", "Say how many recordings there are, how large they are, and whether the index is whole."),
                (
                    "rebuild",
                    "Make the index anew from the recordings' folders. The old one is used until the new one is complete; one that is damaged or missing is made anew by itself."
                ),
                (
                    "prune",
                    "Remove recordings by rules, the oldest first. What is held or being made is never removed, but counts."
                ),
            ])
        help.options(settings)
        help.section(
            "Examples",
            """
            callbot archive status
            callbot archive prune --older-than 90d --min-free 50G --dry-run
            callbot archive rebuild
            """)
        return help.text
    }
}
