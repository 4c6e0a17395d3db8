import EventLoop
import Logging
import Recording
import RecordingFormat
import Storage

extension RecordCommand {
    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) async throws(CommandFailure) -> ExitCode {
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
        var roomLock: FileLock?
        do {
            roomLock =
                request.isOnce
                ? try RoomLock.take(request.recipe.room, in: request.recipe.archive ?? surroundings.environment.archive)
                : nil
            status = try request.statusFile.map { (path) throws(StorageError) in
                try StatusFile(path, room: request.recipe.room)
            }
        } catch {
            guard error.cause == .locked else { throw CommandFailure(code: ExitCode(error), sentence: "\(error)") }
            logger.notice("nothing is to be done: another recorder does it already", ["lock": .string(error.path)])
            return .alreadyRunning
        }
        let outcome = await surroundings.record(request.recipe, logger) { progress in
            line?.show(progress)
            status?.say(progress)
        }
        line?.finish()
        withExtendedLifetime(roomLock) { roomLock = nil }
        let code = ExitCode(outcome.end)
        var sentence = outcome.end.sentence
        if let verdict = outcome.verdict, verdict.grade != .good { sentence += " " + verdict.sentence }
        status?.sayEnd(outcome, code, sentence)
        let isWell = code.isOrdinary && outcome.verdict?.grade ?? .good == .good
        logger.log(
            isWell ? .notice : code.isOrdinary ? .warning : .error, sentence, ["exit-code": .init(code.rawValue)])
        if request.makesPictures, !outcome.isHurried, let folder = outcome.folder {
            var surroundings = surroundings
            surroundings.stopSignal = surroundings.watchForStop()
            if request.logFormat != .auto { surroundings.line = nil }
            surroundings.makePictures(of: folder)
        }
        return code
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
