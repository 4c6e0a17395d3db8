import RoomProtocol

/// Knows which messages of the chat have been logged, for when the room hands over its history once more.
struct ChatMemory {
    private struct Key: Hashable {
        var sender: String?
        var text: String
        var sentAt: String?
    }

    /// Rooms keep far fewer.
    private static let most = 2000

    private var keys: Set<Key> = []
    private var order: [Key] = []

    /// Whether a message has not been seen before; remembered from then on.
    mutating func isNews(_ message: ChatMessage) -> Bool {
        let key = Key(sender: message.sender, text: message.text, sentAt: message.sentAt)
        guard keys.insert(key).inserted else { return !message.isHistory }
        order.append(key)
        if order.count > Self.most { keys.remove(order.removeFirst()) }
        return true
    }
}
