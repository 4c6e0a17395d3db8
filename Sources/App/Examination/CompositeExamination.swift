import MediaEngines
import MediaTypes
import RecordingFormat
import WebMReading

/// Reads the composite whole and decodes it.
struct CompositeExamination {
    var folder: String
    var manifest: RecordingManifest
    /// How many chapters there should be.
    var marks: Int

    func findings(progress: (Double) -> Void) -> [Finding] {
        do {
            return try flaws(progress).map { Finding(FileNaming.composite, $0) }
        } catch { return [Finding(FileNaming.composite, "it cannot be read")] }
    }

    private func flaws(_ progress: (Double) -> Void) throws -> [String] {
        let reader = try WebMReader(path: folder + "/" + FileNaming.composite)
        let length = manifest.duration?.seconds ?? 0
        var last: [Int: TimelineTime] = [:]
        var counts: [MediaKind: Int] = [:]
        var (backward, undecodable) = (0, 0)
        let sound = try OpusDecoder(channels: 2)
        var pictures: VPXDecoder?
        var samples: [Float] = []
        while let (track, frame) = try reader.nextFrame() {
            if let before = last[track], frame.time < before { backward += 1 }
            last[track] = frame.time
            counts[frame.codec.kind, default: 0] += 1
            do {
                if frame.codec == .opus {
                    _ = try sound.decode(frame.payload, into: &samples)
                } else {
                    let decoder = try pictures ?? VPXDecoder(frame.codec)
                    pictures = decoder
                    _ = try decoder.decode(frame.payload)
                }
            } catch { undecodable += 1 }
            if length > 0 { progress(min(1, frame.time.seconds / length)) }
        }
        var texts: [String] = []
        if backward > 0 { texts.append("\(backward) frames are earlier than the one before") }
        if undecodable > 0 { texts.append("\(undecodable) frames cannot be decoded") }
        guard manifest.state == .finished else { return texts }
        texts += reader.flaws(duration: manifest.duration, hasFrames: !counts.isEmpty)
        if length > 1 {
            for kind in [MediaKind.audio, .video] where counts[kind] == nil {
                texts.append("it has no \(kind.rawValue)")
            }
        }
        if reader.chapters.count != marks {
            texts.append("it has \(reader.chapters.count) chapters, and the journal \(marks) marks")
        }
        return texts
    }
}
