import JSON
import MediaTypes

/// How an entry looks on its line. Text from elsewhere cannot break a line or speak to the terminal: control characters
/// are escaped in every format.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For a person at a terminal: time of day, colours.
    case text
    /// For a file or the system's journal: one plain line.
    case plain
    /// For programs: one JSON object a line.
    case json

    /// The line, with its newline.
    package func line(_ entry: LogEntry) -> String {
        switch self {
        case .text: terminalLine(entry)
        case .plain: plainLine(entry)
        case .json: jsonLine(entry)
        }
    }

    private func terminalLine(_ entry: LogEntry) -> String {
        let time = entry.time.iso8601.dropFirst(11).prefix(8)
        let (colour, word) = entry.level.terminalStyle
        var line = "\u{1b}[2m\(time)\u{1b}[0m \u{1b}[\(colour)m\(word)\u{1b}[0m "
        line += printable(entry.message)
        for (name, value) in entry.metadata.entries { line += " \u{1b}[2m\(name)=\u{1b}[0m\(value.bare)" }
        return line + "\n"
    }

    private func plainLine(_ entry: LogEntry) -> String {
        var line =
            "\(entry.time.iso8601) \(entry.level.rawValue.uppercased()) \(entry.label): \(printable(entry.message))"
        for (name, value) in entry.metadata.entries { line += " \(name)=\(value.bare)" }
        return line + "\n"
    }

    private func jsonLine(_ entry: LogEntry) -> String {
        var line = "{\"time\":\(quoted(entry.time.iso8601)),\"level\":\(quoted(entry.level.rawValue))"
        line += ",\"label\":\(quoted(entry.label)),\"message\":\(quoted(entry.message))"
        if !entry.metadata.entries.isEmpty {
            let members = entry.metadata.entries.map { "\(quoted($0.name)):\($0.value.json)" }
            line += ",\"metadata\":{\(members.joined(separator: ","))}"
        }
        return line + "}\n"
    }
}

extension LogLevel {
    /// The colour's number (ECMA-48 SGR) and a word of five letters.
    fileprivate var terminalStyle: (colour: String, word: String) {
        switch self {
        case .trace: ("2", "trace")
        case .debug: ("2", "debug")
        case .info: ("32", "info ")
        case .notice: ("36", "note ")
        case .warning: ("33", "warn ")
        case .error: ("31", "error")
        case .critical: ("1;31", "fatal")
        }
    }
}

extension LogValue {
    /// As few characters as can be read without doubt: quoted only where it has spaces, quotes or nothing in it.
    fileprivate var bare: String {
        guard case .string(let text) = self else { return json }
        let isPlain =
            !text.isEmpty && text.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "=" && $0 > " " && !$0.mustBeEscaped }
        return isPlain ? text : quoted(text)
    }

    fileprivate var json: String {
        switch self {
        case .string(let text): quoted(text)
        case .integer(let number): String(number)
        case .number(let number): number.isFinite ? String(number) : "null"
        case .boolean(let truth): truth ? "true" : "false"
        }
    }
}

/// A JSON string literal (RFC 8259 section 7), and harmless on a terminal as well.
private func quoted(_ text: String) -> String { printable(JSONValue(text).compact) }

/// The text with its control characters made visible.
private func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.mustBeEscaped) else { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += $1.mustBeEscaped ? $1.escaped : String($1) }
}

extension Unicode.Scalar {
    /// Controls (C0, C1), line and paragraph separators, and the marks that reorder what is shown after them.
    fileprivate var mustBeEscaped: Bool {
        switch value {
        case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var escaped: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - min(4, digits.count)) + digits
    }
}
