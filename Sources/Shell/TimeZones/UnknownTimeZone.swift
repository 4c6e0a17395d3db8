/// A zone that was asked for and that there is not, or that cannot be read.
package struct UnknownTimeZone: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The names that may have been meant, the likeliest first.
        case unknown(suggestions: [String])
        case unreadable(String)
        /// Where no zones were found.
        case noDatabase(String)
    }

    package let name: String
    package let reason: Reason

    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .unknown(let suggestions) where suggestions.isEmpty:
            "unknown time zone '\(name)': write it as in Europe/Berlin, America/New_York or UTC"
        case .unknown(let suggestions):
            "unknown time zone '\(name)' (did you mean \(suggestions.map { "'\($0)'" }.joined(separator: " or "))?)"
        case .unreadable(let why): "cannot read the time zone '\(name)': \(why)"
        case .noDatabase(let folder):
            "cannot look up the time zone '\(name)': there are no zones in \(folder) (install the package tzdata)"
        }
    }
}
