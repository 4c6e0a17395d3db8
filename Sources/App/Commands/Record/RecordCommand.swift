import JSON
package import Logging
package import Recording
import RecordingFormat

/// `callbot record`: reads what is asked for, and has it recorded.
package enum RecordCommand: Command {
    package static let name = "record"
    package static let summary = "Record a room."
    package static let settings = RecordArguments.settings

    /// All that is known before the recording starts.
    package struct Request: Sendable {
        package var recipe: RecordRecipe
        package var logFormat: LogFormatChoice
        package var logLevel: LogLevel
        /// Whether no other recorder of the room may run.
        package var isOnce: Bool
        /// Where it is told how the recorder is doing; nil: nowhere.
        package var statusFile: String?
        /// Whether pictures are made of the recording when it is over.
        package var makesPictures: Bool
        /// The parts of the command line that are secrets.
        package var exposedSecrets: [ParsedArguments.Use]
    }

    /// Why there is nothing to record.
    package enum Failure: CommandError, Hashable {
        case usage(UsageError)
        case recipe(SettingsFileError)
        case unreadable(path: String, reason: String)
        /// What is to be gone on with is no recording.
        case notARecording(String)
        /// There is none of the name that --resume says.
        case notFound(CommandFailure)

        package var exitCode: ExitCode {
            switch self {
            case .usage: .usage
            case .recipe: .badRecipe
            case .unreadable, .notARecording: .noInput
            case .notFound(let failure): failure.code
            }
        }

        package var sentence: String {
            switch self {
            case .usage(let error): error.description
            case .recipe(let error): error.description
            case .notFound(let failure): failure.sentence
            case .notARecording(let path):
                "\(path) is no recording's folder, or its recording.json cannot be read; 'callbot repair' makes one anew"
            case .unreadable(let path, let reason): "the recipe \(path) cannot be read: \(reason)"
            }
        }
    }

    /// Reads arguments and recipe. A flag wins over the recipe.
    package static func parse(_ arguments: [String], in environment: Environment) throws(Failure) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(RecordArguments.settings)
        var collected = RecordArguments()
        do {
            let parsed = try parser.parse(arguments)
            guard !parsed.wantsHelp else { return .help }
            let names = parsed.uses.map { parser.settings[$0.setting].name }
            let resumed = try names.lastIndex(of: "resume").map { (index) throws(Failure) in
                try inherit(parsed.uses[index].value, into: &collected, in: environment)
            }
            let room = try self.room(parsed, resuming: resumed, into: &collected, in: environment)
            do {
                try parser.apply(parsed, to: &collected, in: environment)
            } catch {
                throw Failure.usage(error)
            }
            if let resumed {
                if names.contains("output") || names.contains("archive") {
                    throw UsageError(
                        "--resume goes on in the recording's own folder: --output and --archive go elsewhere")
                }
                collected.recipe.resumes = resumed.recording
            }
            return .request(
                Request(
                    recipe: collected.recipe(for: room), logFormat: collected.logFormat, logLevel: collected.logLevel,
                    isOnce: collected.isOnce, statusFile: collected.statusFile,
                    makesPictures: collected.makesPictures,
                    exposedSecrets: parser.secrets(in: parsed)))
        } catch let error as UsageError {
            throw .usage(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw .usage(UsageError("\(error)"))
        }
    }

    /// Takes over what was asked for when a recording was begun.
    private static func inherit(
        _ name: String, into collected: inout RecordArguments, in environment: Environment
    ) throws(Failure) -> (recording: ResumedRecording, room: RoomAddress) {
        var folder = name
        var text = try? environment.contents(folder + "/" + FileNaming.manifest)
        if text == nil {
            do { folder = try NamedRecording(name: name).folder(in: environment) } catch { throw .notFound(error) }
            text = try? environment.contents(folder + "/" + FileNaming.manifest)
        }
        guard let text, let manifest = try? RecordingManifest(parsing: text),
            let room = try? RoomAddress(manifest.room.address)
        else { throw .notARecording(folder) }
        collected.inherit(manifest.recipe)
        let planned = collected.recipe.duration
        // One that lasted as long as it was to was not cut short: it goes on without end.
        let isOver = planned.map { $0 <= manifest.duration ?? .zero } ?? true
        collected.recipe.duration = nil
        return (ResumedRecording(folder: folder, plannedDuration: isOver ? nil : planned), room)
    }

    /// The room that the positional names, itself or by a recipe, which is read into `collected`; or that of the recording
    /// which is gone on with.
    private static func room(
        _ parsed: ParsedArguments, resuming resumed: (recording: ResumedRecording, room: RoomAddress)?,
        into collected: inout RecordArguments, in environment: Environment
    ) throws(Failure) -> RoomAddress {
        guard let resumed else { return try room(parsed, into: &collected, in: environment) }
        guard !parsed.positionals.isEmpty else { return resumed.room }
        let named = try room(parsed, into: &collected, in: environment)
        guard named == resumed.room else {
            throw .usage(UsageError("the recording is of another room: \(resumed.room), not \(named)"))
        }
        return named
    }

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
                SettingsFileError(path: first, error: .init("the key 'room' is missing", at: .init(line: 1, column: 1)))
            )
        }
        return room
    }
}
