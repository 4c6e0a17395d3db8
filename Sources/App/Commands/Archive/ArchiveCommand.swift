import Archive
import Database
import EventLoop
import Glibc
import MediaTypes
import Storage

/// A command on the recordings of an archive.
protocol ArchiveCommand: Command where Request: ArchiveRequest, Arguments == Request {}

/// What such a command is asked to do.
protocol ArchiveRequest: Hashable, Sendable {
    init()
    /// Nil for the user's own.
    var archive: String? { get set }
    var positionals: [String] { get set }
    /// Throws when the positionals are not what the command takes, or go together with no option.
    func check() throws(UsageError)
}

extension CommandFailure {
    init(_ error: ArchiveError) { self.init(code: ExitCode(error), sentence: ReportPage.printable("\(error)")) }
}

extension Surroundings {
    /// The archive that is asked for.
    func archive(_ request: some ArchiveRequest) throws(CommandFailure) -> Archive {
        do {
            return try Archive(
                request.archive ?? environment.archive, now: now, notice: { notice(ReportPage.printable($0)) },
                indexing: { progress("reading the archive \(Int($0 * 100)) %") })
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Does something for each of several recordings that somebody named; goes on after those that fail.
    /// - Returns: the exit code of the first that failed, or success.
    func each(
        _ names: [String], of archive: Archive, _ work: (ArchivedRecording) throws(ArchiveError) -> Void
    ) throws(CommandFailure) -> ExitCode {
        var code = ExitCode.success
        for name in names {
            if let stopped = stopped() { return stopped }
            do throws(ArchiveError) {
                try work(try archive.recording(named: name))
            } catch {
                if error == .stopped, let stopped = stopped() {
                    throw CommandFailure(code: stopped, sentence: "\(error)")
                }
                let failure = CommandFailure(error)
                // The only one is told of as the command's own failure.
                guard names.count > 1 else { throw failure }
                notice(failure.sentence)
                if code == .success { code = failure.code }
            }
        }
        return code
    }
}

extension ArchiveCommand {
    static var watchesForStop: Bool { true }

    static func parse(
        _ arguments: [String], in environment: Environment
    ) throws(UsageError) -> ParsedCommand<Request> {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        var request = Request()
        try parser.apply(parsed, to: &request, in: environment)
        request.positionals = parsed.positionals
        try request.check()
        return .request(request)
    }
}

extension Setting where Target: ArchiveRequest {
    static var archive: Setting {
        .option(
            "archive", "FOLDER",
            "The archive (default $CALLBOT_ARCHIVE, else callbot/archive in the user's data directory).",
            as: PathArgument.self
        ) { $0.archive = $1.path }
    }
}

extension ExitCode {
    init(_ error: ArchiveError) {
        switch error {
        case .noArchive, .noSuchRecording, .outside: self = .noInput
        case .ambiguous, .misplaced: self = .usage
        case .running: self = .beingRecorded
        case .held: self = .held
        case .stopped: self = .interrupted
        case .storage(let error): self.init(error)
        case .database(let error): self = error.cause == .cannotOpen ? .noInput : .inputOutputError
        }
    }
}
