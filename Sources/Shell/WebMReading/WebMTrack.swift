import CWebM
package import MediaTypes

/// A track as a WebM file declares it (RFC 9559 section 5.1.4.1).
package struct WebMTrack: Hashable, Sendable {
    package var number: Int
    package var kind: MediaKind
    /// As in the file: `A_OPUS`, `V_VP8`.
    package var codecID: String
    /// Nil for a codec that is not known here.
    package var codec: Codec?
    /// The picture's size in pixels, and the size to show it at; nil for sound.
    package var size: PixelSize?
    package var displaySize: PixelSize?
    /// Of sound; 0 for pictures.
    package var channels: Int
    /// Of sound, in Hz; 0 for pictures.
    package var samplingFrequency: Double
    package var codecPrivate: [UInt8]
    /// What players take off every time of this track.
    package var codecDelay: Duration
    package var seekPreRoll: Duration
    package var name: String
    package var language: String
}

/// One fact from a WebM file's tags.
package struct WebMTag: Hashable, Sendable {
    /// Nil for what is said of the whole file.
    package var trackUID: UInt64?
    package var name: String
    package var value: String

    package init(trackUID: UInt64?, name: String, value: String) {
        self.trackUID = trackUID
        self.name = name
        self.value = value
    }
}

/// A named part of a WebM file.
package struct WebMChapter: Hashable, Sendable {
    package var start: TimelineTime
    /// Nil when the file does not say.
    package var end: TimelineTime?
    package var title: String

    package init(start: TimelineTime, end: TimelineTime?, title: String) {
        self.start = start
        self.end = end
        self.title = title
    }
}

extension WebMTrack {
    /// Nil for what is neither sound nor picture, or has a number out of range.
    init?(_ track: cwebm_track) {
        guard let number = Int(exactly: track.number), track.is_audio != 0 || track.is_video != 0 else { return nil }
        let isVideo = track.is_video != 0
        self.number = number
        kind = isVideo ? .video : .audio
        codecID = String(cString: track.codec_id)
        codec = Self.codecs[codecID]
        size = isVideo ? PixelSize(width: Int(clamping: track.width), height: Int(clamping: track.height)) : nil
        displaySize =
            isVideo
            ? PixelSize(width: Int(clamping: track.display_width), height: Int(clamping: track.display_height)) : nil
        channels = isVideo ? 0 : Int(clamping: track.channels)
        samplingFrequency = isVideo ? 0 : track.sampling_frequency
        codecPrivate = [UInt8](UnsafeBufferPointer(start: track.codec_private, count: track.codec_private_size))
        codecDelay = .nanoseconds(Int64(clamping: track.codec_delay))
        seekPreRoll = .nanoseconds(Int64(clamping: track.seek_pre_roll))
        name = String(cString: track.name)
        language = String(cString: track.language)
    }

    private static let codecs: [String: Codec] = ["A_OPUS": .opus, "V_VP8": .vp8, "V_VP9": .vp9, "V_AV1": .av1]
}
