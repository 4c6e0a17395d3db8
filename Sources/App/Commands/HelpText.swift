/// Lays out a help page: 100 columns, two of them of a list aligned.
package struct HelpText: Sendable {
    package private(set) var text: String
    private static let width = 100
    static let column = 28

    package init(_ summary: String, usage: String) {
        text = Self.wrapped(summary, width: Self.width).joined(separator: "\n") + "\n\nUSAGE\n  \(usage)\n"
    }

    package mutating func section(_ title: String, _ body: String) {
        text += "\n\(title.uppercased())\n"
        for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
            text += line.isEmpty ? "\n" : "  \(line)\n"
        }
    }

    package mutating func prose(_ title: String, _ body: String) {
        section(title, Self.wrapped(body, width: Self.width - 2).joined(separator: "\n"))
    }

    package mutating func list(_ title: String, _ items: [(term: String, meaning: String)]) {
        text += "\n\(title.uppercased())\n"
        for (term, meaning) in items {
            let lines = Self.wrapped(meaning, width: Self.width - Self.column)
            let isShort = term.count + 4 <= Self.column
            text += "  \(term)"
            if isShort, let first = lines.first {
                text += String(repeating: " ", count: Self.column - 2 - term.count) + first
            }
            text += "\n"
            for line in lines.dropFirst(isShort ? 1 : 0) {
                text += String(repeating: " ", count: Self.column) + line + "\n"
            }
        }
    }

    package mutating func options<Target>(_ groups: [SettingGroup<Target>]) {
        for group in groups {
            list(group.title, group.settings.map { ($0.usage, $0.help) })
        }
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Setting {
    /// `--output, -o FOLDER`
    var usage: String {
        "--\(name)" + (letter.map { ", -\($0)" } ?? "") + (valueName.map { " \($0)" } ?? "")
    }
}
