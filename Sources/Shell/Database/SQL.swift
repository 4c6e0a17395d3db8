/// A statement and the values in it. Its text is made of literals alone, and what stands in `\( )` is bound, never
/// written into the text: so whatever a value contains, it stays a value.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String
    private(set) var values: [SQLValue]

    package init(stringLiteral value: StaticString) {
        text = value.description
        values = []
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        package mutating func appendInterpolation(_ value: some SQLConvertible) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// A value that may be missing.
        package mutating func appendInterpolation(orNull value: (some SQLConvertible)?) {
            appendInterpolation(value?.sqlValue ?? .null)
        }

        /// A part of a statement, with the values in it.
        package mutating func appendInterpolation(_ part: SQL) {
            text += part.text
            values += part.values
        }
    }

    package static func + (a: SQL, b: SQL) -> SQL { "\(a) \(b)" }
    package static func += (a: inout SQL, b: SQL) { a = a + b }

    /// Conditions that must all hold; `TRUE` for none.
    package static func all(_ conditions: [SQL]) -> SQL {
        guard let first = conditions.first else { return "TRUE" }
        return conditions.dropFirst().reduce("(\(first))") { "\($0) AND (\($1))" }
    }
}

/// What SQLite can hold.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// What can be bound to a statement.
package protocol SQLConvertible {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLConvertible {
    package var sqlValue: SQLValue { .real(self) }
}

extension String: SQLConvertible {
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLConvertible {
    package var sqlValue: SQLValue { .blob(self) }
}
