/// The manual page (man(7)), made from the help pages: what they lay out for a terminal is taken apart again.
package struct ManualPage: Sendable {
    package let text: String

    package init() {
        var lines = [
            ".\\\" Made by 'callbot help --man'.",
            ".TH CALLBOT 1 \"\" \"callbot \(Callbot.version)\" \"User Commands\"",
            ".SH NAME", "callbot \\- record calls of Janus rooms",
        ]
        lines += Self.page(of: Callbot.help, title: ".SH DESCRIPTION", sections: ".SH")
        for command in Callbot.declarations where command.name != "help" && !command.help.isEmpty {
            lines += Self.page(of: command.help, title: ".SH CALLBOT \(command.name.uppercased())", sections: ".SS")
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// - Parameters:
    ///   - title: the request that begins the summary.
    ///   - sections: the request that begins each section.
    private static func page(of help: String, title: String, sections: String) -> [String] {
        var lines = [title]
        var body: [Substring] = []
        var name: Substring = ""
        func close() {
            while body.last?.isEmpty == true { body.removeLast() }
            if !body.isEmpty { lines += set(body, of: name) }
            body = []
        }
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            let isHeading = line.first?.isUppercase == true && line == line.uppercased()
            guard isHeading else {
                body.append(line)
                continue
            }
            close()
            name = line
            lines.append("\(sections) \(line)")
        }
        close()
        return lines
    }

    private static func set(_ body: [Substring], of section: Substring) -> [String] {
        let isLiteral = section == "USAGE" || section == "EXAMPLES"
        if section.isEmpty { return [escaped(body.joined(separator: " "))] }
        if !isLiteral, let items = HelpText.items(of: body) {
            return items.flatMap { [".TP", ".B \(escaped($0.term))", escaped($0.meaning)] }
        }
        let isProse = body.allSatisfy { $0.hasPrefix("  ") && !$0.dropFirst(2).contains("  ") && !$0.hasPrefix("   ") }
        if !isLiteral, isProse { return [escaped(body.map { $0.dropFirst(2) }.joined(separator: " "))] }
        return [".nf"] + body.map { escaped(String($0.hasPrefix("  ") ? $0.dropFirst(2) : $0)) } + [".fi"]
    }

    /// As the formatter has to be given it: hyphens that can be copied, and no line that begins with a request.
    private static func escaped(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}

extension HelpText {
    /// Takes a list apart that `list` has laid out; nil for what is none.
    static func items(of lines: [Substring]) -> [(term: String, meaning: String)]? {
        let indent = String(repeating: " ", count: column)
        var items: [(term: String, meaning: String)] = []
        for line in lines {
            if line.hasPrefix(indent) {
                guard !items.isEmpty else { return nil }
                let last = items.count - 1
                items[last].meaning += (items[last].meaning.isEmpty ? "" : " ") + line.dropFirst(column)
            } else if line.hasPrefix("  "), line.dropFirst(2).first?.isWhitespace == false {
                let head = line.prefix(column)
                let isWhole = line.count > column && head.hasSuffix("  ")
                let term = String((isWhole ? head : line).dropFirst(2)).trimmingEnd
                // A long term has its line alone, and its meaning below.
                items.append((term, isWhole ? String(line.dropFirst(column)) : ""))
            } else {
                return nil
            }
        }
        return items.allSatisfy { !$0.meaning.isEmpty } ? items : nil
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
