import JSON
import MediaTypes

/// One thing that can be set for a command: an option or a flag on the command line, a key in a recipe. Both, the help and
/// the errors come from this one declaration.
package struct Setting<Target>: Sendable {
    /// `--name`, in kebab case.
    package let name: String
    /// `-n`
    package let letter: Character?
    /// The value's name in the help; nil for a flag, which has none.
    package let valueName: String?
    package let help: String
    /// What the value may be, where that can be listed.
    package let choices: [String]
    /// The key in a recipe, in camel case; nil when it cannot be set there.
    package let key: String?
    /// Whether this text holds a secret that must not be seen.
    let isSecret: @Sendable (String) -> Bool
    /// Takes the value away that a recipe has set, before the first flag adds to a list.
    let reset: (@Sendable (inout Target) -> Void)?
    let set: @Sendable (inout Target, String, Environment) throws(InvalidValue) -> Void
    /// A recipe's value as an argument; nil when it has the wrong type.
    let argument: @Sendable (JSONValue) -> String?

    /// `--name VALUE`
    static func option<Value: ArgumentValue>(
        _ name: String, letter: Character? = nil, _ valueName: String, _ help: String, key: String? = nil,
        as type: Value.Type, isSecret: @escaping @Sendable (String) -> Bool = { _ in false },
        reset: (@Sendable (inout Target) -> Void)? = nil,
        set: @escaping @Sendable (inout Target, Value) throws(InvalidValue) -> Void
    ) -> Setting {
        Setting(
            name: name, letter: letter, valueName: valueName, help: help, choices: Value.choices, key: key,
            isSecret: isSecret, reset: reset,
            set: { (target, text, environment) throws(InvalidValue) in
                try set(&target, try Value.parse(text, in: environment))
            },
            argument: Value.argument(from:))
    }

    /// `--name`, or a key that is true (or false, for a flag that says no) in a recipe.
    static func flag(
        _ name: String, _ help: String, key: String? = nil, means meaning: Bool = true,
        set: @escaping @Sendable (inout Target, Bool) -> Void
    ) -> Setting {
        Setting(
            name: name, letter: nil, valueName: nil, help: help, choices: [], key: key, isSecret: { _ in false },
            reset: nil,
            set: { (target, text, _) throws(InvalidValue) in set(&target, text.isEmpty ? meaning : text == "true") },
            argument: { if case .bool(let truth) = $0 { truth ? "true" : "false" } else { nil } })
    }

    /// `--pin WHERE`: a secret.
    static func secret(
        _ name: String, _ help: String, key: String, set: @escaping @Sendable (inout Target, Secret) -> Void
    ) -> Setting {
        .option(name, "SECRET", help, key: key, as: Secret.self, isSecret: Secret.isLiteral) { set(&$0, $1) }
    }
}

/// Settings that stand together in the help.
package struct SettingGroup<Target>: Sendable {
    package let title: String
    package let settings: [Setting<Target>]
}
