package import JSON

/// A file of settings cannot be followed, and where in it the reason stands:
/// `janus.json5:7:3: unknown key 'durration' (did you mean 'duration'?)`.
package struct SettingsFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    package var error: JSONError

    package init(path: String, error: JSONError) {
        self.path = path
        self.error = error
    }

    package var description: String { "\(path):\(error.line):\(error.column): \(error.reason)" }
}

/// A JSON5 object whose keys are the flags' names in camel case. Paths in it count from its folder.
struct SettingsFile: Sendable {
    let path: String
    let text: [UInt8]

    /// What is done with a key that is no flag's.
    typealias Other<Target> = (JSONNode, inout Target, Environment) throws(JSONError) -> Void

    /// - Parameter others: the keys beside those of the settings.
    func apply<Target>(
        _ groups: [SettingGroup<Target>], to target: inout Target, in environment: Environment,
        others: [String: Other<Target>] = [:]
    ) throws(SettingsFileError) {
        do {
            let node = try JSONNode(parsing: text, as: .json5)
            try node.apply(groups, to: &target, in: environment.seen(from: path), others: others)
        } catch {
            throw SettingsFileError(path: path, error: error)
        }
    }
}

extension JSONNode {
    /// Sets what the members of this object say.
    func apply<Target>(
        _ groups: [SettingGroup<Target>], to target: inout Target, in environment: Environment,
        others: [String: SettingsFile.Other<Target>] = [:]
    ) throws(JSONError) {
        let settings = groups.flatMap(\.settings)
        try requireKeys(among: others.keys.sorted() + settings.compactMap(\.key))
        for member in members ?? [] {
            if let other = others[member.key] {
                try other(member.node, &target, environment)
            } else if let setting = settings.first(where: { $0.key == member.key }) {
                try member.apply(setting, to: &target, in: environment)
            }
        }
    }
}

extension JSONNode.Member {
    /// A list where one may be given again, one value everywhere else. `null` leaves the default.
    fileprivate func apply<Target>(
        _ setting: Setting<Target>, to target: inout Target, in environment: Environment
    ) throws(JSONError) {
        guard node.value != .null else { return }
        let isList = setting.reset != nil
        for node in isList ? node.array ?? [node] : [node] {
            guard let argument = setting.argument(node.value) else {
                throw node.error("\(key) cannot be \(node.value.kind)")
            }
            // A flag's empty argument means "given", so an empty text of the file must not get there.
            guard !argument.isEmpty else { throw node.error("\(key) must not be empty") }
            do {
                try setting.set(&target, argument, environment)
            } catch {
                throw node.error("\(key) \(error.reason)")
            }
        }
    }
}
