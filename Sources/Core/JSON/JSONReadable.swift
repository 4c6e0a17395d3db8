/// What can be asked of a value, whether or not it knows where it stood. Every answer is nil when it is something else.
package protocol JSONReadable {
    var value: JSONValue { get }
    /// The value of a key of an object.
    subscript(key: String) -> Self? { get }
    /// The element of an array.
    subscript(index: Int) -> Self? { get }
    /// The elements of an array.
    var array: [Self]? { get }
}

extension JSONReadable {
    package var isNull: Bool { value == .null }

    package var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }

    package var string: String? { if case .string(let string) = value { string } else { nil } }

    /// A whole number, also when it was written as `25.0` or `1e3`.
    package var integer: Int64? {
        switch value {
        case .integer(let integer): integer
        case .number(let number): Int64(exactly: number)
        case .null, .bool, .unsigned, .string, .array, .object: nil
        }
    }

    package var int: Int? { integer.flatMap { Int(exactly: $0) } }

    /// A whole number that is not negative.
    package var unsigned: UInt64? {
        switch value {
        case .integer(let integer): UInt64(exactly: integer)
        case .unsigned(let unsigned): unsigned
        case .number(let number): UInt64(exactly: number)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// Any number, rounded to what a Double can hold.
    package var double: Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .unsigned(let unsigned): Double(unsigned)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}

extension JSONValue: JSONReadable {
    package var value: JSONValue { self }

    package var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }

    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// Setting makes sense for objects alone; anything else becomes an object.
    package subscript(key: String) -> JSONValue? {
        get { object?[key] }
        set {
            var object = object ?? JSONObject()
            object[key] = newValue
            self = .object(object)
        }
    }

    package subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}
