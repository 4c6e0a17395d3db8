package import MediaTypes

/// Makes a WebM file (RFC 9559) out of encoded frames, without touching a file: what it wants written are its outputs.
///
/// The file is valid after every `append`: its Segment has no size yet, and clusters come whole. `finish` adds the cues,
/// tags and chapters, and puts the duration, the table of parts and the Segment's size into the space kept for them.
package struct WebMWriter: Sendable {
    package enum Output: Hashable, Sendable {
        /// Bytes to add at the file's end, in one write.
        case append([UInt8])
        /// Bytes to put over those at an offset, all of them within the file.
        case patch(offset: Int64, [UInt8])
    }

    private enum State {
        /// Frames may come. `finished` follows.
        case open
        /// The last cluster is out; only the duration may still change.
        case finished
    }

    package let tracks: [TrackEntry]
    /// Bytes appended so far, outputs not yet taken included.
    package private(set) var length: Int64 = 0

    private var state = State.open
    private var cluster = Cluster()
    private var lastClusterTimestamp: Int64 = 0
    /// The time of the last block of each track, in the order of `tracks`.
    private var lastTimes: [Int64]
    private var cues: [CuePoint] = []
    private var seekHead = SeekHead()
    private let hasVideo: Bool
    private let segmentSizeOffset: Int64
    private let segmentBodyOffset: Int64
    /// Where the file says how long it is.
    package let durationOffset: Int64
    private var outputs = OutputQueue<Output>()

    /// Begins a file: its header is the first output. All tracks are declared here; their first frames may come at any time.
    package init(info: SegmentInfo, tracks: [TrackEntry]) {
        var bytes = EBMLBytes()
        bytes.append(.ebml) { header in
            header.append(.ebmlVersion, unsigned: 1)
            header.append(.ebmlReadVersion, unsigned: 1)
            header.append(.ebmlMaxIDLength, unsigned: 4)
            header.append(.ebmlMaxSizeLength, unsigned: 8)
            header.append(.docType, string: "webm")
            header.append(.docTypeVersion, unsigned: 4)
            header.append(.docTypeReadVersion, unsigned: 2)
        }
        bytes.append(id: .segment)
        segmentSizeOffset = Int64(bytes.bytes.count)
        bytes.append(raw: Self.unknownSize)
        let body = Int64(bytes.bytes.count)
        segmentBodyOffset = body
        bytes.appendVoid(total: SeekHead.reserved)
        seekHead.append(.info, at: Int64(bytes.bytes.count) - body)
        durationOffset = Int64(info.append(to: &bytes))
        seekHead.append(.tracks, at: Int64(bytes.bytes.count) - body)
        bytes.append(.tracks) { element in
            for track in tracks { track.append(to: &element) }
        }
        self.tracks = tracks
        hasVideo = tracks.contains { $0.isVideo }
        lastTimes = tracks.map { _ in 0 }
        append(bytes.bytes)
    }

    /// Adds a frame to the track of this number, at its time rounded to the millisecond.
    ///
    /// Frames of several tracks come in the order of time, or nearly: within a cluster they are sorted. A time lower
    /// than that of the track's frame before, or below zero, is raised to it. A frame without bytes is left out.
    /// For an encoder with a delay (`preSkip`), the time is that of the sound which was put in when this frame came out
    /// beginning with it; players subtract the delay.
    package mutating func write(_ frame: EncodedFrame, track number: Int) {
        guard case .open = state else { preconditionFailure("a frame for a file that is finished") }
        guard let index = tracks.firstIndex(where: { $0.number == number }) else {
            preconditionFailure("a frame for a track that was not declared")
        }
        guard !frame.payload.isEmpty else { return }
        var time = max(frame.time.milliseconds, lastTimes[index])
        // A cue leads to a cluster, which is best begun by the keyframe.
        let isSeekable = tracks[index].isVideo && frame.isKeyframe
        if isSeekable && time > cluster.earliest || !cluster.fits(time) { closeCluster() }
        time = max(time, lastClusterTimestamp - Cluster.reachBack)
        lastTimes[index] = time
        cluster.append(.init(trackNumber: number, time: time, isKeyframe: frame.isKeyframe, payload: frame.payload))
    }

    /// Closes the open cluster if it holds anything from before `time`, so that no frame older than that is only in memory.
    package mutating func flush(upTo time: TimelineTime) {
        if !cluster.isEmpty, cluster.earliest < time.milliseconds { closeCluster() }
    }

    /// Ends the file: the last cluster, Cues, Chapters and Tags are appended, then SeekHead, Duration and the Segment's
    /// size are patched in. In this order, so that a file which is cut short anywhere in between is still valid.
    package mutating func finish(duration: Duration, tags: [Tag] = [], chapters: [Chapter] = []) {
        guard case .open = state else { preconditionFailure("a file is finished once") }
        closeCluster()
        var trailer: [UInt8] = []
        func add(_ element: EBMLElement, _ bytes: [UInt8]) {
            seekHead.append(element, at: length + Int64(trailer.count) - segmentBodyOffset)
            trailer += bytes
        }
        if !cues.isEmpty { add(.cues, Trailer.cues(cues)) }
        if !chapters.isEmpty { add(.chapters, Trailer.chapters(chapters)) }
        if !tags.isEmpty { add(.tags, Trailer.tags(tags, tracks: tracks)) }
        if !trailer.isEmpty { append(trailer) }
        outputs.append(.patch(offset: segmentBodyOffset, seekHead.bytes))
        outputs.append(.patch(offset: durationOffset, SegmentInfo.duration(duration)))
        let size = UInt64(length - segmentBodyOffset) | 1 << 56
        outputs.append(.patch(offset: segmentSizeOffset, bigEndian(size, count: 8)))
        cues = []
        state = .finished
    }

    /// Gives a finished file another duration: a track that ended early still lasts as long as its recording.
    package mutating func amend(duration: Duration) {
        guard case .finished = state else { preconditionFailure("only a finished file has a duration to amend") }
        outputs.append(Self.amendment(duration: duration, at: durationOffset))
    }

    /// What gives a finished file another duration, once its writer is gone.
    package static func amendment(duration: Duration, at durationOffset: Int64) -> Output {
        .patch(offset: durationOffset, SegmentInfo.duration(duration))
    }

    package mutating func nextOutput() -> Output? {
        outputs.next()
    }

    private mutating func closeCluster() {
        guard !cluster.isEmpty else { return }
        // Timestamps of clusters never go backwards; a block that does has a negative time relative to its cluster.
        let timestamp = max(cluster.earliest, lastClusterTimestamp)
        lastClusterTimestamp = timestamp
        let position = length - segmentBodyOffset
        if hasVideo {
            for block in cluster.blocks where block.isKeyframe && isVideo(block.trackNumber) {
                cues.append(CuePoint(time: block.time, trackNumber: block.trackNumber, clusterPosition: position))
            }
        } else if let first = cluster.blocks.first, isWorthCue(timestamp) {
            cues.append(CuePoint(time: timestamp, trackNumber: first.trackNumber, clusterPosition: position))
        }
        append(cluster.bytes(timestamp: timestamp))
        cluster = Cluster()
    }

    /// Sound can be decoded from anywhere: in a long file a cue every few seconds is enough, and takes no memory to speak of.
    private func isWorthCue(_ timestamp: Int64) -> Bool {
        guard cues.count >= Self.closeCues, let last = cues.last else { return true }
        return timestamp - last.time >= Self.cueInterval
    }

    /// How many cues for sound there are before they get further apart, and by how many milliseconds they are then.
    private static let closeCues = 240
    private static let cueInterval: Int64 = 5000

    private func isVideo(_ number: Int) -> Bool {
        tracks.contains { $0.number == number && $0.isVideo }
    }

    private mutating func append(_ bytes: [UInt8]) {
        length += Int64(bytes.count)
        outputs.append(.append(bytes))
    }

    /// Eight bytes of size that say "not known" (RFC 8794 section 6.2).
    private static let unknownSize: [UInt8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
}
