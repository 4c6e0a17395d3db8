/// What the arguments of a command come to.
package enum ParsedCommand<Request: Sendable>: Sendable {
    case request(Request)
    case help
}

/// Why a command was not carried out: an exit code and a sentence.
package struct CommandFailure: Error, Hashable {
    package var code: ExitCode
    package var sentence: String
}

extension ParsedArguments {
    /// The one positional that there must be.
    /// - Parameters:
    ///   - what: what it is: "the recording's folder".
    ///   - only: why there is no other one: "only one recording can be shown".
    func single(_ what: String, only: String) throws(UsageError) -> String {
        guard let first = positionals.first else { throw UsageError("\(what) is missing") }
        guard positionals.count == 1 else { throw UsageError("\(only), '\(positionals[1])' is one too many") }
        return first
    }
}
