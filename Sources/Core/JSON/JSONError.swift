/// Where something stands in a text: for people, as editors count it.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
    /// From 1. Lines end with LF, CR or CRLF.
    package var line: Int
    /// From 1, in Unicode scalars.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "line \(line), column \(column)" }
}

/// What is wrong with a JSON text, or with what it says, and where. Written for the author of the text.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package var position: JSONPosition
    /// A part of a sentence: "expected ',' or '}'".
    package var reason: String

    package init(_ reason: String, at position: JSONPosition) {
        self.position = position
        self.reason = reason
    }

    package var line: Int { position.line }
    package var column: Int { position.column }
    package var description: String { "\(position): \(reason)" }
}
