package import MediaTypes

/// Somebody in the room, the bot among them.
package struct Participant: Hashable, Sendable {
    package var id: ParticipantID
    /// The display name; empty when the room gave none.
    package var name: String
    package init(id: ParticipantID, name: String) {
        self.id = id
        self.name = name
    }
}

/// Why somebody is no longer in the room.
package enum DepartureReason: String, Sendable {
    /// Left by their own will.
    case quit
    /// Vanished: the server waited for them in vain.
    case dropped
    /// Removed by the room's owner.
    case kicked
}
