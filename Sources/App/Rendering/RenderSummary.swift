import MediaTypes

/// What became of a rendering.
package struct RenderSummary: Sendable {
    package var duration: Duration
    /// Bytes of the file.
    package var bytes: Int64 = 0
    /// Pictures in the file; ticks at which nothing had changed have none.
    package var pictures = 0
    package var soundPackets = 0
    /// Frames that no picture or sound could be decoded from.
    package var undecodableFrames = 0
    /// Lost packets of sound that were concealed.
    package var concealedPackets = 0
    /// Samples that came too late for the mix.
    package var lateSamples: Int64 = 0
    /// A JPEG of a moment at which many people could be seen; nil when there was no tick at all.
    package var poster: [UInt8]?
}
