import MediaTypes
import RecordingFormat
import Storage
import WebM

/// One track of the recording: its file, and the account of what went into it.
final class TrackCapture {
    private enum State {
        /// No frame yet that a file could begin with. Next: open, ended, failed.
        case waiting
        /// Frames are being written. Next: finished, failed.
        case open(WebMFile)
        /// The track has ended and its file is complete.
        case finished(WebMFile)
        /// The track has ended without a file.
        case empty
        /// Writing failed; what is in the file stays, without the trailer.
        case failed(WebMFile?)
    }

    /// Frames come at most so late: what is silent for longer is so for good.
    private static let lateness = Duration.seconds(3)

    private(set) var recorded: RecordedTrack
    private var state = State.waiting
    /// Up to where there is sound in the file, silence included; nil before the first frame, and for pictures.
    private var soundEnd: TimelineTime?

    init(_ recorded: RecordedTrack) { self.recorded = recorded }

    /// What the file and its tags say of the track.
    struct Labels {
        var participantName: String
        var roomAddress: String
        var origin: WallTime
    }

    private var labels = Labels(participantName: "", roomAddress: "", origin: WallTime(microseconds: 0))

    /// Bytes of the file; nil when there is none.
    var fileLength: Int64? {
        switch state {
        case .open(let file), .finished(let file), .failed(let file?): file.length
        case .waiting, .empty, .failed(nil): nil
        }
    }

    /// The file as the manifest lists it; nil when there is none.
    var file: RecordingFile? {
        guard let path = recorded.file, let length = fileLength else { return nil }
        return RecordingFile(path: path, kind: .track, bytes: length)
    }

    /// Writes a frame, or counts it among the dropped. Returns whether a file was made for it.
    func write(_ frame: EncodedFrame, in folder: String, labels: @autoclosure () -> Labels) throws(StorageError) -> Bool
    {
        guard frame.time.milliseconds >= 0 else {
            recorded.dropped.beforeOrigin += 1
            return false
        }
        switch state {
        case .waiting:
            guard recorded.kind == .audio || frame.isKeyframe else {
                recorded.dropped.beforeKeyframe += 1
                return false
            }
            guard let entry = entry(for: frame, name: labels().participantName) else {
                // A codec that WebM does not carry, which is not subscribed to.
                recorded.dropped.afterEnd += 1
                return false
            }
            self.labels = labels()
            let wasFailing = recorded.failure != nil
            do {
                try guarding { () throws(StorageError) in
                    let file = try create(in: folder, entry)
                    state = .open(file)
                    try write(frame, to: file)
                }
            } catch {
                if case .waiting = state { recorded.dropped.beforeKeyframe += 1 }
                if case .waiting = state, wasFailing { return false }
                throw error
            }
            recorded.failure = nil
            return true
        case .open(let file) where !file.isEnding:
            try guarding { () throws(StorageError) in try write(frame, to: file) }
            return false
        case .open, .finished, .empty, .failed:
            recorded.dropped.afterEnd += 1
            return false
        }
    }

    func flush(upTo time: TimelineTime) throws(StorageError) {
        guard case .open(let file) = state else { return }
        try guarding { () throws(StorageError) in
            try fill(to: min(time - Self.lateness, recorded.ended ?? time), in: file)
            try file.flush(upTo: time)
        }
    }

    /// The track's file, if it has changed since this was asked last.
    func takeSynchronizable() -> SynchronizableFile? {
        switch state {
        case .open(let file), .finished(let file), .failed(let file?): file.takeSynchronizable()
        case .waiting, .empty, .failed(nil): nil
        }
    }

    /// No more media is expected after this moment, though some may be on its way.
    func end(at time: TimelineTime) { recorded.ended = recorded.ended ?? time }

    var isFinished: Bool {
        switch state {
        case .waiting, .open: false
        case .finished, .empty, .failed: true
        }
    }

    /// Where the complete file says how long it is; nil when there is none.
    var durationOffset: Int64? { if case .finished(let file) = state { file.durationOffset } else { nil } }

