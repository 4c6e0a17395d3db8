/// A line of iCalendar, unfolded: `DTSTART;TZID=Europe/Berlin:20261130T090000`.
struct ContentLine: Sendable {
    /// In capital letters.
    let name: String
    /// Names in capital letters; values without quotes, the first where there are several.
    let parameters: [String: String]
    let value: String
    /// From 1; of a folded line, the first.
    let number: Int

    /// Nil when there is no name or no colon.
    init?(_ text: String, number: Int) {
        var rest = text[...]
        let name = rest.prefix { $0 != ":" && $0 != ";" }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        rest = rest.dropFirst(name.count)
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = rest.prefix { !"=:;".contains($0) }
            rest = rest.dropFirst(key.count)
            var value: Substring = ""
            if rest.first == "=" {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    value = rest.dropFirst().prefix { $0 != "\"" }
                    rest = rest.dropFirst(value.count + 2)
                    // Further values of the same parameter.
                    rest = rest.drop { $0 != ":" && $0 != ";" }
                } else {
                    value = rest.prefix { $0 != ":" && $0 != ";" }
                    rest = rest.dropFirst(value.count)
                }
            }
            if parameters[key.uppercased()] == nil { parameters[key.uppercased()] = String(value) }
        }
        guard rest.first == ":" else { return nil }
        self.name = name.uppercased()
        self.parameters = parameters
        self.value = String(rest.dropFirst())
        self.number = number
    }

    /// A value of type TEXT without its escapes.
    var text: String {
        guard value.contains("\\") else { return value }
        var plain = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                plain.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                plain.append(character)
            }
        }
        return plain
    }

    /// The lines of a calendar, unfolded: a line that begins with a space or a tab goes on with the one before. Lines
    /// end with CRLF, or with LF as some write them.
    static func unfold(_ bytes: [UInt8], maximumLength: Int) throws(ICalendarError) -> [(text: String, number: Int)] {
        var lines: [(text: String, number: Int)] = []
        var current: [UInt8] = []
        var first = 1
        var number = 0
        func finish() {
            if current.contains(where: { $0 > 0x20 }) {
                lines.append((String(decoding: current, as: UTF8.self), first))
            }
            current.removeAll(keepingCapacity: true)
        }
        // A byte order mark may stand before everything.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        for physical in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = physical.last == 0x0D ? physical.dropLast() : physical
            if let mark = line.first, mark == 0x20 || mark == 0x09, number > 1 {
                current += line.dropFirst()
            } else {
                finish()
                first = number
                current += line
            }
            guard current.count <= maximumLength else {
                throw ICalendarError(line: first, "the line is longer than \(maximumLength) bytes")
            }
        }
        finish()
        return lines
    }
}
