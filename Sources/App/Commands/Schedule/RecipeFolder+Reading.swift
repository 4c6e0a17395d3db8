import Daemon
import JSON
import Scheduling
import Storage

extension RecipeFolder {
    /// - Parameter isWhole: whether everything in a recipe must be good, its secrets included; else only when it is recorded.
    static func reading(_ path: String, isWhole: Bool, in environment: Environment) -> RecipeFolder {
        RecipeFolder(Folder.absolute(path)) { path in
            do {
                return .success(try schedule(ofRecipe: path, isWhole: isWhole, in: environment))
            } catch let error as SettingsFileError {
                let position = "\(error.error.line):\(error.error.column)"
                return .failure(.init(path: path, position: position, reason: error.error.reason))
            } catch let error as Environment.Unreadable {
                return .failure(.init(path: path, reason: "it cannot be read: \(error.reason)"))
            } catch {
                return .failure(.init(path: path, reason: "\(error)"))
            }
        }
    }

    /// The folder that the daemon follows, as it has left word; nil for none.
    static func followed(by place: StatePlace, in environment: Environment) -> RecipeFolder? {
        let json = (try? SmallFile.read(place.recipes)).flatMap { try? JSONValue(parsing: $0) }
        return (json?["folder"]?.string).map { reading($0, isWhole: false, in: environment) }
    }

    private static func schedule(
        ofRecipe path: String, isWhole: Bool, in environment: Environment
    ) throws -> Schedule? {
        let text = try environment.contents(path)
        do {
            let node = try JSONNode(parsing: text, as: .json5)
            guard let key = node["schedule"], !key.value.isNull else { return nil }
            if !isWhole { return try ScheduleKey.schedule(key, ofRecipe: path, in: environment.seen(from: path)) }
            guard node["room"] != nil else { throw node.error("the key 'room' is missing") }
        } catch let error as JSONError {
            throw SettingsFileError(path: path, error: error)
        }
        var arguments = RecordArguments()
        try RecipeFile(path: path, text: text).apply(to: &arguments, in: environment)
        return arguments.schedule
    }
}
