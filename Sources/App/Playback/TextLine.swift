package import MediaTypes
import RecordingFormat
import RoomProtocol

/// Something that happened in a recording, for whoever follows it as text.
package struct TextLine: Hashable, Sendable {
    package var at: TimelineTime
    /// In the words of the recording, which may have anything in them.
    package var text: String
}

extension RecordingView {
    /// Chat, who came, left and began to speak, and marks, in the order of time.
    package var textLines: [TextLine] {
        var lines: [TextLine] = []
        for somebody in people {
            for stay in somebody.stays {
                lines.append(TextLine(at: stay.from, text: "\(somebody.label) is here"))
                if let to = stay.to, to < .zero + duration {
                    lines.append(TextLine(at: to, text: "\(somebody.label) left"))
                }
            }
            lines += somebody.speaking.map { TextLine(at: $0.from, text: "\(somebody.label) speaks") }
        }
        lines += marks.map { TextLine(at: $0.at, text: "-- \($0.text) --") }
        for line in chat {
            let name = line.message.name ?? line.message.sender ?? ""
            lines.append(
                TextLine(at: line.at, text: name.isEmpty ? line.message.text : "\(name): \(line.message.text)"))
        }
        let order = lines.indices.sorted { (lines[$0].at, $0) < (lines[$1].at, $1) }
        return order.map { lines[$0] }
    }
}
