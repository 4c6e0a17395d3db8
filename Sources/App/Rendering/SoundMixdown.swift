import Composition
package import MediaTypes

/// The sound of a recording, everybody's, piece by piece: 48 kHz, two channels, interleaved.
package final class SoundMixdown {
    private let reader: RecordingReader
    private let end: TimelineTime
    private let from: TimelineTime
    private var time: TimelineTime
    private var tracks: [TrackID: SoundTrack] = [:]
    private var mixer: AudioMixer
    private var isFinished = false

    /// How much is mixed at a time.
    private static let step = Duration.milliseconds(100)

    /// - Parameters:
    ///   - from: where it begins.
    ///   - end: where it ends; nil for the recording's end.
    package init(folder: String, from: TimelineTime, to end: TimelineTime? = nil) throws {
        reader = try RecordingReader(folder: folder, kind: .audio)
        self.end = end ?? .zero + reader.duration
        self.from = from
        time = from
        mixer = AudioMixer(at: from.samplePosition)
    }

    /// What comes next; nil at the recording's end.
    package func next() -> [Float]? {
        guard !isFinished else { return nil }
        var mixed: [Float] = []
        while mixed.isEmpty, time < end {
            time = time + Self.step
            // What was before is not heard, but for the last bit, by which a decoder finds its feet.
            let earliest = from - .milliseconds(200)
            reader.read(before: time, event: { _, _ in }, control: { _, _ in }) { frame, id in
                guard frame.codec == .opus, frame.time >= earliest else { return }
                let track = tracks[id] ?? SoundTrack()
                tracks[id] = track
                track.append(frame)
            }
            for id in tracks.keys.sorted() { tracks[id]?.mix(before: time, into: &mixer) }
            let known = (time - SoundTrack.concealmentReach).samplePosition
            mixer.take(
                upTo: known - AudioPlacement.holdBack - AudioMixer.lookAhead - SoundTrack.senderDelay, into: &mixed)
        }
        guard mixed.isEmpty else { return mixed }
        isFinished = true
        for id in tracks.keys.sorted() { tracks[id]?.finish(into: &mixer) }
        mixer.take(upTo: end.samplePosition, into: &mixed)
        return mixed.isEmpty ? nil : mixed
    }
}
