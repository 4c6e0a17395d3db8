package import MediaTypes

/// A track that a participant publishes and the bot has subscribed to, from here on a track of the recording.
package struct TrackPublication: Hashable, Sendable {
    package var id: TrackID
    package var participant: ParticipantID
    package var kind: MediaKind
    package var source: TrackSource
    package var codec: Codec
    /// The room's own words for it ("screen"); empty when there are none.
    package var description: String
    /// The publisher's media section ("feed_mid" in Janus).
    package var publishedAs: MediaSectionID
    /// The subscriber's media section that carries it, until the track ends.
    package var section: MediaSectionID
    package init(
        id: TrackID, participant: ParticipantID, kind: MediaKind, source: TrackSource, codec: Codec,
        description: String,
        publishedAs: MediaSectionID, section: MediaSectionID
    ) {
        self.id = id
        self.participant = participant
        self.kind = kind
        self.source = source
        self.codec = codec
        self.description = description
        self.publishedAs = publishedAs
        self.section = section
    }
}
