package import MediaTypes
import RecordingFormat
import RoomProtocol

/// Something that happened in a recording, for whoever follows it as text.
package struct TextLine: Hashable, Sendable {
    package var at: TimelineTime
    /// In the words of the recording, which may have anything in them.
    package var text: String
    /// What it is of, whatever people are called later.
    package var key: Key

    package enum Key: Hashable, Sendable {
        case came(ParticipantID, TimelineTime)
        case left(ParticipantID, TimelineTime)
        case spoke(ParticipantID, TimelineTime)
        case said(String, TimelineTime)
    }
}

extension RecordingView {
    /// Chat, who came, left and began to speak, and marks, in the order of time.
    package var textLines: [TextLine] {
        var lines: [TextLine] = []
        for somebody in people {
            for stay in somebody.stays {
                lines.append(
                    TextLine(at: stay.from, text: "\(somebody.label) is here", key: .came(somebody.id, stay.from)))
                if let to = stay.to, to < .zero + duration {
                    lines.append(TextLine(at: to, text: "\(somebody.label) left", key: .left(somebody.id, to)))
                }
            }
            lines += somebody.speaking.map {
                TextLine(at: $0.from, text: "\(somebody.label) speaks", key: .spoke(somebody.id, $0.from))
            }
        }
        func said(_ text: String, at time: TimelineTime) -> TextLine {
            TextLine(at: time, text: text, key: .said(text, time))
        }
        lines += marks.map { said("-- \($0.text) --", at: $0.at) }
        for line in chat {
            let name = line.message.name ?? line.message.sender ?? ""
            lines.append(said(name.isEmpty ? line.message.text : "\(name): \(line.message.text)", at: line.at))
        }
        let order = lines.indices.sorted { (lines[$0].at, $0) < (lines[$1].at, $1) }
        return order.map { lines[$0] }
    }
}
