import Doctor

/// A diagnosis for a terminal: a line a finding, and below it what to do.
struct DoctorPage {
    private static let width = 100
    private static let indent = 23

    let text: String

    init(_ diagnosis: Diagnosis, isColoured: Bool, hasUnicode: Bool = true) {
        func coloured(_ level: Finding.Level) -> String {
            let word = Self.padded("\(level)", 9)
            guard isColoured else { return word }
            let code =
                switch level {
                case .ok: "32"
                case .warning: "33"
                case .problem: "1;31"
                }
            return "\u{1b}[\(code)m\(word)\u{1b}[0m"
        }
        var lines: [String] = []
        for finding in diagnosis.findings {
            let wrapped = Self.wrapped(ReportPage.printable(finding.text))
            lines.append(coloured(finding.level) + Self.padded(finding.subject.rawValue, 14) + (wrapped.first ?? ""))
            lines += wrapped.dropFirst().map { Self.padded("", Self.indent) + $0 }
            if let advice = finding.advice {
                let arrow = hasUnicode ? "→ " : "> "
                let wrapped = Self.wrapped(advice, width: Self.width - Self.indent - 2)
                lines += wrapped.enumerated().map { index, line in
                    Self.padded("", Self.indent) + (index == 0 ? arrow : "  ") + line
                }
            }
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func wrapped(_ text: String, width: Int = width - indent) -> [String] {
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
