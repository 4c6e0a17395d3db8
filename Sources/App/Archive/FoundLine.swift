package import MediaTypes
import RoomProtocol

/// A line that a search has found.
package struct FoundLine: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Of the chat, as in `chat.jsonl`.
        case message, `private`, announcement, data, alert
        /// A chapter.
        case mark
        /// Of somebody who was there.
        case name
        /// The room's own words for itself.
        case room

        init(_ kind: ChatMessage.Kind) { self = Self(rawValue: kind.rawValue) ?? .message }
    }

    package var recording: ArchivedRecording
    package var at: TimelineTime
    package var kind: Kind
    /// Who has said it; nil for nobody.
    package var person: String?
    /// The words, and what stands around them.
    package var excerpt: String
}
