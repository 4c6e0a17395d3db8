/// Something written in the room's chat.
package struct ChatMessage: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// Said to the whole room.
        case message
        /// Said to the bot alone ("whisper" in Janus).
        case privateMessage = "private"
        /// Said by the room itself.
        case announcement
        /// Text on a participant's own data channel.
        case data
        /// Said by callbot itself: that the connection to the room broke off, or is back.
        case alert
    }
    package var kind: Kind
    /// The sender's id in the chat (in Janus a TextRoom user name, or the feed id for data); nil for announcements and alerts.
    package var sender: String?
    /// The sender's display name as last known; nil when unknown.
    package var name: String?
    package var text: String
    /// The sender's or server's own time, as it was written in the message; nil when it had none.
    package var sentAt: String?
    /// Said before the bot came in, and handed over by the room as history.
    package var isHistory: Bool
    package init(
        kind: Kind, sender: String?, name: String?, text: String, sentAt: String? = nil, isHistory: Bool = false
    ) {
        self.kind = kind
        self.sender = sender
        self.name = name
        self.text = text
        self.sentAt = sentAt
        self.isHistory = isHistory
    }
}
