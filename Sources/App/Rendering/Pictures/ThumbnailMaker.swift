import MediaEngines
import MediaTypes
import RecordingFormat
import Storage
import WebM
import WebMReading

/// Makes the thumbnails of a WebM file, and a poster on the way. Decodes the keyframe nearest to what is wanted, and what
/// follows it only where keyframes are farther apart than thumbnails.
final class ThumbnailMaker {
    enum Failure: Error, Hashable, CustomStringConvertible {
        case unreadable
        case stopped

        var description: String {
            switch self {
            case .unreadable: "it is no whole WebM file; 'callbot repair' may help"
            case .stopped: "it was stopped"
            }
        }
    }

    let sheet: ThumbnailSheet
    private let reader: WebMReader
    private let track: WebMTrack
    /// Where decoding can start, in the order of time.
    private let starts: [SegmentIndex.Start]
    private let decoder: VPXDecoder
    private let canvas: Canvas
    private let poster: (chooser: PosterChooser, canvas: Canvas)?

    /// From where on it is decoded, and what comes next in the file.
    private var start: SegmentIndex.Start?
    private var next: EncodedFrame?

    /// Nil for a file without pictures that can be decoded.
    /// - Parameters:
    ///   - duration: of the call; nil for what the file says.
    ///   - wantsPoster: whether a poster is made, too.
    init?(file path: String, duration: Duration?, wantsPoster: Bool) throws {
        let file = try ReadableFile(path)
        var index = SegmentIndex()
        try index.extend(to: file.length) { (offset, count) throws(StorageError) in
            try file.read(at: offset, count: count)
        }
        guard index.isPlain, index.head != nil else { throw Failure.unreadable }
        reader = try WebMReader(path: path)
        guard let track = reader.tracks.first(where: { $0.kind == .video }), let size = track.size,
            let codec = track.codec, let duration = duration ?? reader.duration,
            let sheet = ThumbnailSheet(of: size, duration: duration)
        else { return nil }
        guard let decoder = try? VPXDecoder(codec) else { return nil }
        self.decoder = decoder
        self.track = track
        self.sheet = sheet
        starts = index.starts.filter { $0.track == UInt64(track.number) }.sorted { $0.time < $1.time }
        canvas = Canvas(size: sheet.size)
        let isDrawable = size.width <= 7680 && size.height <= 7680
        poster = wantsPoster && isDrawable ? (PosterChooser(size: size), Canvas(size: size)) : nil
    }

    /// Draws them all.
    /// - Parameter progress: called with the share that is done, 0 to 1; says whether to go on.
    func draw(progress: (Double) -> Bool) throws {
        for index in 0..<sheet.count {
            let share = Double(index) / Double(sheet.count)
            guard try show(sheet.moment(index), notBefore: sheet.part(index).lowerBound, goesOn: { progress(share) }),
                let picture = decoder.picture
            else { continue }
            canvas.draw(picture, into: sheet.region(index))
            guard let poster else { continue }
            poster.canvas.draw(picture, into: PixelRectangle(poster.canvas.size))
            poster.chooser.consider(poster.canvas, pictures: cells(of: poster.canvas.size), at: sheet.moment(index))
        }
    }

    func jpeg() throws -> [UInt8] { try PictureFile.jpeg(canvas, quality: 75) }

    /// Nil where none was asked for, or nothing was drawn.
    func posterJPEG() throws -> [UInt8]? { try poster?.chooser.jpeg() }

    /// Parts of the picture, each of which may show somebody.
    private func cells(of size: PixelSize) -> [PixelRectangle] {
        let (width, height) = (size.width / 4, size.height / 4)
        return (0..<16).map { PixelRectangle(x: $0 % 4 * width, y: $0 / 4 * height, width: width, height: height) }
    }

    /// Has the decoder show a moment, or the last keyframe before it that is not before `earliest`.
    /// - Parameter goesOn: asked for every frame that is decoded.
    /// - Returns: whether there is such a picture.
    private func show(
        _ moment: TimelineTime, notBefore earliest: TimelineTime, goesOn: () -> Bool
    ) throws -> Bool {
        let following = starts.partitioningIndex { $0.time > moment }
        guard following > 0 else { return false }
        let nearest = starts[following - 1]
        if nearest != start {
            reader.seek(to: nearest.offset)
            (start, next) = (nearest, nil)
        }
        // The keyframe alone will do where it is of the same part of the call.
        let end = nearest.time >= earliest ? nearest.time : moment
        while let frame = try frame(), frame.time <= end {
            guard goesOn() else { throw Failure.stopped }
            next = nil
            // What is broken does not show; what follows the next keyframe does.
            _ = try? decoder.decode(frame.payload)
        }
        return decoder.picture != nil
    }

    /// The frame of the picture's track that comes next; nil at the file's end.
    private func frame() throws -> EncodedFrame? {
        while next == nil {
            guard let (number, frame) = try reader.nextFrame() else { return nil }
            if number == track.number { next = frame }
        }
        return next
    }
}

extension Array {
    /// The first index at which something holds that holds for all that follow.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
