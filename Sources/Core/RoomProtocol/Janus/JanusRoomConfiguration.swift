package import MediaTypes

/// A room's id in Janus: servers number their rooms, or name them when they are set up with string ids.
package enum JanusRoomID: Hashable, Sendable, CustomStringConvertible {
    case number(UInt64)
    case string(String)

    /// As it stands in an address: digits are a number. A server with string ids that is asked for a number says so, and
    /// is then asked again for the same digits as a name.
    package init(_ text: String) {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        self = (isNumber ? UInt64(text) : nil).map(JanusRoomID.number) ?? .string(text)
    }

    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .string(let string): string
        }
    }
}

/// How the bot enters a Janus room.
package struct JanusRoomConfiguration: Hashable, Sendable {
    /// Which TextRoom is the room's chat.
    package enum TextRoom: Hashable, Sendable {
        /// The one with the VideoRoom's id.
        case sameRoom
        case room(JanusRoomID)
        case none
    }

    package var room: JanusRoomID
    /// The name under which the bot is listed.
    package var displayName: String
    package var pin: String?
    /// The room's own token, for rooms with a list of who may join.
    package var roomToken: String?
    /// The server's token, stored or signed, sent with each request.
    package var token: String?
    /// The server's API secret, sent with each request.
    package var apiSecret: String?
    package var textRoom = TextRoom.sameRoom
    package var textPin: String?
    /// The bot's own id in the room; nil: the server gives one.
    package var participantID: ParticipantID?
    /// Codecs that can be recorded; tracks in others are not subscribed to.
    package var acceptedCodecs: Set<Codec>
    /// Whether the participants' own data channels are subscribed to.
    package var takesData = true
    /// The number of the first track: a later stay of the same recording goes on counting.
    package var firstTrack = 1
    /// Must be less than the server's session timeout, which is 60 s unless configured.
    package var keepaliveInterval: Duration = .seconds(10)
    /// How long an answer may take on the way into the room.
    package var requestTimeout: Duration = .seconds(10)
    /// How long an answer may take in the room: a network that is cut for a while brings all of it later.
    package var stayTimeout: Duration = .seconds(60)

    package init(room: JanusRoomID, displayName: String, acceptedCodecs: Set<Codec> = [.opus, .vp8]) {
        self.room = room
        self.displayName = displayName
        self.acceptedCodecs = acceptedCodecs
    }
}
