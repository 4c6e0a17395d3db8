/// What somebody looks for, taken apart: words that must all be in a line; `"words in quotes"` in this order; `begin*` for
/// words that begin so. Anything may be asked for, and nothing of it is an error.
package struct SearchWords: Hashable, Sendable {
    struct Phrase: Hashable, Sendable {
        var text: String
        /// Whether its last word is the beginning of one.
        var isPrefix: Bool
    }

    /// Longer questions are cut off.
    private static let most = 16
    private static let longest = 200
    /// Longer questions than this are not asked by people.
    private static let longestQuestion = 4096

    private(set) var phrases: [Phrase] = []

    package init(_ text: String) {
        var rest = text.prefix(Self.longestQuestion)
        // Not in the middle of a word.
        if rest.endIndex < text.endIndex, let space = rest.lastIndex(where: \.isWhitespace) { rest = rest[..<space] }
        while phrases.count < Self.most, let first = rest.first(where: { !$0.isWhitespace }) {
            rest = rest.drop(while: \.isWhitespace)
            if Self.isQuote(first) {
                let inner = rest.dropFirst().prefix { !Self.isQuote($0) }
                rest = rest.dropFirst().dropFirst(inner.count).dropFirst()
                let isPrefix = rest.first == "*"
                if isPrefix { rest = rest.dropFirst() }
                add(inner, isPrefix: isPrefix)
            } else {
                let word = rest.prefix { !$0.isWhitespace && !Self.isQuote($0) }
                rest = rest.dropFirst(word.count)
                add(word, isPrefix: word.last == "*")
            }
        }
    }

    private mutating func add(_ text: Substring, isPrefix: Bool) {
        // What has no letters and no digits is in no line, and asks for nothing.
        let words = text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        guard words else { return }
        let phrase = Phrase(text: String(text.prefix(Self.longest)), isPrefix: isPrefix)
        // To ask twice is to ask once.
        if !phrases.contains(phrase) { phrases.append(phrase) }
    }

    /// Straight ones and the typographers'.
    private static func isQuote(_ character: Character) -> Bool { "\"“”„".contains(character) }

    /// Whether it asks for nothing.
    package var isEmpty: Bool { phrases.isEmpty }

    /// As FTS5 understands it: every phrase in quotes, where no character but the quote means anything.
    var expression: String {
        phrases.map { phrase in
            let text = phrase.text.replacing("\"", with: " ").replacing("\0", with: " ")
            return "\"\(text)\"" + (phrase.isPrefix ? "*" : "")
        }.joined(separator: " ")
    }
}
