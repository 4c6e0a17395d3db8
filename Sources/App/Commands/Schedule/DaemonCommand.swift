import Daemon
import EventLoop
import Glibc
import JSON
package import Logging
package import MediaTypes
import Storage
import WebIO
import WebServer

/// `callbot daemon`: records what is scheduled.
package enum DaemonCommand: Command {
    package static let name = "daemon"
    package static let summary = "Record what is scheduled."

    package struct Request: Sendable {
        package var state: String?
        package var archive: String?
        package var mostRecordings: Int?
        /// Where it can be asked over HTTP: an address and a port.
        package var listen: ListenArgument?
        package var webToken: Secret?
        /// Where browsers find it.
        package var publicURL: PublicURLArgument?
        package var certificateFile: String?
        package var keyFile: String?
        package var webhooks: [String] = []
        package var webhookSecret: Secret?
        /// The parts of the command line that are secrets.
        package var exposedSecrets: [ParsedArguments.Use] = []
        package var logFormat = LogFormatChoice.auto
        package var logLevel = LogLevel.info
        package init() {}
    }

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        if let extra = parsed.positionals.first { throw UsageError("'\(extra)' is one too many") }
        var request = Request()
        try parser.apply(parsed, to: &request, in: environment)
        request.exposedSecrets = parser.secrets(in: parsed)
        if let listen = request.listen {
            guard request.webToken != nil else {
                throw UsageError("--listen needs --web-token: recordings are not for everybody who can get there")
            }
            guard listen.isLoopback || (request.certificateFile != nil && request.keyFile != nil) else {
                throw UsageError(
                    "--listen \(listen.address) is open to others: it needs --certificate and --key, or a proxy in front of 127.0.0.1"
                )
            }
        }
        return .request(request)
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "Options",
            settings: [
                .option(
                    "archive", "FOLDER",
                    "Where recordings go (default $CALLBOT_ARCHIVE, else callbot/archive in the user's data directory).",
                    as: PathArgument.self
                ) { $0.archive = $1.path },
                .option(
                    "state", "FOLDER",
                    "Where schedules and what became of them are kept (default $CALLBOT_STATE, else callbot in the user's state directory).",
                    as: PathArgument.self
                ) { $0.state = $1.path },
                .option(
                    "most", "N",
                    "No more than so many recordings at once. Without it, as many as the machine is seen to take.",
                    as: WholeNumber.self
                ) { (request, number) throws(InvalidValue) in
                    request.mostRecordings = try number.within(1...10_000)
                },
                .option(
                    "listen", "ADDRESS:PORT",
                    "Answer over HTTP there: a page with all recordings, search, what runs and the schedules, and an API; see below. Needs --web-token, and TLS where it is not this machine's own address.",
                    as: ListenArgument.self
                ) { $0.listen = $1 },
                .option(
                    "web-token", "SECRET",
                    "Whoever asks over HTTP must say 'Authorization: Bearer SECRET'; a browser, once, ?token=SECRET.",
                    as: Secret.self, isSecret: Secret.isLiteral
                ) { $0.webToken = $1 },
                .option(
                    "public-url", "URL",
                    "Where browsers find it, when that is not --listen: behind a proxy, https://calls.example.org. Links begin with it.",
                    as: PublicURLArgument.self
                ) { $0.publicURL = $1 },
                .option("certificate", "FILE", "The server's certificate (PEM), for TLS.", as: PathArgument.self) {
                    $0.certificateFile = $1.path
                },
                .option("key", "FILE", "Its key (PEM).", as: PathArgument.self) { $0.keyFile = $1.path },
                .option(
                    "webhook", "URL",
                    "Tell this address (a POST of JSON) when a recording starts and ends, and when a scheduled one does not run; again for a day until it answers with 2xx. May be given again.",
                    as: WebAddressArgument.self
                ) { $0.webhooks.append($1.address) },
                .option(
                    "webhook-secret", "SECRET",
                    "Sign what is told: Callbot-Signature is t=SECONDS,sha256=HMAC of 'SECONDS.BODY'. env:NAME, file:PATH or the secret itself.",
                    as: Secret.self, isSecret: Secret.isLiteral
                ) { $0.webhookSecret = $1 },
                .option(
                    "log-format", "FORMAT", "auto, text, plain or json (default auto: text on a terminal, else plain).",
                    as: LogFormatChoice.self
                ) { $0.logFormat = $1 },
                .option(
                    "log-level", "LEVEL", "trace, debug, info, notice, warning, error or critical (default info).",
                    as: LogLevel.self
                ) { $0.logLevel = $1 },
            ])
    ]

    package static var help: String {
        var help = HelpText(
            "Records what is scheduled, by itself: starts one recorder process a recording, watches it, starts it again into the same recording after a crash, and tries a room that is not open yet until its time is over.",
            usage: "callbot daemon [options]")
        help.options(settings)
        help.prose(
            "What it does not do",
            "Recorders run on when it ends, or crashes: the next daemon finds them again. What was due meanwhile is recorded as far as it is not over, or is missed, as 'callbot schedule history' tells."
        )
        help.section(
            "Over HTTP",
            """
            GET /                        the page with all recordings, what runs, and the schedules
            GET /r/ID/                   a recording's page; 'callbot link' lets others watch one
            GET /api/openapi.json        what else there is, for programs
            GET /health, /ready          whether it is alive, and can record (503 and why not)
            GET /metrics                 figures for Prometheus
            """)
        help.list(
            "Signals",
            [
                ("SIGTERM, SIGINT", "End the daemon; recordings go on."),
                ("SIGHUP", "Read the schedules again, which it does every second anyway."),
            ])
        help.section(
            "Examples",
            """
            callbot daemon
            callbot daemon --archive /srv/calls --most 4
            callbot schedule add "0 9 * * MON-FRI" recipes/rooms/janus.json5 --duration 45m
            """)
        return help.text
    }

    /// Runs until it is asked to end.
    package static func run(_ request: Request, in surroundings: Surroundings) async -> ExitCode {
        let environment = surroundings.environment
        let logger = Logger(
            label: "callbot", level: request.logLevel, output: StandardErrorOutput(format: request.logFormat.format))
        // The program's name and the word "daemon" stand before these arguments.
        ExposedArguments.hide(request.exposedSecrets.map { ($0.argument + 2, $0.offset) })
        var settings = DaemonSettings(
            program: surroundings.program, archive: request.archive ?? environment.archive,
            place: StatePlace(request.state ?? environment.state), mostRecordings: request.mostRecordings,
            processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
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
            logger.error("\(error)")
            return .usage
        } catch {
            logger.error("the schedules' state cannot be read: \(error)", ["file": .string(settings.place.scheduler)])
            return .inputOutputError
        }
    }
}

