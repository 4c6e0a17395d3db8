import MediaTypes
import RoomProtocol

/// `chat.vtt`: the chat as subtitles (WebVTT), so that any player shows who wrote what.
package enum ChatSubtitles {
    /// How long a message is shown at most; the next one replaces it earlier.
    static let longest = Duration.seconds(5)

    /// The whole file. What was said before the recording is left out.
    package static func text(of lines: [ChatLine]) -> String {
        let shown = lines.filter { !$0.message.isHistory && $0.at >= .zero }.sorted { $0.at < $1.at }
        var text = "WEBVTT\n"
        for (index, line) in shown.enumerated() {
            let start = max(0, line.at.milliseconds)
            var end = start + longest.microseconds / 1000
            if index + 1 < shown.count { end = min(end, shown[index + 1].at.milliseconds) }
            // A cue ends after it begins: messages of the same moment are shown together, for a moment.
            if end <= start { end = start + 1000 }
            text += "\n\(WebVTT.timestamp(start)) --> \(WebVTT.timestamp(end))\n"
            let name = line.message.name ?? line.message.sender ?? ""
            text += name.isEmpty ? "" : "<v \(annotation(name))>"
            text += payload(line.message.text) + "\n"
        }
        return text
    }

    /// A name in a voice tag, which is one line.
    private static func annotation(_ name: String) -> String {
        escaped(name).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Lines of a cue: an empty one would end it.
    private static func payload(_ text: String) -> String {
        let lines = escaped(text).split(whereSeparator: \.isNewline)
        return lines.isEmpty ? "\u{A0}" : lines.joined(separator: "\n")
    }

    /// `-->` cannot stand in a cue, nor can what would be a tag.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
