package import JSON

/// Why a text is not the value it should be. A part of a sentence: "must be a whole number".
package struct InvalidValue: Error, Hashable, Sendable {
    package var reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// A value that can be written on the command line and in a recipe.
package protocol ArgumentValue: Sendable {
    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Self

    /// What the value is in a recipe, written as it would be on the command line. Nil: it cannot be this value.
    static func argument(from value: JSONValue) -> String?

    /// All that it may be, for shells to offer; empty where that cannot be listed.
    static var choices: [String] { get }
}

extension ArgumentValue {
    package static var choices: [String] { [] }
}

extension ArgumentValue {
    package static func argument(from value: JSONValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }
}

/// A value that a recipe may give as a number, too.
package protocol NumericArgumentValue: ArgumentValue {}

extension NumericArgumentValue {
    package static func argument(from value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        default: nil
        }
    }
}

extension String: ArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> String {
        guard !text.isEmpty else { throw InvalidValue("must not be empty") }
        return text
    }
}

/// A choice by name.
extension ArgumentValue where Self: CaseIterable & RawRepresentable<String> {
    package static var choices: [String] { allCases.map(\.rawValue) }

    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Self {
        if let choice = Self(rawValue: text) { return choice }
        let names = allCases.map(\.rawValue)
        let suggestion = Spelling.suggestion(for: text, among: names).map { " (did you mean '\($0)'?)" } ?? ""
        throw InvalidValue("must be one of \(names.joined(separator: ", "))\(suggestion)")
    }
}
