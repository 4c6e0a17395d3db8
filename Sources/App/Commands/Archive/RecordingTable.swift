import Archive
import JSON
import MediaTypes
import RecordingFormat

/// Recordings as a table for people.
struct RecordingTable {
    private struct Column: Sendable {
        var title: String
        var isRight = false
        var text: @Sendable (ArchivedRecording) -> String
    }

    private static let columns = [
        Column(title: "ID") { $0.id },
        Column(title: "STARTED (UTC)") {
            $0.start.map { String($0.iso8601.prefix(16)).replacing("T", with: " ") } ?? "?"
        },
        Column(title: "LENGTH", isRight: true) { $0.duration.map(DisplayText.clock) ?? "?" },
        Column(title: "PEOPLE", isRight: true) { "\($0.people)" },
        Column(title: "SIZE", isRight: true) { DisplayText.size($0.bytes) },
        Column(title: "STATE") { $0.stateWords },
        Column(title: "ROOM") { $0.roomName },
    ]
    /// What is left out first where there is no room for all.
    private static let dispensable = ["STARTED (UTC)", "PEOPLE", "SIZE", "LENGTH"]
    private static let leastRoom = 12

    let recordings: [ArchivedRecording]
    /// Of the terminal; nil: as wide as it becomes.
    let width: Int?

    var text: String {
        var columns = Self.columns
        var widths = columns.map(width)
        for title in Self.dispensable {
            guard let width, widths.dropLast().reduce(0, { $0 + $1 + 2 }) + Self.leastRoom > width else { break }
            guard let index = columns.firstIndex(where: { $0.title == title }) else { continue }
            columns.remove(at: index)
            widths.remove(at: index)
        }
        if let width, let last = widths.indices.last {
            let others = widths.dropLast().reduce(0) { $0 + $1 + 2 }
            widths[last] = min(widths[last], max(Self.leastRoom, width - others))
        }
        func line(_ text: (Column) -> String) -> String {
            let cells = zip(columns, widths).map { DisplayText.padded(text($0), $1, isRight: $0.isRight) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }
        var text = line(\.title)
        for recording in recordings {
            text += line { $0.text(recording) }
            if let problem = recording.problem { text += DisplayText.clipped("  ! \(problem)", width ?? .max) + "\n" }
        }
        return text
    }

    private func width(of column: Column) -> Int {
        let widest = recordings.map { DisplayText.width(ReportPage.printable(column.text($0))) }.max() ?? 0
        return max(column.title.count, min(widest, 60))
    }
}

extension ArchivedRecording {
    /// What it is worth, in a word or two.
    var stateWords: String {
        let words =
            switch state {
            case .recording: "recording"
            case .damaged: "damaged"
            case .interrupted: "cut short"
            case .finished: grade?.rawValue ?? "?"
            }
        return words + (isHeld ? ", held" : "")
    }
}
