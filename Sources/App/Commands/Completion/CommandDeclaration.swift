/// A command as shells and readers are to know it: what its settings say, without their types.
package struct CommandDeclaration: Sendable {
    package struct Option: Hashable, Sendable {
        /// `output` of `--output`.
        package var name: String
        package var letter: Character?
        /// Nil for a flag.
        package var valueName: String?
        package var help: String
        /// What the value may be, where that can be listed.
        package var choices: [String]

        /// Whether the value is, or may be, the path of a file or folder.
        var takesPath: Bool {
            guard let valueName else { return false }
            return ["FILE", "FOLDER", "RECORDING"].contains { valueName.contains($0) }
        }

        /// The first sentence of the help, without what is in brackets.
        var gist: String {
            var text = ""
            var depth = 0
            for character in help {
                if character == "(" { depth += 1 }
                if depth == 0 { text.append(character) }
                if character == ")" { depth -= 1 }
            }
            let sentence = text.split(separator: ". ").first.map(String.init) ?? text
            return String(sentence.replacing("  ", with: " ").replacing(" ,", with: ",").replacing(" .", with: "."))
                .trimmingDots
        }
    }

    package let name: String
    /// In one line, as `callbot help` has it.
    package let summary: String
    package let options: [Option]
    /// Words that may stand where no option does, besides paths.
    package let words: [String]
    /// Empty where there is none.
    package let help: String

    init(_ name: String, _ summary: String, words: [String] = []) {
        (self.name, self.summary, self.words) = (name, summary, words)
        options = []
        help = ""
    }

    fileprivate init(
        _ name: String, _ summary: String, _ options: [Option], words: [String], help: String
    ) {
        (self.name, self.summary, self.options, self.words, self.help) = (name, summary, options, words, help)
    }
}

extension Command {
    static var declaration: CommandDeclaration {
        let options = settings.flatMap(\.settings).map {
            CommandDeclaration.Option(
                name: $0.name, letter: $0.letter, valueName: $0.valueName, help: $0.help, choices: $0.choices)
        }
        return CommandDeclaration(name, summary, options, words: words, help: help)
    }
}

extension String {
    fileprivate var trimmingDots: String { hasSuffix(".") ? String(dropLast()) : self }
}