    /// Completes the file with this duration; a file that is complete already gets the new duration.
    func finish(duration: Duration) throws(StorageError) {
        switch state {
        case .waiting:
            state = .empty
        case .open(let file):
            try guarding { () throws(StorageError) in
                try fill(to: min(recorded.ended ?? .zero + duration, .zero + duration), in: file)
                try file.finish(duration: duration, tags: tags)
                state = .finished(file)
            }
        case .finished(let file):
            try guarding { () throws(StorageError) in try file.amend(duration: duration) }
        case .empty, .failed:
            break
        }
    }

    /// What still waits to be written is given up, for this reason.
    func abandon(_ reason: String) {
        guard case .open(let file) = state else { return }
        recorded.failure = reason
        state = .failed(file)
    }

    private func create(in folder: String, _ entry: TrackEntry) throws(StorageError) -> WebMFile {
        let name = FileNaming.file(of: recorded, participantName: labels.participantName)
        try Folder.createMissing(folder + "/" + FileNaming.tracksFolder)
        let file = try WebMFile(
            creating: folder + "/" + name, info: SegmentInfo(title: title, dateUTC: labels.origin), track: entry)
        recorded.file = name
        return file
    }

    /// Fills a time at which nothing came, be it that the sender was silent or that it was lost, with silence: there are
    /// players and editors that take packet after packet, whatever their times. Only between the first frame and the track's end.
    private func fill(to end: TimelineTime, in file: WebMFile) throws(StorageError) {
        while let time = soundEnd, !file.isEnding, end - time >= OpusSilence.frameDuration {
            let count = min(
                OpusSilence.mostFrames, Int((end - time).microseconds / OpusSilence.frameDuration.microseconds))
            soundEnd = time + OpusSilence.frameDuration * count
            try file.write(
                EncodedFrame(
                    codec: .opus, time: time, duration: OpusSilence.frameDuration * count, isKeyframe: true,
                    payload: OpusSilence.packet(frames: count)))
        }
    }

    private func write(_ frame: EncodedFrame, to file: WebMFile) throws(StorageError) {
        try fill(to: frame.time, in: file)
        if frame.codec == .opus, let duration = frame.duration {
            soundEnd = max(soundEnd ?? .zero, frame.time + duration)
        }
        do { try file.write(frame) } catch {
            if file.isWaitingForSpace { account(for: frame) }
            throw error
        }
        account(for: frame)
    }

    private func account(for frame: EncodedFrame) {
        let time = TimelineTime(microseconds: frame.time.milliseconds * 1000)
        recorded.firstFrame = recorded.firstFrame ?? time
        recorded.lastFrame = max(recorded.lastFrame ?? time, time)
        recorded.frames += 1
        recorded.bytes += Int64(frame.payload.count)
        if let size = frame.size, size != recorded.sizes.last?.size {
            recorded.sizes.append(RecordedTrack.SizeChange(at: time, size: size))
        }
    }

    /// Nil for a codec that has no place in WebM.
    private func entry(for frame: EncodedFrame, name: String) -> TrackEntry? {
        if recorded.codec == .opus {
            // Music that begins in mono is still declared as stereo; players would mix it down otherwise.
            let isStereo = recorded.source == .screenShareAudio || OpusPacket.isStereo(frame.payload) == true
            recorded.channels = isStereo ? 2 : 1
            return TrackEntry(number: 1, media: .opus(channels: isStereo ? 2 : 1, preSkip: 0), name: name)
        }
        guard let codec = VideoCodecID(recorded.codec) else { return nil }
        // Players take the true size from the pictures; the header must say some.
        let size = frame.size ?? PixelSize(width: 640, height: 360)
        return TrackEntry(number: 1, media: .video(codec, pixels: size, display: nil), name: name)
    }

    private var title: String { recorded.title(participantName: labels.participantName) }

    private var tags: [Tag] {
        recorded.tags(participantName: labels.participantName, roomAddress: labels.roomAddress)
    }

    /// Does something with the file; when that fails, the file is left as it is, unless it was for want of space: then
    /// it can be tried again.
    private func guarding(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        do { try body() } catch {
            if case .open(let file) = state, file.isWaitingForSpace { throw error }
            recorded.failure = error.reason
            if case .waiting = state, error.cause == .noSpace { throw error }
            switch state {
            case .open(let file), .finished(let file): state = .failed(file)
            case .waiting, .empty, .failed: state = .failed(nil)
            }
            throw error
        }
    }
}
