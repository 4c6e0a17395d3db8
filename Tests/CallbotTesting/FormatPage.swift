import Foundation

/// `recipes/recording-format.md`, taken apart: what it says is written, to be held against what is.
package struct FormatPage {
    /// The keys of a section's table: the first column.
    package let keys: [String: Set<String>]
    /// The journal's events with their keys, which are in the second column.
    package let events: [String: Set<String>]
    /// The texts of a section's code blocks.
    package let examples: [String: [String]]

    package init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "recipes/recording-format.md"), encoding: .utf8)
        var keys: [String: Set<String>] = [:]
        var events: [String: Set<String>] = [:]
        var examples: [String: [String]] = [:]
        var section = ""
        var example: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let finished = example { examples[section, default: []].append(finished) }
                example = example == nil ? "" : nil
            } else if example != nil {
                example? += line + "\n"
            } else if line.hasPrefix("## ") {
                section = String(line.dropFirst(3))
            } else if line.hasPrefix("| `") {
                let columns = line.split(separator: "|")
                guard let key = Self.quoted(columns[0]).first else { continue }
                keys[section, default: []].insert(key)
                if section == "events.jsonl" { events[key] = Set(Self.quoted(columns[1])) }
            }
        }
        self.keys = keys
        self.events = events
        self.examples = examples
    }

    private static func quoted(_ text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
