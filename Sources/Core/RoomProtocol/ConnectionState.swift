/// How the bot's connection to the room is, where it is not simply there. After an interruption comes, in this order,
/// perhaps `lost`, and `restored` when the room is heard again.
package enum ConnectionState: String, Hashable, Sendable {
    /// Nothing has been heard of the room for more than 4 s.
    case interrupted
    /// Nothing has been heard of it for 10 s.
    case lost
    /// It is heard again.
    case restored

    /// As the chat's log has it.
    package var alert: String {
        switch self {
        case .interrupted: "Connection Interrupted"
        case .lost: "Connection Lost"
        case .restored: "Connection Restored"
        }
    }
}
