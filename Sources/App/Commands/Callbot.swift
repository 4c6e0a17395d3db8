import Doctor
import EventLoop
import Glibc
package import Logging
import MediaTypes
package import Recording
import RecordingFormat
import Rendering
import Storage

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

    /// - Parameter arguments: without the program's name.
    package func run(_ arguments: [String]) async -> ExitCode {
        switch arguments.first {
        case nil:
            errorOutput(Self.help)
            return .usage
        case "help"?: return help(Array(arguments.dropFirst()))
        case "--help"?, "-h"?: return print(Self.help)
        case "--version"?, "version"?: return print("callbot \(Self.version)\n")
        case "record"?: return await record(Array(arguments.dropFirst()))
        case "render"?: return render(Array(arguments.dropFirst()))
        case "repair"?: return repair(Array(arguments.dropFirst()))
        case "control"?: return control(Array(arguments.dropFirst()))
        case "show"?: return show(Array(arguments.dropFirst()))
        case "play"?: return await play(Array(arguments.dropFirst()))
        case "layout"?: return layout(Array(arguments.dropFirst()))
        case "doctor"?: return doctor(Array(arguments.dropFirst()))
        case "schedule"?: return schedule(Array(arguments.dropFirst()))
        case "daemon"?: return await daemon(Array(arguments.dropFirst()))
        case let other?:
            guard let command = Self.archiveCommand(other) else { return unknownCommand(other) }
            return archive(command, Array(arguments.dropFirst()))
        }
    }

    func print(_ text: String) -> ExitCode {
        output(text)
        return .success
    }

    func fail(_ code: ExitCode, _ command: String, _ sentence: String) -> ExitCode {
        errorOutput("callbot \(command): \(sentence)\n")
        if code == .usage { errorOutput("See 'callbot help \(command)'.\n") }
        return code
    }

    private func help(_ arguments: [String]) -> ExitCode {
        switch arguments.first {
        case nil, "help"?: print(Self.help)
        case "--man"?: print(ManualPage().text)
        case "--completions"?: completions(arguments.dropFirst().first)
        case "record"?: print(RecordCommand.help)
        case "render"?: print(RenderCommand.help)
        case "repair"?: print(RepairCommand.help)
        case "control"?: print(ControlCommand.help)
        case "show"?: print(ShowCommand.help)
        case "play"?: print(PlayCommand.help)
        case "layout"?: print(LayoutCommand.help)
        case "doctor"?: print(DoctorCommand.help)
        case "schedule"?: print(ScheduleCommand.help)
        case "daemon"?: print(DaemonCommand.help)
        case let other?: Self.archiveCommand(other).map { print($0.help) } ?? unknownCommand(other)
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

    private func record(_ arguments: [String]) async -> ExitCode {
        let request: RecordCommand.Request
        do {
            switch try RecordCommand.parse(arguments, in: environment) {
            case .help: return print(RecordCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(error.exitCode, "record", error.sentence)
        }
        let format = request.logFormat.format
        let line = request.logFormat == .auto ? ProgressLine.onTerminal(format: format) : nil
        let logger = Logger(
            label: "callbot", level: request.logLevel,
            output: line ?? StandardErrorOutput(format: format) as any LogOutput)
        if !request.exposedSecrets.isEmpty {
            // The program's name and the word "record" stand before these arguments.
            ExposedArguments.hide(request.exposedSecrets.map { ($0.argument + 2, $0.offset) })
            logger.warning(
                "a secret was given on the command line, where others could see it: use env:NAME or file:PATH")
        }
        let status: StatusFile?
        let roomLock: FileLock?
        do {
            roomLock =
                request.isOnce
                ? try RoomLock.take(request.recipe.room, in: request.recipe.archive ?? environment.archive) : nil
            status = try request.statusFile.map { (path) throws(StorageError) in
                try StatusFile(path, room: request.recipe.room)
            }
        } catch {
            guard error.cause == .locked else { return fail(ExitCode(error), "record", "\(error)") }
            logger.notice("nothing is to be done: another recorder does it already", ["lock": .string(error.path)])
            return .alreadyRunning
        }
        defer { withExtendedLifetime(roomLock) {} }
        let outcome = await record(request.recipe, logger) { progress in
            line?.show(progress)
            status?.say(progress)
        }
        line?.finish()
        let code = ExitCode(outcome.end)
        var sentence = outcome.end.sentence
        if let verdict = outcome.verdict, verdict.grade != .good { sentence += " " + verdict.sentence }
        status?.sayEnd(outcome, code, sentence)
        let isWell = code.isOrdinary && outcome.verdict?.grade ?? .good == .good
        logger.log(
            isWell ? .notice : code.isOrdinary ? .warning : .error, sentence, ["exit-code": .init(code.rawValue)])
        return code
    }

    private func render(_ arguments: [String]) -> ExitCode {
        let request: RenderCommand.Request
        do {
            switch try RenderCommand.parse(arguments, in: environment) {
            case .help: return print(RenderCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(.usage, "render", error.description)
        }
        let line = ProgressLine.onTerminal(format: .text)
        let stopSignal = watchForStop()
        let begin = HostClock.now()
        do {
            var stopped: ExitCode?
            let summary = try RenderCommand.run(request.located(in: environment)) { share in
                line?.show(RenderCommand.progress(share, after: HostClock.now() - begin))
                stopped = stopSignal().map { $0 == SIGINT ? .interrupted : .terminated }
                return stopped == nil
            }
            line?.finish()
            let reach = stopped == nil ? "" : ", stopped before the end"
            _ = print("\(request.output): \(summary.duration.seconds) s, \(summary.bytes) bytes\(reach)\n")
            return stopped ?? .success
        } catch {
            line?.finish()
            return fail(error.code, "render", error.sentence)
        }
    }

    private func repair(_ arguments: [String]) -> ExitCode {
        let request: RepairCommand.Request
        do {
            switch try RepairCommand.parse(arguments, in: environment) {
            case .help: return print(RepairCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(.usage, "repair", error.description)
        }
        let line = ProgressLine.onTerminal(format: .text)
        let stopSignal = watchForStop()
        var stopped: ExitCode?
        do {
            let isAllWell = try RepairCommand.run(request.located(in: environment)) { text in
                line?.finish()
                _ = print(text + "\n")
            } progress: { file, share in
                line?.show("\(RenderCommand.progress(share, after: .zero))  \(file)")
                stopped = stopSignal().map { $0 == SIGINT ? .interrupted : .terminated }
                return stopped == nil
            }
            line?.finish()
            return isAllWell ? .success : .notRepaired
        } catch {
            line?.finish()
            return fail(stopped ?? error.code, "repair", error.sentence)
        }
    }

    private func show(_ arguments: [String]) -> ExitCode {
        let request: ShowCommand.Request
        do {
            switch try ShowCommand.parse(arguments, in: environment) {
            case .help: return print(ShowCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(.usage, "show", error.description)
        }
        let line = request.verifies ? ProgressLine.onTerminal(format: .text) : nil
        let begin = HostClock.now()
        do {
            return try ShowCommand.run(
                request.located(in: environment), style: .ofOutput(environment),
                progress: { line?.show(RenderCommand.progress($0, after: HostClock.now() - begin)) },
                output: {
                    line?.finish()
                    output($0)
                })
        } catch {
            line?.finish()
            return fail(error.code, "show", error.sentence)
        }
    }

    private func doctor(_ arguments: [String]) -> ExitCode {
        do {
            switch try DoctorCommand.parse(arguments, in: environment) {
            case .help: return print(DoctorCommand.help)
            case .request(let request):
                let measurements = Measurements.ofThisMachine(archive: request.archive ?? environment.archive)
                let (text, code) = DoctorCommand.run(
                    Diagnosis(measurements), isJSON: request.isJSON, style: .ofOutput(environment))
                output(text)
                return code
            }
        } catch {
            return fail(.usage, "doctor", error.description)
        }
    }

    private func control(_ arguments: [String]) -> ExitCode {
        let request: ControlCommand.Request
        do {
            switch try ControlCommand.parse(arguments, in: environment) {
            case .help: return print(ControlCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(.usage, "control", error.description)
        }
        do {
            try ControlCommand.run(request.located(in: environment))
            return .success
        } catch {
            return fail(error.code, "control", error.sentence)
        }
    }

    private func schedule(_ arguments: [String]) -> ExitCode {
        let request: ScheduleCommand.Request
        do {
            switch try ScheduleCommand.parse(arguments, in: environment) {
            case .help: return print(ScheduleCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(.usage, "schedule", error.description)
        }
        do {
            return print(try ScheduleCommand.run(request, in: environment))
        } catch {
            return fail(error.code, "schedule", error.sentence)
        }
    }

    private func daemon(_ arguments: [String]) async -> ExitCode {
        do {
            switch try DaemonCommand.parse(arguments, in: environment) {
            case .help: return print(DaemonCommand.help)
            case .request(let request):
                return await DaemonCommand.run(request, in: environment, program: program)
            }
        } catch {
            return fail(.usage, "daemon", error.description)
        }
    }

    private func layout(_ arguments: [String]) -> ExitCode {
        do throws(UsageError) {
            switch try LayoutCommand.parse(arguments, in: environment) {
            case .help: return print(LayoutCommand.help)
            case .request(let request):
                do {
                    return print(try LayoutCommand.run(request))
                } catch let error as StorageError {
                    return fail(ExitCode(error), "layout", "\(error)")
                } catch {
                    return fail(.softwareError, "layout", "\(error)")
                }
            }
        } catch {
            return fail(.usage, "layout", error.description)
        }
    }
}

extension ExitCode {
    /// Whether this is an end that nobody needs to look into.
    fileprivate var isOrdinary: Bool {
        switch self {
        case .success, .roomEmpty, .roomDestroyed, .interrupted, .terminated: true
        default: false
        }
    }
}
