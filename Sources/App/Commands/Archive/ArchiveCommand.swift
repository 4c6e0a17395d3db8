import Archive
import Database
import EventLoop
import Glibc
import MediaTypes
import Storage

/// A command on the recordings of an archive.
protocol ArchiveCommand {
    associatedtype Request: ArchiveRequest
    static var name: String { get }
    static var settings: [SettingGroup<Request>] { get }
    static var help: String { get }
    /// - Returns: what the process tells the shell. What fails as a whole is thrown.
    static func run(_ request: Request, in surroundings: ArchiveSurroundings) throws(ArchiveFailure) -> ExitCode
}

/// What such a command is asked to do.
protocol ArchiveRequest: Hashable, Sendable {
    init()
    /// Nil for the user's own.
    var archive: String? { get set }
    var positionals: [String] { get set }
    /// Throws when the positionals are not what the command takes, or go together with no option.
    func check() throws(UsageError)
}

/// Why a command could do nothing: an exit code and a sentence.
struct ArchiveFailure: Error, Hashable {
    var code: ExitCode
    var sentence: String

    init(_ code: ExitCode, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    init(_ error: ArchiveError) { self.init(ExitCode(error), ReportPage.printable("\(error)")) }
}

/// What such a command works with.
struct ArchiveSurroundings {
    var environment: Environment
    var output: (String) -> Void
    /// Takes a sentence for the operator.
    var notice: (String) -> Void
    /// Shows how far something is, a line of ASCII; and takes it away again.
    var progress: (String) -> Void = { _ in }
    var finishProgress: () -> Void = {}
    /// The exit code of a signal that asked to stop; nil while there was none.
    var stopped: () -> ExitCode? = { nil }
    /// The width of the terminal that output goes to; nil when it goes elsewhere.
    var columns: Int?
    var now: () -> WallTime = HostClock.wallTime

    func archive(_ request: some ArchiveRequest) throws(ArchiveFailure) -> Archive {
        let (notice, progress) = (notice, progress)
        do {
            return try Archive(
                request.archive ?? environment.archive, now: now, notice: { notice(ReportPage.printable($0)) },
                indexing: { progress("reading the archive \(Int($0 * 100)) %") })
        } catch {
            throw ArchiveFailure(error)
        }
    }

    /// Does something for each of several recordings that somebody named; goes on after those that fail.
    /// - Returns: the exit code of the first that failed, or success.
    func each(
        _ names: [String], of archive: Archive, _ work: (ArchivedRecording) throws(ArchiveError) -> Void
    ) throws(ArchiveFailure) -> ExitCode {
        var code = ExitCode.success
        for name in names {
            if let stopped = stopped() { return stopped }
            do throws(ArchiveError) {
                try work(try archive.recording(named: name))
            } catch {
                if error == .stopped, let stopped = stopped() { throw ArchiveFailure(stopped, "\(error)") }
                let failure = ArchiveFailure(error)
                // The only one is told of as the command's own failure.
                guard names.count > 1 else { throw failure }
                finishProgress()
                notice(failure.sentence)
                if code == .success { code = failure.code }
            }
        }
        return code
    }
}

extension ArchiveCommand {
    static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> Request? {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return nil }
        var request = Request()
        try parser.apply(parsed, to: &request, in: environment)
        request.positionals = parsed.positionals
        try request.check()
        return request
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
