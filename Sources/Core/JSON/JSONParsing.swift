/// Which language a text is in.
package enum JSONDialect: Sendable {
    /// RFC 8259, as on the wire. Of two members with the same key the last one counts.
    case strict
    /// JSON5 (json5.org), as people write it: comments, trailing commas, keys without quotes, single quotes, hexadecimal
    /// numbers. Two differences: `Infinity` and `NaN` are refused, since nothing here could be set to them, and so is
    /// a key that stands twice in an object.
    case json5
}

extension JSONValue {
    /// How deep arrays and objects may be nested.
    package static let maximumDepth = 128

    /// Parses one value with nothing but white space around it.
    package init(parsing text: String, as dialect: JSONDialect = .strict) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), as: dialect)
    }

    /// Parses UTF-8; bytes that are no UTF-8 are an error. A byte order mark at the start is skipped.
    package init(parsing utf8: [UInt8], as dialect: JSONDialect = .strict) throws(JSONError) {
        var parser = JSONParser<JSONValue>(utf8, dialect: dialect)
        self = try parser.parseDocument()
    }
}

extension JSONNode {
    /// Parses one value, keeping the position of everything in it.
    package init(parsing text: String, as dialect: JSONDialect = .json5) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), as: dialect)
    }

    /// Parses UTF-8; bytes that are no UTF-8 are an error. A byte order mark at the start is skipped.
    package init(parsing utf8: [UInt8], as dialect: JSONDialect = .json5) throws(JSONError) {
        var parser = JSONParser<JSONNode>(utf8, dialect: dialect)
        self = try parser.parseDocument()
    }
}
