import Daemon
import EventLoop
import Glibc
import Logging
import MediaTypes
import Processes
import Storage
import WebServer

extension DaemonCommand {
    /// Runs until it is asked to end.
    package static func run(_ request: Request, in surroundings: Surroundings) async -> ExitCode {
        let (environment, program) = (surroundings.environment, surroundings.program)
        let logger = Logger(
            label: "callbot", level: request.logLevel, output: StandardErrorOutput(format: request.logFormat.format))
        // The program's name and the word "daemon" stand before these arguments.
        ExposedArguments.hide(request.exposedSecrets.map { ($0.argument + 2, $0.offset) })
        var settings = settings(of: request, in: environment, program: program)
        settings.reread = {
            switch try parse(request.arguments, in: environment) {
            case .help: nil
            case .request(let changed):
                (self.settings(of: changed, in: environment, program: program), fixed(in: request, butNot: changed))
            }
        }
        if let file = request.configuration { logger.notice("the daemon goes by a file", ["file": .string(file)]) }
        // Each recorder is watched through a descriptor.
        OpenFiles.raiseLimit()
        do {
            let session = try DaemonSession(settings, loop: LoopExecutor(name: "callbot-daemon"), logger: logger)
            try await session.run()
            return .success
        } catch let error as StorageError {
            if error.cause == .locked {
                logger.error("another daemon runs already that goes by \(settings.place.folder)")
                return .alreadyRunning
            }
            logger.error("\(error)")
            return ExitCode(error)
        } catch let error as WebServerError {
            let failure = CommandFailure(error, option: "--listen")
            logger.error(failure.sentence)
            return failure.code
        } catch {
            logger.error("the schedules' state cannot be read: \(error)", ["file": .string(settings.place.scheduler)])
            return .inputOutputError
        }
    }

    private static func settings(
        of request: Request, in environment: Environment, program: String
    ) -> DaemonSettings {
        var settings = DaemonSettings(
            program: program, archive: Folder.absolute(request.archive ?? environment.archive),
            place: StatePlace(Folder.absolute(request.state ?? environment.state)),
            mostRecordings: request.mostRecordings,
            processors: request.processors ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        if let listen = request.listen {
            var web = WebServer.Configuration()
            web.address = listen.address
            web.port = listen.port
            web.certificateFile = request.certificateFile
            web.keyFile = request.keyFile
            settings.publicURL = request.publicURL?.address
            settings.web = request.webToken.map { (web, $0) }
        }
        settings.version = Callbot.version
        settings.recipeFault = { ScheduleCommand.recipeFault($0, in: environment) }
        settings.webhooks = request.webhooks
        settings.webhookKey = request.webhookSecret.map { Array($0.revealed().utf8) }
        settings.recipes = request.recipes.map { RecipeFolder.reading($0, isWhole: true, in: environment) }
        settings.jobs = request.jobs
        settings.retention = request.retention
        settings.lowSpace = request.lowSpace
        settings.reserve = request.reserve
        return settings
    }

    /// The keys whose values are others now, and that a running daemon does not take over.
    private static func fixed(in request: Request, butNot changed: Request) -> [String] {
        [
            ("archive", request.archive == changed.archive), ("state", request.state == changed.state),
            ("listen", request.listen == changed.listen), ("webToken", request.webToken == changed.webToken),
            ("publicURL", request.publicURL == changed.publicURL),
            ("certificate", request.certificateFile == changed.certificateFile),
            ("key", request.keyFile == changed.keyFile), ("logFormat", request.logFormat == changed.logFormat),
            ("logLevel", request.logLevel == changed.logLevel),
        ].filter { !$0.1 }.map(\.0)
    }
}
