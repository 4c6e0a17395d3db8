import Glibc
import MediaTypes
import RecordingFormat

/// A report as a page for a terminal: pictures rather than numbers, at most 80 columns wide.
struct ReportPage {
    struct Style: Sendable {
        var isColoured = false
        var hasBlocks = true

        /// What suits standard output: colour on a terminal alone, and not where NO_COLOR asks for none.
        static func ofOutput(_ environment: Environment) -> Style {
            let isTerminal = isatty(STDOUT_FILENO) == 1 && environment.variable("TERM") != "dumb"
            let locale =
                ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment.variable($0) }.first { !$0.isEmpty } ?? ""
            let isUnicode = locale.lowercased().contains("utf")
            return Style(
                isColoured: isTerminal && (environment.variable("NO_COLOR") ?? "").isEmpty,
                hasBlocks: !isTerminal || isUnicode)
        }
    }

    static let width = 80
    private static let barWidth = 40

    private let report: RecordingReport
    private let manifest: RecordingManifest
    private let isRunning: Bool
    private let style: Style

    init(_ report: RecordingReport, of manifest: RecordingManifest, isRunning: Bool = false, style: Style = Style()) {
        self.report = report
        self.manifest = manifest
        self.isRunning = isRunning
        self.style = style
    }

    var text: String {
        var lines = title
        for somebody in report.participants { lines += [""] + people(somebody) }
        let known = Set(report.participants.map(\.id))
        for track in report.tracks where !known.contains(track.participant) { lines += [""] + rows(of: track) }
        if let composite = report.composite { lines += [""] + self.composite(composite) }
        if !report.events.isEmpty {
            lines += ["", "What happened to the recording"]
            lines += report.events.prefix(10).flatMap { Self.wrapped("\(clock($0.at - .zero))  \($0.text)", indent: 2) }
        }
        if !manifest.files.isEmpty {
            lines += ["", "Files"]
            lines += manifest.files.map { "  \(Self.padded(Self.printable($0.path), 58))  \(Self.size($0.bytes))" }
        }
        return lines.map { Self.clipped($0, style.isColoured ? Self.width + 16 : Self.width) }.joined(separator: "\n")
            + "\n"
    }

    // MARK: - Its parts

    private var title: [String] {
        let room = manifest.room.description.isEmpty ? manifest.room.address : manifest.room.description
        let day = String(manifest.origin.iso8601.prefix(16)).replacingT
        let state = isRunning ? ", so far" : ""
        let grade = coloured("\(report.verdict.grade)", gradeColour)
        var lines = [
            "\(grade)  \(Self.clipped(Self.printable(room), 36))  \(day) UTC  \(clock(report.duration))\(state)"
        ]
        for reason in report.verdict.reasons { lines += Self.wrapped("- \(reason.text)", indent: 2) }
        for remark in report.verdict.remarks { lines += Self.wrapped(remark, indent: 2) }
        return lines
    }

    private func people(_ somebody: ParticipantReport) -> [String] {
        var facts = [
            coloured(Self.clipped(Self.printable(somebody.label), 34), "1"), "there \(clock(somebody.present))",
        ]
        if let offset = somebody.offset {
            let basis = offset.basis == .arrivals ? " (by arrivals)" : ""
            facts.append("sound/picture ±\(milliseconds(offset.p95)), worst \(milliseconds(offset.worst))\(basis)")
        }
        var lines = [facts.joined(separator: "  ")]
        for track in report.tracks where track.participant == somebody.id { lines += rows(of: track) }
        for offer in somebody.unrecorded {
            lines.append(
                "  \(offer.kind.rawValue) (\(offer.codec?.rawValue ?? "?")) not recorded, \(clock(offer.time))")
        }
        return lines
    }

    private func rows(of track: TrackReport) -> [String] {
        let share = track.expected > .zero ? track.received.seconds / track.expected.seconds * 100 : 0
        let mark = coloured(bar(of: track), isBad(track) ? "33" : "32")
        let percent = track.frames > 0 ? "\(Int(share.rounded(.down))) %" : "empty"
        let head = "  \(Self.padded(track.sourceWords, 14))\(mark)  \(Self.padded(percent, 6))\(rate(of: track))"
        return [head] + Self.wrapped(details(of: track).joined(separator: " · "), indent: 16)
    }

    private func isBad(_ track: TrackReport) -> Bool { report.verdict.reasons.contains { $0.track == track.track } }

    private func rate(of track: TrackReport) -> String {
        guard track.received > .zero else { return "" }
        let kilobits = Int(Double(track.bytes) * 8 / 1000 / track.received.seconds)
        guard track.kind == .video else { return "\(kilobits) kbit/s" }
        let size = track.sizes.last.map { "\($0.size) " } ?? ""
        return "\(size)\(Int((Double(track.frames) / track.received.seconds).rounded()))/s"
    }

    private func details(of track: TrackReport) -> [String] {
        var facts: [String] = []
        func add(_ word: String, _ span: Duration?, least: Duration = .milliseconds(100)) {
            if let span, span >= least { facts.append("\(word) \(seconds(span))") }
        }
        add("lost", track.lost)
        if let reception = track.reception {
            if reception.recovered > 0 { facts.append("\(reception.recovered) packets recovered") }
            if reception.lost > 0 { facts.append("\(reception.lost) packets lost") }
        }
        if let sound = track.sound {
            add("concealed", sound.concealed, least: .milliseconds(1))
            add("silent", sound.silent, least: .seconds(1))
        }
        if let pictures = track.pictures {
            if pictures.frozenCount > 0 {
                facts.append("frozen \(pictures.frozenCount) times, longest \(seconds(pictures.longestFrozen))")
            }
            add("black", pictures.black, least: .seconds(1))
            add("still", pictures.still, least: .seconds(1))
            add("not sent", track.notSent, least: .seconds(1))
        }
        add("muted", track.muted)
        add("began after", track.waited, least: .seconds(2))
        if track.dropped > 0 { facts.append("\(track.dropped) frames dropped") }
        let worst = track.gaps.filter(\.reason.isLoss).max { $0.length < $1.length }
        if let worst { facts.append("longest gap \(seconds(worst.length)) at \(clock(worst.from - .zero))") }
        return facts
    }

    private func composite(_ composite: CompositeReport) -> [String] {
        let state =
            switch composite.state {
            case .drawing: "is being drawn"
            case .live: "drawn during the call"
            case .afterwards: "made after the call"
            case .shortened: "made after the call, and shorter than it"
            case .deferred: "left for later"
            case .missing: "missing"
            }
        var lines = ["Composite: \(state)"]
        for degradation in composite.degradations.prefix(5) {
            lines += Self.wrapped("\(clock(degradation.at - .zero))  \(degradation.text)", indent: 2)
        }
        return lines
    }

    // MARK: - Drawing

    /// How much of the track there is over the whole recording; spaces where it was not there.
    private func bar(of track: TrackReport) -> String {
        let steps: [Character] = style.hasBlocks ? Array("▁▂▃▄▅▆▇█") : Array("_.:-=+*#")
        let length = max(1, report.duration.seconds)
        let cell = length / Double(Self.barWidth)
        let rows = track.rates
        let (interval, from) = (rows.interval.seconds, rows.from.seconds)
        return String(
            (0..<Self.barWidth).map { index in
                let (start, end) = (Double(index) * cell, Double(index + 1) * cell)
                let expected = min(end, track.to.seconds) - max(start, track.from.seconds)
                guard expected > cell / 4 else { return " " }
                var covered = 0.0
                for (number, row) in rows.rows.enumerated() {
                    let rowStart = from + Double(number) * interval
                    let overlap = min(end, rowStart + interval) - max(start, rowStart)
                    if overlap > 0 { covered += overlap / interval * row.covered.seconds }
                }
                let share = min(1, max(0, covered / expected))
                return steps[min(steps.count - 1, Int(share * Double(steps.count)))]
            })
    }

    private var gradeColour: String {
        switch report.verdict.grade {
        case .good: "1;32"
        case .degraded: "1;33"
        case .failed: "1;31"
        }
    }

    private func coloured(_ text: String, _ code: String) -> String {
        style.isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }

    private func clock(_ span: Duration) -> String {
        let seconds = max(0, span.components.seconds)
        let tail = "\((seconds / 60 % 60).padded(seconds >= 3600 ? 2 : 1)):\((seconds % 60).padded(2))"
        return seconds >= 3600 ? "\(seconds / 3600):\(tail)" : tail
    }

    private func seconds(_ span: Duration) -> String {
        span >= .seconds(100) ? clock(span) : span < .seconds(1) ? milliseconds(span) : "\(span.inSeconds) s"
    }

    private func milliseconds(_ span: Duration) -> String { "\(span.microseconds / 1000) ms" }

    private static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }

    /// Without what would move a terminal's cursor.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    private static func clipped(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        let clipped = clipped(text, width)
        return clipped + String(repeating: " ", count: width - clipped.count)
    }

    private static func wrapped(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        for word in printable(text).split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(repeating: " ", count: indent + (lines.isEmpty ? 0 : 2)) + word)
            }
        }
        return lines
    }
}

extension String {
    /// An ISO 8601 moment as people write it.
    fileprivate var replacingT: String { String(map { $0 == "T" ? " " : $0 }) }
}
