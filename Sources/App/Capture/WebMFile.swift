import MediaTypes
import Storage
import WebM

/// A WebM file on disk: what the writer puts out is done to the file.
///
/// After an error the file is what it was before, whole, and nothing more is written to it.
final class WebMFile {
    private let path: String
    private var writer: WebMWriter
    /// Nil when the file is finished: ended tracks hold no descriptor.
    private var file: AppendFile?

    init(creating path: String, info: SegmentInfo, track: TrackEntry) throws(StorageError) {
        self.path = path
        writer = WebMWriter(info: info, tracks: [track])
        file = try AppendFile(creating: path)
        do { try perform() } catch {
            // Not even the header: nothing would be in it.
            SmallFile.remove(path)
            throw error
        }
    }

    /// Bytes in the file.
    private(set) var length: Int64 = 0

    func write(_ frame: EncodedFrame) throws(StorageError) {
        writer.write(frame, track: writer.tracks[0].number)
        try perform()
    }

    func flush(upTo time: TimelineTime) throws(StorageError) {
        writer.flush(upTo: time)
        try perform()
    }

    func synchronize() throws(StorageError) { try file?.synchronize() }

    /// Finishes the file, brings it onto the disk and closes it.
    func finish(duration: Duration, tags: [Tag]) throws(StorageError) {
        writer.finish(duration: duration, tags: tags)
        try perform()
        try file?.synchronize()
        file = nil
    }

    /// Gives the finished file another duration.
    func amend(duration: Duration) throws(StorageError) {
        writer.amend(duration: duration)
        file = try AppendFile(reopening: path)
        try perform()
        file = nil
    }

    private func perform() throws(StorageError) {
        do {
            while let output = writer.nextOutput() {
                switch output {
                case .append(let bytes): try file?.append(bytes)
                case .patch(let offset, let bytes): try file?.patch(offset: offset, bytes)
                }
                length = file?.length ?? length
            }
        } catch {
            file = nil
            throw error
        }
    }
}
