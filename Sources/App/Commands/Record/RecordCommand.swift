import JSON
package import Logging
package import Recording

/// `callbot record`: reads what is asked for, and has it recorded.
package struct RecordCommand: Sendable {
    /// All that is known before the recording starts.
    package struct Request: Sendable {
        package var recipe: RecordRecipe
        package var logFormat: LogFormatChoice
        package var logLevel: LogLevel
        /// The parts of the command line that are secrets.
        package var exposedSecrets: [ParsedArguments.Use]
    }

    /// What the arguments come to.
    package enum Outcome: Sendable {
        case request(Request)
        case help
    }

    /// Why there is nothing to record.
    package enum Failure: Error, Hashable, Sendable {
        case usage(UsageError)
        case recipe(RecipeError)
        case unreadable(path: String, reason: String)

        package var exitCode: ExitCode {
            switch self {
            case .usage: .usage
            case .recipe: .badRecipe
            case .unreadable: .noInput
            }
        }

        package var sentence: String {
            switch self {
            case .usage(let error): error.description
            case .recipe(let error): error.description
            case .unreadable(let path, let reason): "the recipe \(path) cannot be read: \(reason)"
            }
        }
    }

    /// Reads arguments and recipe. A flag wins over the recipe.
    package static func parse(_ arguments: [String], in environment: Environment) throws(Failure) -> Outcome {
        let parser = ArgumentParser(RecordArguments.settings)
        var collected = RecordArguments()
        do {
            let parsed = try parser.parse(arguments)
            guard !parsed.wantsHelp else { return .help }
            let room = try self.room(parsed, into: &collected, in: environment)
            do {
                try parser.apply(parsed, to: &collected, in: environment)
            } catch {
                throw Failure.usage(error)
            }
            return .request(
                Request(
                    recipe: collected.recipe(for: room), logFormat: collected.logFormat, logLevel: collected.logLevel,
                    exposedSecrets: parser.secrets(in: parsed)))
        } catch let error as UsageError {
            throw .usage(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw .usage(UsageError("\(error)"))
        }
    }

    /// The room that the positional names, itself or by a recipe, which is read into `collected`.
    private static func room(
        _ parsed: ParsedArguments, into collected: inout RecordArguments, in environment: Environment
    ) throws(Failure) -> RoomAddress {
        guard let first = parsed.positionals.first else {
            throw .usage(UsageError("a room or a recipe is missing, such as janus+ws://127.0.0.1:8188/1234"))
        }
        if parsed.positionals.count > 1 {
            throw .usage(
                UsageError("only one room or recipe can be recorded, '\(parsed.positionals[1])' is one too many"))
        }
        if first.contains("://") {
            do {
                return try RoomAddress(first)
            } catch {
                throw .usage(UsageError("'\(first)' is no address of a room: \(error.reason)"))
            }
        }
        let text: [UInt8]
        do {
            text = try environment.contents(first)
        } catch {
            throw .unreadable(path: first, reason: error.reason)
        }
        do {
            try RecipeFile(path: first, text: text).apply(to: &collected, in: environment)
        } catch {
            throw .recipe(error)
        }
        guard let room = collected.room else {
            throw .recipe(
                RecipeError(path: first, error: .init("the key 'room' is missing", at: .init(line: 1, column: 1))))
        }
        return room
    }
}
