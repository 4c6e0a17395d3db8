package import JSON
package import MediaTypes
package import RoomProtocol

/// One line of `chat.jsonl`: something said in the chat, and when it was received.
package struct ChatLine: Hashable, Sendable {
    package var at: TimelineTime
    package var message: ChatMessage

    package init(at: TimelineTime, message: ChatMessage) {
        self.at = at
        self.message = message
    }

    package init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(at: try json.time("at"), message: try ChatMessage(json))
    }

    /// The line with its line feed.
    package var line: [UInt8] {
        var fields = JSONFields()
        fields.set("at", at)
        message.write(into: &fields)
        return fields.value.compactUTF8 + [0x0A]
    }

    /// Reads a whole log. Lines that are no messages are counted and left out: the last one may be torn.
    package static func lines(in bytes: [UInt8]) -> (lines: [ChatLine], unreadable: Int) {
        let (lines, unreadable) = JSONLines.read(bytes) { json throws(RecordingFormatError) in try ChatLine(json) }
        return (lines, unreadable)
    }
}

extension ChatMessage {
    func write(into fields: inout JSONFields) {
        fields.set("kind", kind.rawValue)
        fields.set("from", sender)
        fields.set("name", name)
        fields.set("text", text)
        fields.set("sentAt", sentAt)
        fields.set("history", isHistory)
    }

    init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(
            kind: try json.choice("kind"), sender: json["from"]?.string, name: json["name"]?.string,
            text: try json.text("text"),
            sentAt: json["sentAt"]?.string, isHistory: json["history"]?.bool ?? false)
    }
}
