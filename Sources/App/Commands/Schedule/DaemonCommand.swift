import JSON
package import Logging
package import MediaTypes
import Recording
package import Retention

/// `callbot daemon`: records what is scheduled.
package enum DaemonCommand: Command {
    package static let name = "daemon"
    package static let summary = "Record what is scheduled."

    package struct Request: Sendable {
        /// The file of settings that it goes by; nil for none.
        package var configuration: String?
        package var state: String?
        package var archive: String?
        /// A folder of recipes that say themselves when they are recorded.
        package var recipes: String?
        package var mostRecordings: Int?
        /// How many processors recordings may use; nil for all.
        package var processors: Int?
        /// How many recordings that have ended are worked on at once.
        package var jobs = 1
        /// How long recordings are kept.
        package var retention = RetentionRules()
        /// Bytes of the disk below which somebody is told, and below which nothing begins.
        package var lowSpace: Int64 = 2_000_000_000
        package var reserve = RecordRecipe.usualReserve
        /// Where it can be asked over HTTP: an address and a port.
        package var listen: ListenArgument?
        package var webToken: Secret?
        /// Where browsers find it.
        package var publicURL: PublicURLArgument?
        package var certificateFile: String?
        package var keyFile: String?
        package var webhooks: [String] = []
        package var webhookSecret: Secret?
        /// What it was made of, to be read again when the file has changed.
        package var arguments: [String] = []
        /// The parts of the command line that are secrets.
        package var exposedSecrets: [ParsedArguments.Use] = []
        package var logFormat = LogFormatChoice.auto
        package var logLevel = LogLevel.info
        package init() {}

        /// Takes what a file says; a flag wins over it.
        fileprivate mutating func take(_ file: SettingsFile?, in environment: Environment) throws(CommandFailure) {
            guard let file else { return }
            configuration = file.path
            do { try file.apply(DaemonCommand.settings, to: &self, in: environment) } catch {
                throw CommandFailure(code: .badRecipe, sentence: error.description)
            }
        }

        fileprivate func check() throws(UsageError) {
            guard let listen else { return }
            guard webToken != nil else {
                throw UsageError("--listen needs --web-token: recordings are not for everybody who can get there")
            }
            guard listen.isLoopback || (certificateFile != nil && keyFile != nil) else {
                throw UsageError(
                    "--listen \(listen.address) is open to others: it needs --certificate and --key, or a proxy in front of 127.0.0.1"
                )
            }
        }
    }

    package static func parse(
        _ arguments: [String], in environment: Environment
    ) throws(CommandFailure) -> ParsedCommand<Request> {
        let parser = ArgumentParser(settings)
        var request = Request()
        do {
            let parsed = try parser.parse(arguments)
            guard !parsed.wantsHelp else { return .help }
            if let extra = parsed.positionals.first { throw UsageError("'\(extra)' is one too many") }
            try request.take(file(parsed, parser, in: environment), in: environment)
            try parser.apply(parsed, to: &request, in: environment)
            request.exposedSecrets = parser.secrets(in: parsed)
            request.arguments = arguments
            try request.check()
        } catch let error as UsageError {
            throw CommandFailure(code: .usage, sentence: error.description)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(code: .softwareError, sentence: "\(error)")
        }
        return .request(request)
    }

    /// The file of settings: the one that is named, else the first of the usual ones that is there.
    private static func file(
        _ parsed: ParsedArguments, _ parser: ArgumentParser<Request>, in environment: Environment
    ) throws(CommandFailure) -> SettingsFile? {
        if let use = parsed.uses.last(where: { parser.settings[$0.setting].name == "config" }) {
            let path = environment.resolve(use.value)
            do {
                return SettingsFile(path: path, text: try environment.contents(path))
            } catch {
                throw CommandFailure(
                    code: .noInput, sentence: "the configuration \(path) cannot be read: \(error.reason)")
            }
        }
        for path in environment.daemonConfigurations {
            if let text = try? environment.contents(path) { return SettingsFile(path: path, text: text) }
        }
        return nil
    }

    package static var help: String {
        var help = HelpText(
            "Records what is scheduled, by itself: starts one recorder process a recording, watches it, starts it again into the same recording after a crash, and tries a room that is not open yet until its time is over.",
            usage: "callbot daemon [options]")
        help.options(settings)
        help.prose(
            "What it does not do",
            "Recorders run on when it ends, or crashes: the next daemon finds them again. What was due meanwhile is recorded as far as it is not over, or is missed, as 'callbot schedule history' tells."
        )
        help.prose(
            "Configuration",
            "JSON5, the options' names in camel case as keys, as in { recipes: \"recipes\", keepFor: \"90d\" }; paths count from its folder, and an option wins over it. Without --config, callbot/daemon.json5 in the user's config directory, or /etc/callbot/daemon.json5, if it is there."
        )
        help.prose(
            "Recipes that say when",
            "A recipe's key schedule has when (a cron expression, a time such as \"2026-12-01 09:00\", or a list of both) or calendar (a file), and zone, duration, early, late, missed, overlap, until, count and name, as 'callbot schedule add' has them. Changes are taken over within a second or so; 'callbot schedule' lists them, and can pause them."
        )
        help.prose(
            "After the call",
            "A composite that was left for later, for want of processors or space, is made when there is room, with the least priority, and stands still while recordings need the machine. Recordings that are held or being made are never removed."
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
                (
                    "SIGHUP",
                    "Read the configuration again: limits, webhooks, space and how long recordings are kept are taken over; the log says what needs a restart. Schedules and recipes are followed anyway."
                ),
            ])
        help.section(
            "Examples",
            """
            callbot daemon
            callbot daemon --archive /srv/calls --most 4 --keep-for 90d --keep-free 50G
            callbot daemon --config recipes/systemd/daemon.json5
            callbot schedule add "0 9 * * MON-FRI" recipes/rooms/janus.json5 --duration 45m
            """)
        return help.text
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

extension Environment {
    /// Where the daemon's settings may be: the user's own before the machine's (XDG Base Directory Specification).
    var daemonConfigurations: [String] {
        let home =
            variable("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 }
            ?? variable("HOME").flatMap { $0.isEmpty ? nil : $0 + "/.config" }
        return [home, "/etc"].compactMap { $0.map { $0 + "/callbot/daemon.json5" } }
    }

    /// `$CALLBOT_STATE`, what systemd gives a service, else callbot's folder in the user's state directory (XDG Base Directory
    /// Specification).
    package var state: String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let home = value("XDG_STATE_HOME") ?? (value("HOME") ?? ".") + "/.local/state"
        return value("CALLBOT_STATE") ?? home + "/callbot"
    }
}
