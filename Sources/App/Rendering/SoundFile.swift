import MediaEngines
import MediaTypes
import WebM

/// The file of a composite that is heard alone.
final class SoundFile {
    private enum Writer {
        case webM(WebMWriter)
        case ogg(OggOpusWriter)
    }

    private var writer: Writer
    private let output: any RenderOutput
    private(set) var length: Int64 = 0

    init(
        _ settings: RenderSettings, as container: RenderSettings.SoundContainer, preSkip: Int, output: any RenderOutput
    )
        throws
    {
        self.output = output
        switch container {
        case .webM:
            writer = .webM(
                WebMWriter(
                    info: SegmentInfo(title: settings.title, dateUTC: settings.origin),
                    tracks: [TrackEntry(number: 1, media: .opus(channels: 2, preSkip: preSkip))]))
        case .ogg:
            var comments: [OggOpusWriter.Comment] = []
            if !settings.title.isEmpty { comments.append(("TITLE", settings.title)) }
            if let origin = settings.origin { comments.append(("DATE", origin.iso8601)) }
            writer = .ogg(OggOpusWriter(channels: 2, preSkip: preSkip, serial: 1, comments: comments))
        }
        try perform()
    }

    func write(_ packets: [EncodedFrame]) throws {
        switch writer {
        case .webM(var webM):
            for packet in packets { webM.write(packet, track: 1) }
            writer = .webM(webM)
        case .ogg(let ogg): for packet in packets { ogg.write(packet) }
        }
        try perform()
    }

    func finish(duration: Duration, tags: [Tag], chapters: [Chapter]) throws {
        switch writer {
        case .webM(var webM):
            webM.finish(duration: duration, tags: tags, chapters: chapters)
            writer = .webM(webM)
        case .ogg(let ogg): ogg.finish(duration: duration)
        }
        try perform()
    }

    private func perform() throws {
        switch writer {
        case .webM(var webM):
            while let next = webM.nextOutput() {
                switch next {
                case .append(let bytes): try output.append(bytes)
                case .patch(let offset, let bytes): try output.patch(offset: offset, bytes)
                }
            }
            length = webM.length
            writer = .webM(webM)
        case .ogg(let ogg):
            let bytes = ogg.takeBytes()
            length += Int64(bytes.count)
            if !bytes.isEmpty { try output.append(bytes) }
        }
    }
}
