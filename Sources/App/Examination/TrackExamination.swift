import Glibc
import MediaEngines
import MediaTypes
import RecordingFormat
import WebMReading

/// Reads one track's file, frame by frame, and decodes it if asked to.
final class TrackExamination {
    let id: TrackID
    private(set) var isOver = false
    private(set) var lastFrame: TimelineTime?

    private let track: RecordedTrack
    private let file: String
    private let decodes: Bool
    private var reader: WebMReader?
    private var next: EncodedFrame?
    private var firstFrame: TimelineTime?
    private var frames = 0
    private var bytes: Int64 = 0
    private var backward = 0
    private var foreign = 0
    private var undecodable = 0
    private var firstIsKeyframe = true
    private var sizes: [PixelSize] = []
    private var sound: OpusDecoder?
    private var samples: [Float] = []
    private var pictures: VPXDecoder?
    private var nextLook = TimelineTime.zero
    private var failure: String?

    init(_ track: RecordedTrack, path: String, decodes: Bool) {
        self.track = track
        id = track.id
        file = track.file ?? ""
        self.decodes = decodes
        do { reader = try WebMReader(path: path) } catch {
            failure = "it cannot be read"
            isOver = true
        }
    }

    /// Hands every frame before a moment to a builder.
    func read(before time: TimelineTime, into builder: inout ReportBuilder) {
        while !isOver {
            if next == nil { fetch() }
            guard let frame = next, frame.time < time else { return }
            take(frame, into: &builder)
            next = nil
        }
    }

    private func fetch() {
        do {
            repeat {
                next = try reader?.nextFrame()?.frame
            } while next.map { OpusSilence.isFiller($0.payload) } ?? false
        } catch {
            failure = "it cannot be read beyond \(lastFrame.map { "\($0.seconds) s" } ?? "its beginning")"
            next = nil
        }
        if next == nil { isOver = true }
    }

    private func take(_ frame: EncodedFrame, into builder: inout ReportBuilder) {
        if frames == 0 { firstIsKeyframe = frame.isKeyframe }
        frames += 1
        bytes += Int64(frame.payload.count)
        firstFrame = firstFrame ?? frame.time
        if let lastFrame, frame.time < lastFrame { backward += 1 }
        lastFrame = max(lastFrame ?? frame.time, frame.time)
        if frame.codec != track.codec { foreign += 1 }
        builder.frame(frame, of: id, level: decodes ? hear(frame) : nil)
        if decodes, frame.codec.kind == .video, let look = see(frame) {
            builder.look(look, of: id, at: frame.time, by: .decoding)
        }
    }

    private func hear(_ frame: EncodedFrame) -> SoundLevel? {
        guard frame.codec == .opus else { return nil }
        do {
            let decoder = try sound ?? OpusDecoder(channels: 1)
            sound = decoder
            let count = try decoder.decode(frame.payload, into: &samples)
            guard count > 0 else { return nil }
            return SoundLevel(decibels: samples[..<count].decibels, isStated: false)
        } catch {
            undecodable += 1
            return nil
        }
    }

    private func see(_ frame: EncodedFrame) -> PictureLook? {
        do {
            let decoder = try pictures ?? VPXDecoder(frame.codec)
            pictures = decoder
            guard let picture = try decoder.decode(frame.payload) else { return nil }
            if frame.isKeyframe, picture.size != sizes.last { sizes.append(picture.size) }
            guard frame.time >= nextLook else { return nil }
            nextLook = frame.time + .seconds(1)
            return picture.look
        } catch {
            undecodable += 1
            return nil
        }
    }

    /// Brings the manifest's account up to what the file holds, of a recording that was cut short.
    func amend(_ track: inout RecordedTrack) {
        track.frames = frames
        track.bytes = bytes
        track.firstFrame = firstFrame
        track.lastFrame = lastFrame
    }

    /// What does not hold, when all has been read.
    func findings(in manifest: RecordingManifest) -> [Finding] {
        var texts = failure.map { [$0] } ?? []
        if backward > 0 { texts.append("\(backward) frames are earlier than the one before") }
        if foreign > 0 { texts.append("\(foreign) frames are not \(track.codec.rawValue)") }
        if undecodable > 0 { texts.append("\(undecodable) of \(frames) frames cannot be decoded") }
        if track.kind == .video, frames > 0, !firstIsKeyframe { texts.append("it does not begin with a keyframe") }
        if manifest.state == .finished { texts += disagreements(with: manifest) }
        return texts.map { Finding(file, $0) }
    }

    private func disagreements(with manifest: RecordingManifest) -> [String] {
        guard failure == nil else { return [] }
        var texts: [String] = []
        func compare<Value: Equatable>(_ what: String, _ found: Value, _ told: Value) {
            if found != told { texts.append("\(what): \(found) here, \(told) in the manifest") }
        }
        compare("frames", frames, track.frames)
        compare("bytes of frames", bytes, track.bytes)
        compare("first frame", firstFrame?.milliseconds ?? -1, track.firstFrame?.milliseconds ?? -1)
        compare("last frame", lastFrame?.milliseconds ?? -1, track.lastFrame?.milliseconds ?? -1)
        if decodes, track.kind == .video, undecodable == 0 { compare("sizes", sizes, track.sizes.map(\.size)) }
        // Where writing failed, the file is left as it was.
        guard track.failure == nil, let reader else { return texts }
        texts += reader.flaws(duration: manifest.duration, hasFrames: frames > 0)
        return texts
    }
}

extension WebMReader {
    /// What is wrong with a finished file that has been read to its end.
    func flaws(duration: Duration?, hasFrames: Bool) -> [String] {
        var texts: [String] = []
        if !isComplete || isTruncated { texts.append("it is not complete") }
        if hasFrames, cueCount == 0 { texts.append("it has no cues, so players cannot seek") }
        if let duration {
            let own = self.duration ?? .zero
            if abs(own.microseconds - duration.microseconds) > 1000 {
                texts.append("it lasts \(own.inSeconds) s, the recording \(duration.inSeconds) s")
            }
        }
        return texts
    }
}

extension ArraySlice<Float> {
    /// Their power in dBov.
    var decibels: Double {
        let power = reduce(0) { $0 + Double($1) * Double($1) } / Double(count)
        return power > 0 ? Swift.max(-127, 10 * log10(power)) : -127
    }
}
