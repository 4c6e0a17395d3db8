package import MediaTypes

/// What happened in the room, in the words of callbot and not of any one server. What the room client reports, the
/// journal keeps and the renderer looks at.
package enum RoomEvent: Hashable, Sendable {
    /// The bot is in the room, under this identity.
    case joined(Participant, roomDescription: String)
    case participantJoined(Participant)
    case participantLeft(ParticipantID, DepartureReason)
    case participantRenamed(ParticipantID, name: String)
    /// A participant offers a track. Subscribing follows by itself where the codec can be recorded.
    case trackPublished(ParticipantID, MediaKind, publishedAs: MediaSectionID, codec: Codec?)
    case trackUnpublished(ParticipantID, publishedAs: MediaSectionID)
    /// Media of this track may arrive from now on.
    case trackStarted(TrackPublication)
    /// No more media of this track will arrive.
    case trackEnded(TrackID)
    /// The room's owner silenced a track, or lifted that.
    case trackMuted(ParticipantID, publishedAs: MediaSectionID, isMuted: Bool)
    /// From now on the pictures of a track are to be turned in this way.
    case trackRotated(TrackID, PictureRotation)
    /// What the server says of a track being received or not (no packets for a while).
    case trackReceiving(TrackID, isReceiving: Bool)
    case speaking(ParticipantID, isSpeaking: Bool)
    /// Which layer of a simulcast track was asked for: what its place in the composite is worth.
    case layerRequested(TrackID, spatial: Int)
    /// The simulcast layer that the server now forwards.
    case layerForwarded(TrackID, spatial: Int?, temporal: Int?)
    case chat(ChatMessage)
    case chatJoined(id: String, name: String)
    case chatLeft(id: String)
    /// A chat message or data payload that was dropped: not UTF-8, or too large.
    case chatDropped(bytes: Int, reason: String)
    /// A chat is there and logged from now on, or it is not, and why.
    case chatAvailable(Bool, reason: String?)
    /// The connection to the room broke off, or is back.
    case connectionChanged(ConnectionState)
    /// Anything that an operator should read later: a slow link, an unknown event.
    case notice(String)
}

/// Why the stay in the room ended.
package enum RoomEnd: Hashable, Sendable {
    /// The bot left, as it was told to.
    case left
    case kicked
    case roomDestroyed
    /// Refused for good: asking again in the same way is useless.
    case refused(RoomRefusal, message: String)
    /// No connection to the server could be made: the name does not resolve, nobody listens, no answer in time.
    case unreachable(String)
    /// The server's certificate or its TLS was refused.
    case tlsFailed(String)
    /// The signalling connection or the server went away, after it had been there.
    case serverVanished(String)
    /// Media could not be connected, or the connection broke: ICE.
    case iceFailed(String)
    /// Media could not be secured: DTLS.
    case dtlsFailed(String)
    /// What answers does not speak the protocol.
    case notJanus(String)
}

/// What was refused.
package enum RoomRefusal: String, Hashable, Sendable {
    case noSuchRoom, wrongPin, unauthorized, roomFull, nameTaken, other
}
