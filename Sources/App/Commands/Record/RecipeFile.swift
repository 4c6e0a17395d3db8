package import JSON
import Recording

/// A recipe cannot be followed, and where in it the reason stands: `janus.json5:7:3: unknown key 'durration'`.
package struct RecipeError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    package var error: JSONError
    package var description: String { "\(path):\(error.line):\(error.column): \(error.reason)" }
}

/// Reads a recipe: a JSON5 object whose keys are the flags' names in camel case, and `room`. Paths in it
/// count from its folder.
package struct RecipeFile: Sendable {
    package let path: String
    package let text: [UInt8]

    package init(path: String, text: [UInt8]) {
        self.path = path
        self.text = text
    }

    package func apply(to arguments: inout RecordArguments, in environment: Environment) throws(RecipeError) {
        do {
            let node = try JSONNode(parsing: text, as: .json5)
            try apply(node, to: &arguments, in: environment.seen(from: path))
        } catch {
            throw RecipeError(path: path, error: error)
        }
    }

    private func apply(
        _ node: JSONNode, to arguments: inout RecordArguments, in environment: Environment
    ) throws(JSONError) {
        let settings = RecordArguments.settings.flatMap(\.settings)
        try node.requireKeys(among: ["room"] + settings.compactMap(\.key))
        for member in node.members ?? [] {
            if member.key == "room" {
                arguments.room = try room(from: member.node)
            } else if let setting = settings.first(where: { $0.key == member.key }) {
                try apply(member, setting, to: &arguments, in: environment)
            }
        }
    }

    private func room(from node: JSONNode) throws(JSONError) -> RoomAddress {
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

    /// A list where one may be given again, one value everywhere else. `null` leaves the default.
    private func apply(
        _ member: JSONNode.Member, _ setting: Setting<RecordArguments>, to arguments: inout RecordArguments,
        in environment: Environment
    ) throws(JSONError) {
        guard member.node.value != .null else { return }
        let isList = setting.reset != nil
        for node in isList ? member.node.array ?? [member.node] : [member.node] {
            guard let argument = setting.argument(node.value) else {
                throw node.error("\(member.key) cannot be \(node.value.kind)")
            }
            // A flag's empty argument means "given", so an empty text of the recipe must not get there.
            guard !argument.isEmpty else { throw node.error("\(member.key) must not be empty") }
            do {
                try setting.set(&arguments, argument, environment)
            } catch {
                throw node.error("\(member.key) \(error.reason)")
            }
        }
    }
}
