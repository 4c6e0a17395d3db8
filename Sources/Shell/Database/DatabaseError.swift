/// What a database could not do, and why.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The causes that callers decide by.
    package enum Cause: Hashable, Sendable {
        /// It is not a database, or a damaged one.
        case corrupt
        /// Another process had it for longer than the busy timeout.
        case busy
        /// The disk is full.
        case noSpace
        /// It, or its folder, cannot be written to.
        case readOnly
        /// It is not there, or may not be read.
        case cannotOpen
        /// A rule of the schema was broken.
        case constraint
        /// A newer program has made it: its version.
        case tooNew(Int)
        /// A column holds something else than was asked for.
        case wrongType
        case other
    }

    package let cause: Cause
    package let path: String
    /// SQLite's own words.
    package let message: String

    package init(_ cause: Cause, _ path: String, _ message: String) {
        self.cause = cause
        self.path = path
        self.message = message
    }

    package var description: String { "cannot use the database \(path): \(reason)" }

    /// In words, for the end of a sentence.
    package var reason: String {
        switch cause {
        case .corrupt: "it is damaged, or no database (\(message))"
        case .busy: "another process does not let go of it"
        case .noSpace: "no space left"
        case .readOnly: "it cannot be written to"
        case .tooNew(let version): "a newer callbot has made it (version \(version))"
        case .cannotOpen, .constraint, .wrongType, .other: message
        }
    }
}
