import Composition

extension Callbot {
    /// Every command, in the order of the help: what completions and the manual page are made from.
    package static let declarations: [CommandDeclaration] = commands.compactMap { command in
        all.first { $0.name == command.name }
    }

    private static var all: [CommandDeclaration] {
        let layouts = LayoutName.allCases.map(\.rawValue)
        let verbs = ScheduleCommand.Verb.allCases.map(\.rawValue)
        return [
            CommandDeclaration("record", RecordCommand.help, RecordArguments.settings),
            CommandDeclaration("render", RenderCommand.help, RenderCommand.settings),
            CommandDeclaration("repair", RepairCommand.help, RepairCommand.settings),
            CommandDeclaration("show", ShowCommand.help, ShowCommand.settings),
            CommandDeclaration("play", PlayCommand.help, PlayCommand.settings),
            CommandDeclaration(
                "control", ControlCommand.help, ControlCommand.settings, words: ControlCommand.changes.map(\.0)),
            CommandDeclaration("layout", LayoutCommand.help, LayoutCommand.settings, words: layouts),
            CommandDeclaration("schedule", ScheduleCommand.help, ScheduleCommand.settings, words: verbs),
            CommandDeclaration("daemon", DaemonCommand.help, DaemonCommand.settings),
            CommandDeclaration("doctor", DoctorCommand.help, DoctorCommand.settings),
            CommandDeclaration("help", Callbot.help, words: commands.map(\.name)),
            CommandDeclaration("version", ""),
        ] + archiveCommands.map { declaration(of: $0) }
    }

    private static func declaration<Command: ArchiveCommand>(of command: Command.Type) -> CommandDeclaration {
        let isMaintenance = command == ArchiveMaintenanceCommand.self
        return CommandDeclaration(
            Command.name, Command.help, Command.settings,
            words: isMaintenance ? ArchiveMaintenanceCommand.Task.allCases.map(\.rawValue) : [])
    }
}
