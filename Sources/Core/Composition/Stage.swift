package import MediaTypes

/// Who can be seen and heard at one moment, in order of arrival: all that a layout may look at.
package struct Stage: Hashable, Sendable {
    package var people: [Person]
    package init(people: [Person]) { self.people = people }

    /// Somebody in the room with the pictures that they send at this moment. The bot itself is never on stage.
    package struct Person: Hashable, Sendable {
        package var id: ParticipantID
        /// The display name; empty when the room gave none.
        package var name: String
        /// The camera's live picture; nil while it is off, muted, silent, or has sent no whole picture yet.
        package var camera: Picture?
        /// Screens, and cameras after the first, that have a picture; in the order in which they began.
        package var furtherPictures: [Picture]
        package var isSpeaking: Bool
        /// Whether they have a microphone and muted it.
        package var isMicrophoneMuted: Bool
        /// Whether they have a camera and muted it, which is more than its picture missing.
        package var isCameraMuted: Bool
        /// Whether any picture of theirs has been on stage since they arrived.
        package var hasBeenSeen: Bool
        /// Whether they send anything at this moment, sound or picture, muted or not.
        package var hasTracks: Bool

        package init(
            id: ParticipantID, name: String, camera: Picture? = nil, furtherPictures: [Picture] = [],
            isSpeaking: Bool = false, isMicrophoneMuted: Bool = false, isCameraMuted: Bool = false,
            hasBeenSeen: Bool = true, hasTracks: Bool = true
        ) {
            self.id = id
            self.name = name
            self.camera = camera
            self.furtherPictures = furtherPictures
            self.isSpeaking = isSpeaking
            self.isMicrophoneMuted = isMicrophoneMuted
            self.isCameraMuted = isCameraMuted
            self.hasBeenSeen = hasBeenSeen
            self.hasTracks = hasTracks
        }
    }

    /// A track that has a picture to show.
    package struct Picture: Hashable, Sendable {
        package var track: TrackID
        package var source: TrackSource
        /// The picture's size as the last keyframe gave it; nil when it did not say.
        package var size: PixelSize?

        package init(track: TrackID, source: TrackSource, size: PixelSize? = nil) {
            self.track = track
            self.source = source
            self.size = size
        }
    }
}
