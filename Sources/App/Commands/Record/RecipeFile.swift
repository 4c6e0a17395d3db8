import JSON
import Recording
import Scheduling

/// Reads a recipe: a file of settings, with the keys `room` and `schedule` beside them.
package struct RecipeFile: Sendable {
    package let path: String
    package let text: [UInt8]

    package init(path: String, text: [UInt8]) {
        self.path = path
        self.text = text
    }

    package func apply(to arguments: inout RecordArguments, in environment: Environment) throws(SettingsFileError) {
        let path = path
        try SettingsFile(path: path, text: text).apply(
            RecordArguments.settings, to: &arguments, in: environment,
            others: [
                "room": { (node, arguments, _) throws(JSONError) in arguments.room = try Self.room(from: node) },
                // Whoever records at once has no use for it, but hears that it is wrong.
                "schedule": { (node, arguments, environment) throws(JSONError) in
                    guard node.value != .null else { return }
                    arguments.schedule = try ScheduleKey.schedule(node, ofRecipe: path, in: environment)
                },
            ])
    }

    private static func room(from node: JSONNode) throws(JSONError) -> RoomAddress {
        guard case .string(let text) = node.value else {
            throw node.error(
                "room must be a string such as \"janus+ws://127.0.0.1:8188/1234\", found \(node.value.kind)")
        }
        do {
            return try RoomAddress(text)
        } catch {
            throw node.error("room is no address of a room: \(error.reason)")
        }
    }
}
