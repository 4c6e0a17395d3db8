/// A command of callbot: how it is called, what it takes, what it does.
package protocol Command: SendableMetatype {
    associatedtype Request: Sendable
    /// What the settings change; the request itself, most of the time.
    associatedtype Arguments
    /// Why a command line cannot be followed.
    associatedtype ParseFailure: CommandError = UsageError

    static var name: String { get }
    /// In one line, for `callbot help`.
    static var summary: String { get }
    static var settings: [SettingGroup<Arguments>] { get }
    /// Words that may stand where no option does, besides paths.
    static var words: [String] { get }
    static var help: String { get }
    /// Whether it looks now and then whether a signal asks to stop, so that it is not cut off in the middle.
    static var watchesForStop: Bool { get }

    static func parse(
        _ arguments: [String], in environment: Environment
    ) throws(ParseFailure) -> ParsedCommand<Request>

    /// - Returns: what the process tells the shell. What fails as a whole is thrown.
    static func run(_ request: Request, in surroundings: Surroundings) async throws(CommandFailure) -> ExitCode
}

extension Command {
    package static var words: [String] { [] }
    package static var watchesForStop: Bool { false }

    /// From the command line to the exit code.
    static func perform(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        let request: Request
        do throws(ParseFailure) {
            switch try parse(arguments, in: surroundings.environment) {
            case .help:
                surroundings.output(help)
                return .success
            case .request(let parsed): request = parsed
            }
        } catch {
            return surroundings.fail(CommandFailure(code: error.exitCode, sentence: error.sentence))
        }
        do throws(CommandFailure) {
            let code = try await run(request, in: surroundings)
            surroundings.finishProgress()
            return code
        } catch {
            return surroundings.fail(error)
        }
    }
}

/// What the arguments of a command come to.
package enum ParsedCommand<Request: Sendable>: Sendable {
    case request(Request)
    case help
}

/// What ends a command: an exit code and a sentence.
package protocol CommandError: Error {
    var exitCode: ExitCode { get }
    var sentence: String { get }
}

/// Why a command was not carried out: an exit code and a sentence.
package struct CommandFailure: CommandError, Hashable {
    package var code: ExitCode
    package var sentence: String

    package var exitCode: ExitCode { code }

    init(code: ExitCode, sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

extension UsageError: CommandError {
    package var exitCode: ExitCode { .usage }
    package var sentence: String { description }
}

extension ParsedArguments {
    /// The one positional that there must be.
    /// - Parameters:
    ///   - what: what it is: "a recording".
    ///   - only: why there is no other one: "only one recording can be shown".
    func single(_ what: String, only: String) throws(UsageError) -> String {
        guard let first = positionals.first else { throw UsageError("\(what) is missing") }
        guard positionals.count == 1 else { throw UsageError("\(only), '\(positionals[1])' is one too many") }
        return first
    }
}
