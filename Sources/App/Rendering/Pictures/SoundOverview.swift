import MediaEngines
import MediaTypes
import RecordingFormat
import WebMReading

/// Measures how loud a call is over its time.
enum SoundOverview {
    /// Of the sound of a WebM file, decoded once.
    /// - Parameter progress: called with the time that it has come to; says whether to go on.
    /// - Returns: nil when the file has no sound, or it was told to stop.
    static func waveform(
        ofFile path: String, duration: Duration, progress: (TimelineTime) -> Bool
    ) throws -> Waveform? {
        let reader = try WebMReader(path: path)
        guard let track = reader.tracks.first(where: { $0.codec == .opus }) else { return nil }
        var waveform = Waveform(duration: duration)
        // Both sides together: half the work, and it is drawn as one.
        let decoder = try OpusDecoder(channels: 1)
        var samples: [Float] = []
        while let (number, frame) = try reader.nextFrame() {
            guard number == track.number else { continue }
            guard progress(frame.time) else { return nil }
            // A packet that cannot be decoded is silence.
            guard let count = try? decoder.decode(frame.payload, into: &samples) else { continue }
            waveform.add(
                samples[..<count], channels: 1, rate: OpusDecoder.sampleRate, at: frame.time - track.codecDelay)
        }
        return waveform
    }

    /// Of a recording's tracks, decoded and mixed.
    static func waveform(
        ofTracksIn folder: String, duration: Duration, progress: (TimelineTime) -> Bool
    ) throws -> Waveform? {
        let mixdown = try SoundMixdown(folder: folder, from: .zero)
        var waveform = Waveform(duration: duration)
        var position: Int64 = 0
        while let samples = mixdown.next() {
            let time = TimelineTime(microseconds: position * 1_000_000 / Int64(OpusDecoder.sampleRate))
            guard progress(time) else { return nil }
            waveform.add(samples[...], channels: 2, rate: OpusDecoder.sampleRate, at: time)
            position += Int64(samples.count / 2)
        }
        return waveform
    }
}
