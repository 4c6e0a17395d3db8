/// A JSON value (RFC 8259). Integers are kept exact as far as 64 bits go, since rooms and people are numbered with them.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A whole number written without fraction and exponent.
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// Any other number, always finite when it was parsed.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// What it is, in the words of an error message.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .unsigned, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// The smallest fitting case for a number.
    package init(_ number: UInt64) {
        self = Int64(exactly: number).map(JSONValue.integer) ?? .unsigned(number)
    }
    package init(_ number: Int) { self = .integer(Int64(number)) }
    package init(_ text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(members: elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }
}
