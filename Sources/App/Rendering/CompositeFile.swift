import MediaTypes
import WebM

/// The WebM file of a composite: both tracks' frames in the order of time.
final class CompositeFile {
    private static let pictureNumber = 1
    private static let soundNumber = 2

    private var writer: WebMWriter
    private let output: any RenderOutput
    /// Pictures that wait for the sound before them.
    private var waiting: [EncodedFrame] = []

    var length: Int64 { writer.length }

    init(_ settings: RenderSettings, preSkip: Int, output: any RenderOutput) throws {
        self.output = output
        guard let codec = VideoCodecID(settings.codec) else {
            preconditionFailure("a composite is encoded as VP8 or VP9")
        }
        writer = WebMWriter(
            info: SegmentInfo(title: settings.title, dateUTC: settings.origin),
            tracks: [
                TrackEntry(
                    number: Self.pictureNumber, media: .video(codec, pixels: settings.size, display: nil)),
                TrackEntry(number: Self.soundNumber, media: .opus(channels: 2, preSkip: preSkip)),
            ])
        try perform()
    }

    /// Writes frames; `complete` is how far the sound is, nil when there will be no more.
    func write(pictures: [EncodedFrame], sound: [EncodedFrame], upTo complete: TimelineTime?) throws {
        waiting += pictures
        var next = 0
        for packet in sound {
            while next < waiting.count, waiting[next].time <= packet.time {
                writer.write(waiting[next], track: Self.pictureNumber)
                next += 1
            }
            writer.write(packet, track: Self.soundNumber)
        }
        while next < waiting.count, complete.map({ waiting[next].time <= $0 }) ?? true {
            writer.write(waiting[next], track: Self.pictureNumber)
            next += 1
        }
        waiting.removeFirst(next)
        // What is drawn is in the file: a process that is killed loses none of it.
        writer.flush(upTo: TimelineTime(microseconds: .max / 2))
        try perform()
    }

    func finish(duration: Duration, tags: [Tag], chapters: [Chapter]) throws {
        writer.finish(duration: duration, tags: tags, chapters: chapters)
        try perform()
    }

    private func perform() throws {
        while let next = writer.nextOutput() {
            switch next {
            case .append(let bytes): try output.append(bytes)
            case .patch(let offset, let bytes): try output.patch(offset: offset, bytes)
            }
        }
    }
}