/// `--listen`: `127.0.0.1:8080`, `[::1]:8080`, or a port alone.
package struct ListenArgument: ArgumentValue, Hashable {
    package let address: String
    package let port: UInt16

    var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> ListenArgument {
        let colon = text.lastIndex(of: ":")
        var address = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        guard !address.isEmpty, let port = UInt16(colon.map { text[text.index(after: $0)...] } ?? text[...]) else {
            throw InvalidValue("must be ADDRESS:PORT, such as 127.0.0.1:8080")
        }
        return ListenArgument(address: address, port: port)
    }
}

/// `--public-url`
package struct PublicURLArgument: ArgumentValue, Hashable {
    /// Without a slash at its end.
    package let address: String

    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> PublicURLArgument {
        var address = text
        if address.hasSuffix("/") { address.removeLast() }
        let host = address.drop { $0 != "/" }.dropFirst(2)
        guard ["http://", "https://"].contains(address.dropLast(host.count)), !host.isEmpty,
            host.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._:[]".unicodeScalars.contains($0))
            })
        else { throw InvalidValue("must be an address without a path, such as https://calls.example.org") }
        return PublicURLArgument(address: address)
    }
}

/// An address on the web.
private struct WebAddressArgument: ArgumentValue {
    let address: String

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> WebAddressArgument {
        guard HTTPPost.isAddress(text) else {
            throw InvalidValue("must be an address such as https://example.org/hook")
        }
        return WebAddressArgument(address: text)
    }
}

extension Environment {
    /// `$CALLBOT_STATE`, what systemd gives a service, else callbot's folder in the user's state directory (XDG Base Directory
    /// Specification).
    package var state: String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let home = value("XDG_STATE_HOME") ?? (value("HOME") ?? ".") + "/.local/state"
        return value("CALLBOT_STATE") ?? home + "/callbot"
    }
}
