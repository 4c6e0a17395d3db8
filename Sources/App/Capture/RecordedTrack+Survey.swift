import MediaTypes
package import RecordingFormat
package import WebM

extension RecordedTrack {
    /// Takes over what its file holds.
    package mutating func take(_ content: SegmentSurvey.Track) {
        frames = content.frames
        bytes = content.bytes
        firstFrame = content.firstFrame
        lastFrame = content.lastFrame
        if content.kind == .audio, channels == nil { channels = content.channels }
        if content.kind == .video, sizes.isEmpty, let size = content.size, let first = content.firstFrame {
            sizes = [SizeChange(at: first, size: size)]
        }
    }
}
