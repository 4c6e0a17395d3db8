package import MediaEngines
package import MediaTypes

/// What a composite looks and sounds like. Together with a recording it determines every picture and every sample.
package struct RenderSettings: Sendable {
    /// In pixels; both sides even, 16 to 8192.
    package var size = PixelSize(width: 1280, height: 720)
    /// Output ticks a second, 1 to 60.
    package var framesPerSecond = 25
    /// Bits a second.
    package var videoBitRate = 1_500_000
    /// `vp8` or `vp9`.
    package var codec = Codec.vp8
    /// Bits a second, of Opus in stereo.
    package var audioBitRate = 64_000
    /// Whether names are written on pictures. Avatars always bear theirs.
    package var hasLabels = true
    /// Whether whoever speaks has a frame.
    package var marksSpeakers = true
    /// Whether muted microphones and cameras are shown on tiles.
    package var hasBadges = true
    /// Of tiles, in pixels, 0 to 200.
    package var cornerRadius = 0
    /// Whether the wall time is shown; only where `origin` is known.
    package var hasClock = false
    /// Whether size and rate of each picture are written on it.
    package var hasStatistics = false
    package var background = Colour(0x101114)
    /// Fills the canvas behind the tiles; nil for the colour alone.
    package var backgroundPicture: StillPicture?
    package var layout = LayoutChoice()
    /// How long tiles take to glide to another place, more than zero; nil for a cut.
    package var animation: Duration?
    /// The call's name: in the file's header, and on the canvas while nobody is there. Empty for none.
    package var title = ""
    /// The wall time of the timeline's zero; nil to leave it out.
    package var origin: WallTime?

    /// Nil for picture and sound in WebM; else the sound alone, in this container.
    package var soundOnly: SoundContainer?

    package enum SoundContainer: Hashable, Sendable { case webM, ogg }

    package init() {}
}
