import EventLoop
import Glibc
import Logging

extension Callbot {
    /// The commands on the archive's recordings.
    static var archiveCommands: [any ArchiveCommand.Type] {
        [

            ListCommand.self, SearchCommand.self, VerifyCommand.self, ExportCommand.self, MoveCommand.self,
            RemoveCommand.self, HoldCommand.self, ReleaseCommand.self, ArchiveMaintenanceCommand.self,
        ]
    }

    static func archiveCommand(_ name: String) -> (any ArchiveCommand.Type)? {
        archiveCommands.first { $0.name == name }
    }

    func archive(_ command: any ArchiveCommand.Type, _ arguments: [String]) -> ExitCode {
        run(command, arguments)
    }

    private func run<Command: ArchiveCommand>(_ command: Command.Type, _ arguments: [String]) -> ExitCode {
        let request: Command.Request
        do {
            guard let parsed = try Command.parse(arguments, in: environment) else {
                output(Command.help)
                return .success
            }
            request = parsed
        } catch {
            errorOutput("callbot \(Command.name): \(error)\nSee 'callbot help \(Command.name)'.\n")
            return .usage
        }
        let line = ProgressLine.onTerminal(format: .text)
        let stopSignal = watchForStop()
        let (output, errorOutput) = (output, errorOutput)
        let surroundings = ArchiveSurroundings(
            environment: environment,
            output: {
                line?.finish()
                output($0)
            },
            notice: {
                line?.finish()
                errorOutput("callbot \(Command.name): \($0)\n")
            },
            progress: { line?.show($0) }, finishProgress: { line?.finish() },
            stopped: { stopSignal().map { $0 == SIGINT ? .interrupted : .terminated } },
            columns: Self.terminalColumns)
        defer { line?.finish() }
        do {
            return try Command.run(request, in: surroundings)
        } catch {
            surroundings.notice(error.sentence)
            return error.code
        }
    }

    private static var terminalColumns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
