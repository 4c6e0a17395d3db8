package import MediaTypes
package import RoomProtocol

/// A track of a recording and its file.
package struct RecordedTrack: Hashable, Sendable {
    package struct SizeChange: Hashable, Sendable {
        package var at: TimelineTime
        package var size: PixelSize
        package init(at: TimelineTime, size: PixelSize) {
            self.at = at
            self.size = size
        }
    }

    /// Frames that arrived and are not in the file.
    package struct Dropped: Hashable, Sendable {
        /// Captured before the recording's origin.
        package var beforeOrigin = 0
        /// Of a picture that nothing could be decoded of yet.
        package var beforeKeyframe = 0
        /// After the file was closed: the track had ended, or writing had failed.
        package var afterEnd = 0
        package init() {}
        package var total: Int { beforeOrigin + beforeKeyframe + afterEnd }
    }

    package var id: TrackID
    package var participant: ParticipantID
    package var kind: MediaKind
    package var source: TrackSource
    package var codec: Codec
    package var description: String
    package var publishedAs: MediaSectionID
    /// When media could arrive from, and until when; nil until it has ended.
    package var started: TimelineTime
    package var ended: TimelineTime?
    /// The file within the recording's folder; nil when there was no frame to write.
    package var file: String?
    /// Of the first and the last frame in the file, to the millisecond.
    package var firstFrame: TimelineTime?
    package var lastFrame: TimelineTime?
    package var frames = 0
    /// Of the frames, without the container.
    package var bytes: Int64 = 0
    package var dropped = Dropped()
    /// Of sound; nil for pictures.
    package var channels: Int?
    /// The pictures' sizes, one entry for every change; empty for sound.
    package var sizes: [SizeChange] = []
    /// Why writing stopped early; nil when it did not.
    package var failure: String?

    package init(_ publication: TrackPublication, started: TimelineTime) {
        id = publication.id
        participant = publication.participant
        kind = publication.kind
        source = publication.source
        codec = publication.codec
        description = publication.description
        publishedAs = publication.publishedAs
        self.started = started
    }
}
