import JSON

/// A command line that cannot be followed.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}

/// A command line taken apart, in the order in which it was written.
package struct ParsedArguments: Hashable, Sendable {
    package struct Use: Hashable, Sendable {
        /// Of the setting, in the list it was parsed with.
        package var setting: Int
        /// Empty for a flag.
        package var value: String
        /// Which argument holds the value, and where in it the value begins (in UTF-8).
        package var argument: Int
        package var offset: Int
    }
    package var uses: [Use] = []
    package var positionals: [String] = []
    package var wantsHelp = false
}

/// Takes arguments apart: `--name value`, `--name=value`, `--flag`, `-n value`, `-nvalue`, positionals anywhere, and only
/// positionals after `--`. A lone `-` is a positional.
package struct ArgumentParser<Target>: Sendable {
    let settings: [Setting<Target>]

    package init(_ groups: [SettingGroup<Target>]) { settings = groups.flatMap(\.settings) }

    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parsed = ParsedArguments()
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if argument == "--" {
                parsed.positionals += arguments[(index + 1)...]
                break
            }
            if argument == "--help" || argument == "-h" {
                parsed.wantsHelp = true
            } else if argument.hasPrefix("--") {
                try parseLong(argument, at: &index, of: arguments, into: &parsed)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try parseShort(argument, at: &index, of: arguments, into: &parsed)
            } else {
                parsed.positionals.append(argument)
            }
            index += 1
        }
        return parsed
    }

    /// Carries the uses out on `target`, after whatever a recipe has set there.
    package func apply(_ parsed: ParsedArguments, to target: inout Target, in environment: Environment)
        throws(UsageError)
    {
        var hasReset: Set<Int> = []
        for use in parsed.uses {
            let setting = settings[use.setting]
            if hasReset.insert(use.setting).inserted { setting.reset?(&target) }
            do {
                try setting.set(&target, use.value, environment)
            } catch {
                throw UsageError("--\(setting.name) \(error.reason)")
            }
        }
    }

    /// The parts of the arguments that are secrets and can be seen by whoever lists processes.
    package func secrets(in parsed: ParsedArguments) -> [ParsedArguments.Use] {
        parsed.uses.filter { settings[$0.setting].isSecret($0.value) }
    }

    private func parseLong(
        _ argument: String, at index: inout Int, of arguments: [String], into parsed: inout ParsedArguments
    ) throws(UsageError) {
        let equals = argument.firstIndex(of: "=")
        let name = String(argument[..<(equals ?? argument.endIndex)].dropFirst(2))
        guard let setting = settings.firstIndex(where: { $0.name == name }) else {
            let suggestion = Spelling.suggestion(for: name, among: settings.map(\.name) + ["help"])
            throw UsageError("unknown option '--\(name)'" + (suggestion.map { " (did you mean '--\($0)'?)" } ?? ""))
        }
        guard settings[setting].valueName != nil else {
            guard equals == nil else { throw UsageError("--\(name) takes no value") }
            return parsed.uses.append(.init(setting: setting, value: "", argument: index, offset: 0))
        }
        if let equals {
            let value = String(argument[argument.index(after: equals)...])
            let offset = argument.utf8.count - value.utf8.count
            parsed.uses.append(.init(setting: setting, value: value, argument: index, offset: offset))
        } else {
            try takeNext(setting, named: "--\(name)", at: &index, of: arguments, into: &parsed)
        }
    }

    private func parseShort(
        _ argument: String, at index: inout Int, of arguments: [String], into parsed: inout ParsedArguments
    ) throws(UsageError) {
        let rest = argument.dropFirst()
        guard let letter = rest.first, let setting = settings.firstIndex(where: { $0.letter == letter }) else {
            throw UsageError("unknown option '\(argument)'")
        }
        let value = String(rest.dropFirst())
        if value.isEmpty {
            try takeNext(setting, named: "-\(letter)", at: &index, of: arguments, into: &parsed)
        } else {
            let offset = argument.utf8.count - value.utf8.count
            parsed.uses.append(.init(setting: setting, value: value, argument: index, offset: offset))
        }
    }

    private func takeNext(
        _ setting: Int, named name: String, at index: inout Int, of arguments: [String],
        into parsed: inout ParsedArguments
    ) throws(UsageError) {
        guard index + 1 < arguments.count, !isOption(arguments[index + 1]) else {
            throw UsageError("\(name) needs a value (\(settings[setting].valueName ?? "VALUE"))")
        }
        index += 1
        parsed.uses.append(.init(setting: setting, value: arguments[index], argument: index, offset: 0))
    }

    /// Whether an argument is surely not a value: forgotten values are more usual than values that begin with `--`.
    private func isOption(_ argument: String) -> Bool { argument.hasPrefix("--") }
}
