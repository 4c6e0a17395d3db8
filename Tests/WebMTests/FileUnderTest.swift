import MediaTypes
import WebM
import WebMReading

/// A file in memory, made of a writer's outputs, which remembers where each append ended.
struct FileUnderTest {
    private(set) var bytes: [UInt8] = []
    private(set) var appendEnds: [Int] = []
    /// The file's bytes after every output.
    private(set) var states: [[UInt8]] = []

    mutating func take(from writer: inout WebMWriter) {
        while let output = writer.nextOutput() {
            switch output {
            case .append(let more):
                bytes += more
                appendEnds.append(bytes.count)
            case .patch(let offset, let patch):
                bytes.replaceSubrange(Int(offset)..<Int(offset) + patch.count, with: patch)
            }
            states.append(bytes)
        }
    }
}

extension FileUnderTest {
    /// Lets go of a writer's outputs.
    func discard(from writer: inout WebMWriter) { while writer.nextOutput() != nil {} }
}

/// What a reader finds in a file.
struct ReadFile {
    var frames: [(track: Int, frame: EncodedFrame)] = []
    var reader: WebMReader

    init(_ bytes: [UInt8]) throws {
        reader = try WebMReader(bytes: bytes)
        while let next = try reader.nextFrame() { frames.append(next) }
    }

    func times(ofTrack number: Int) -> [Int64] {
        frames.filter { $0.track == number }.map { $0.frame.time.milliseconds }
    }
}

let opusTrack = TrackEntry(number: 1, media: .opus(channels: 2, preSkip: 0), name: "Åsa 🎤")
let vp8Track = TrackEntry(
    number: 2, media: .video(.vp8, pixels: PixelSize(width: 640, height: 360), display: nil), name: "camera")

func sound(at milliseconds: Int64, bytes: Int = 40) -> EncodedFrame {
    let payload: [UInt8] = [0xFC] + (1..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(milliseconds)) }
    return EncodedFrame(
        codec: .opus, time: TimelineTime(microseconds: milliseconds * 1000), duration: .milliseconds(20),
        isKeyframe: true,
        payload: payload)
}

/// Not a picture that could be decoded, but one that says its kind as VP8 does (RFC 6386 section 9.1).
func picture(at milliseconds: Int64, isKeyframe: Bool = false, bytes: Int = 300) -> EncodedFrame {
    let start: [UInt8] = isKeyframe ? [0x10, 0x02, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01] : [0x11, 0x02, 0]
    return EncodedFrame(
        codec: .vp8, time: TimelineTime(microseconds: milliseconds * 1000), isKeyframe: isKeyframe,
        payload: start + [UInt8](repeating: 0x5A, count: bytes - start.count))
}
