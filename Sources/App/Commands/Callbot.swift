import Glibc
package import Logging
package import Recording

/// The command `callbot`: finds the subcommand, and turns whatever it comes to into text and an exit code.
package struct Callbot: Sendable {
    package static let version = "0.1.0"

    /// Does what the recipe says, and comes back when the recording is over.
    package typealias Record =
        @Sendable (RecordRecipe, Logger, _ progress: @escaping @Sendable (RecordingProgress) -> Void) async ->
        RecordingOutcome

    package var environment: Environment
    /// The path of the program itself.
    package var program = "/proc/self/exe"
    package var record: Record
    /// Watches for signals that ask to stop: what it gives tells which one came.
    package var watchForStop: @Sendable () -> @Sendable () -> Int32?
    /// Lets everything else on the machine go first, from now on.
    package var stepBack: @Sendable () -> Void = {}
    package var output: @Sendable (String) -> Void
    package var errorOutput: @Sendable (String) -> Void

    package init(
        environment: Environment, record: @escaping Record,
        watchForStop: @escaping @Sendable () -> @Sendable () -> Int32? = { { nil } },
        output: @escaping @Sendable (String) -> Void, errorOutput: @escaping @Sendable (String) -> Void
    ) {
        self.environment = environment
        self.record = record
        self.watchForStop = watchForStop
        self.output = output
        self.errorOutput = errorOutput
    }

    /// Every command, in the order of the help.
    package static let commands: [any Command.Type] = [
        RecordCommand.self, RenderCommand.self, RepairCommand.self, PicturesCommand.self, ShowCommand.self,
        PlayCommand.self, ControlCommand.self, ListCommand.self, SearchCommand.self, VerifyCommand.self,
        ExportCommand.self,
        MoveCommand.self, RemoveCommand.self, HoldCommand.self, ReleaseCommand.self, LinkCommand.self,
        ArchiveMaintenanceCommand.self,
        LayoutCommand.self, ScheduleCommand.self, DaemonCommand.self, DoctorCommand.self,
    ]

    /// - Parameter arguments: without the program's name.
    package func run(_ arguments: [String]) async -> ExitCode {
        switch arguments.first {
        case nil:
            errorOutput(Self.help)
            return .usage
        case "help"?: return help(Array(arguments.dropFirst()))
        case "--help"?, "-h"?: return print(Self.help)
        case "--version"?, "version"?: return print("callbot \(Self.version)\n")
        case let name?:
            guard let command = Self.commands.first(where: { $0.name == name }) else { return unknownCommand(name) }
            return await command.perform(Array(arguments.dropFirst()), in: surroundings(of: command))
        }
    }

    private func surroundings(of command: any Command.Type) -> Surroundings {
        var surroundings = Surroundings(
            command: command.name, environment: environment, program: program, record: record,
            line: ProgressLine.onTerminal(format: .text), watchForStop: watchForStop, stepBack: stepBack,
            standardOutput: output, standardError: errorOutput, columns: Surroundings.terminalColumns)
        if command.watchesForStop { surroundings.stopSignal = watchForStop() }
        return surroundings
    }

    private func print(_ text: String) -> ExitCode {
        output(text)
        return .success
    }

    private func help(_ arguments: [String]) -> ExitCode {
        switch arguments.first {
        case nil, "help"?: print(Self.help)
        case "--man"?: print(ManualPage().text)
        case "--completions"?: completions(arguments.dropFirst().first)
        case let name?: Self.commands.first { $0.name == name }.map { print($0.help) } ?? unknownCommand(name)
        }
    }

    /// For packagers, and so not in the help.
    private func completions(_ shell: String?) -> ExitCode {
        guard let completions = shell.flatMap(Completions.init(rawValue:)) else {
            let names = Completions.allCases.map(\.rawValue).joined(separator: ", ")
            errorOutput("callbot help: --completions must be one of \(names)\n")
            return .usage
        }
        return print(completions.script)
    }

    private func unknownCommand(_ name: String) -> ExitCode {
        let suggestion = Self.suggestion(for: name).map { " (did you mean '\($0)'?)" } ?? ""
        errorOutput("callbot: unknown command '\(name)'\(suggestion)\nSee 'callbot help'.\n")
        return .usage
    }
}
