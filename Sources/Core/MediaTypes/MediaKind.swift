/// The two kinds of media that are recorded as tracks. Data channels are not tracks.
package enum MediaKind: String, Hashable, Sendable {
    case audio, video
}

/// Where a track's picture or sound comes from, in LiveKit's words.
package enum TrackSource: String, Hashable, CaseIterable, Sendable {
    case microphone, camera, screenShare = "screen-share", screenShareAudio = "screen-share-audio", unknown
}
