import MediaTypes
import Storage
import WebM

/// A WebM file on disk: what the writer puts out is done to the file.
///
/// After an error the file is what it was before, whole, and nothing more is written to it. When only the space was
/// missing, what is to be written waits for the next try.
final class WebMFile {
    /// Bytes that wait for space at most.
    static let patience: Int64 = 16 << 20

    private let path: String
    /// Nil when the file is finished: then it takes little memory.
    private var writer: WebMWriter?
    /// Where the file says how long it is.
    let durationOffset: Int64
    private let track: Int
    /// Nil when the file is finished: ended tracks hold no descriptor.
    private var file: AppendFile?
    /// What comes next, while it has not been written.
    private var next: WebMWriter.Output?
    /// Whether no more frames can be written.
    private(set) var isEnding = false
    /// Whether there was no space at the last try, and there may be at the next.
    private(set) var isWaitingForSpace = false
    private var synchronizable: SynchronizableFile?
    private var isChanged = false

    init(creating path: String, info: SegmentInfo, track: TrackEntry) throws(StorageError) {
        self.path = path
        let writer = WebMWriter(info: info, tracks: [track])
        self.writer = writer
        self.track = track.number
        durationOffset = writer.durationOffset
        let created = try AppendFile(creating: path)
        file = created
        synchronizable = created.synchronizable
        do { try perform() } catch {
            // Not even the header: nothing would be in it.
            SmallFile.remove(path)
            throw error
        }
    }

    /// Bytes in the file.
    private(set) var length: Int64 = 0

    func write(_ frame: EncodedFrame) throws(StorageError) {
        writer?.write(frame, track: track)
        try perform()
    }

    func flush(upTo time: TimelineTime) throws(StorageError) {
        writer?.flush(upTo: time)
        try perform()
    }

    /// The file, if it has changed since this was asked last.
    func takeSynchronizable() -> SynchronizableFile? {
        guard isChanged else { return nil }
        isChanged = false
        defer { if file == nil { synchronizable = nil } }
        return synchronizable
    }

    /// Finishes the file and closes it. Where space is missing it can be tried again.
    func finish(duration: Duration, tags: [Tag]) throws(StorageError) {
        if isEnding { writer?.amend(duration: duration) } else { writer?.finish(duration: duration, tags: tags) }
        isEnding = true
        isWaitingForSpace = false
        try perform()
        (file, writer) = (nil, nil)
    }

    /// Gives the finished file another duration.
    func amend(duration: Duration) throws(StorageError) {
        synchronizable = try Self.amend(path, durationOffset: durationOffset, to: duration)
        isChanged = true
    }

    /// Gives a finished file another duration. Returns the file, which is not on the disk yet.
    static func amend(
        _ path: String, durationOffset: Int64, to duration: Duration
    ) throws(StorageError) -> SynchronizableFile {
        let file = try AppendFile(reopening: path)
        if case .patch(let offset, let bytes) = WebMWriter.amendment(duration: duration, at: durationOffset) {
            try file.patch(offset: offset, bytes)
        }
        return file.synchronizable
    }

    /// Throws for the first of several failures in a row.
    private func perform() throws(StorageError) {
        do {
            while let output = next ?? writer?.nextOutput() {
                next = output
                isChanged = true
                switch output {
                case .append(let bytes): try file?.append(bytes)
                case .patch(let offset, let bytes): try file?.patch(offset: offset, bytes)
                }
                next = nil
                length = file?.length ?? length
            }
            isWaitingForSpace = false
        } catch {
            let wasWaiting = isWaitingForSpace
            isWaitingForSpace = error.cause == .noSpace && (writer?.length ?? length) - length <= Self.patience
            if !isWaitingForSpace { file = nil }
            if !wasWaiting || !isWaitingForSpace { throw error }
        }
    }
}
