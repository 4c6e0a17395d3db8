import MediaTypes

/// Makes a finished file out of one that was cut short or never finished, of any maker: every whole block stays as it is,
/// and so do tracks, tags, chapters and attachments; what is torn is left out; size, duration, cues and the table of parts
/// are made anew. Takes memory for the cues, and none that grows with the file otherwise.
package struct SegmentRewriter<Failure: Error> {
    package enum Output: Hashable, Sendable {
        /// Bytes to add at the new file's end.
        case append([UInt8])
        /// Bytes of the old file to add at the new one's end.
        case copy(Range<Int64>)
        /// Bytes to put over those at an offset of the new file.
        case patch(offset: Int64, [UInt8])
    }

    private let survey: SegmentSurvey
    private let numbers: Set<UInt64>
    private let fileLength: Int64
    private let duration: Duration
    private let tags: [Tag]
    private let chapters: [Chapter]

    private var scanner: SegmentScanner<Failure>
    private var outputs = OutputQueue<Output>()
    private var isFinished = false
    /// Bytes of the new file, outputs not yet taken included.
    private var length: Int64 = 0
    private var body: Int64 = 0
    private var seekHead = SeekHead()
    private var cues: CueCollector
    private var cluster: OpenCluster?
    /// Bytes of the old file that are to be copied together.
    private var run: Range<Int64>?

    /// A cluster on its way over.
    private struct OpenCluster {
        /// What comes before its first block: without one it is left out.
        var lead: [Range<Int64>] = []
        /// Where its size is to be put in the new file, and where it begins; nil before its first block.
        var start: (offset: Int64, size: Int64)?
    }

    /// Room for six parts and what follows.
    private static var seekHeadLength: Int { 160 }
    private static var unknownSize: [UInt8] { [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }
    private static var longestLead: Int { 16 }

    /// - Parameters:
    ///   - survey: of the file, without a problem.
    ///   - duration: what the new file says of its length; nil for what was measured.
    ///   - tags: put in where the file has none.
    ///   - chapters: put in where the file has none.
    package init(
        _ survey: SegmentSurvey, length fileLength: Int64, duration: Duration? = nil, tags: [Tag] = [],
        chapters: [Chapter] = [], read: @escaping (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) {
        precondition(survey.problem == nil, "only a file that can be read is rewritten")
        self.survey = survey
        numbers = Set(survey.tracks.map(\.number))
        self.fileLength = fileLength
        // What has frames has a length, whatever they say of their times.
        self.duration = duration ?? max(survey.end - .zero, .milliseconds(1))
        self.tags = survey.has(.tags) ? [] : tags
        self.chapters = survey.has(.chapters) ? [] : chapters
        scanner = SegmentScanner(window: ByteWindow(length: fileLength, read: read))
        cues = CueCollector(tracks: survey.tracks, ticksPerSecond: 1_000_000_000 / survey.timestampScale)
        begin()
    }

    /// The share that is done, 0 to 1.
    package var progress: Double { fileLength > 0 ? min(1, Double(scanner.offset) / Double(fileLength)) : 1 }

    package mutating func next() throws(Failure) -> Output? {
        while true {
            if let output = outputs.next() { return output }
            guard !isFinished else { return nil }
            if let finding = try scanner.next() { take(finding) } else { finish() }
        }
    }

    private mutating func begin() {
        copy(survey.header)
        var head = EBMLBytes()
        head.append(id: .segment)
        head.append(raw: Self.unknownSize)
        append(head.bytes)
        body = length
        var space = EBMLBytes()
        // A Void of more than 128 bytes has a longer size.
        space.appendVoid(total: Self.seekHeadLength - 100)
        space.appendVoid(total: 100)
        append(space.bytes)
        seekHead.append(.info, at: length - body)
        append(info)
        for part in survey.parts where part.element == .tracks || part.isBeforeClusters { keep(part) }
    }

    private var info: [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.info) { info in
            if survey.info.isEmpty {
                info.append(.timestampScale, unsigned: UInt64(survey.timestampScale))
                info.append(.muxingApp, string: "callbot")
                info.append(.writingApp, string: "callbot")
            }
            info.append(raw: survey.info)
            info.append(.duration, float: max(0, survey.ticks(of: duration)))
        }
        return bytes.bytes
    }

    private mutating func keep(_ part: SegmentSurvey.Part) {
        if !seekHead.entries.contains(where: { $0.element == part.element }) {
            seekHead.append(part.element, at: length - body)
        }
        copy(part.range)
    }

    // MARK: - Clusters

    private mutating func take(_ finding: SegmentScanner<Failure>.Finding) {
        switch finding {
        case .cluster: cluster = OpenCluster()
        case .clusterPart(let id, let range): take(partOfCluster: id, range)
        case .block(let block, let range): take(block, range)
        case .clusterEnd, .damage: closeCluster()
        case .header, .segment, .element, .skippedCluster, .anotherFile: break
        }
    }

    private mutating func take(partOfCluster id: UInt32, _ range: Range<Int64>) {
        switch EBMLElement(rawValue: id) {
        case .timestamp?, .silentTracks?, .encryptedBlock?, .blockGroup?: break
        // The others say something of where they stand, or of all that is beside them, or nothing.
        default: return
        }
        if cluster?.start != nil {
            join(range)
        } else if let lead = cluster?.lead, lead.count < Self.longestLead {
            cluster?.lead.append(range)
        }
    }

    private mutating func take(_ block: SegmentScanner<Failure>.Block, _ range: Range<Int64>) {
        // Bytes without sense may look like a block, of a track that there is not.
        guard numbers.contains(block.track) else { return }
        if let lead = cluster?.lead, cluster?.start == nil {
            let offset = length
            var head = EBMLBytes()
            head.append(id: .cluster)
            let size = offset + Int64(head.bytes.count)
            head.append(raw: Self.unknownSize)
            append(head.bytes)
            cluster?.start = (offset, size)
            for part in lead { join(part) }
        }
        if let start = cluster?.start { cues.take(block.track, block.time, block.isKeyframe, at: start.offset - body) }
        join(range)
    }

    private mutating func closeCluster() {
        copyRun()
        if let start = cluster?.start {
            let size = UInt64(length - start.size - 8) | 1 << 56
            outputs.append(.patch(offset: start.size, bigEndian(size, count: 8)))
        }
        cluster = nil
    }

    private mutating func finish() {
        closeCluster()
        var trailer: [UInt8] = []
        func add(_ element: EBMLElement, _ bytes: [UInt8]) {
            seekHead.append(element, at: length + Int64(trailer.count) - body)
            trailer += bytes
        }
        if !cues.points.isEmpty { add(.cues, Trailer.cues(cues.points)) }
        if !chapters.isEmpty { add(.chapters, Trailer.chapters(chapters)) }
        if !tags.isEmpty { add(.tags, Trailer.tags(tags, tracks: [])) }
        if !trailer.isEmpty { append(trailer) }
        for part in survey.parts where part.element != .tracks && !part.isBeforeClusters { keep(part) }
        outputs.append(.patch(offset: body, seekHead.bytes(filling: Self.seekHeadLength)))
        outputs.append(.patch(offset: body - 8, bigEndian(UInt64(length - body) | 1 << 56, count: 8)))
        isFinished = true
    }

    // MARK: - Bytes

    private mutating func append(_ bytes: [UInt8]) {
        length += Int64(bytes.count)
        outputs.append(.append(bytes))
    }

    private mutating func copy(_ range: Range<Int64>) {
        length += range.upperBound - range.lowerBound
        outputs.append(.copy(range))
    }

    /// Copies later, together with what stands beside it.
    private mutating func join(_ range: Range<Int64>) {
        if let before = run, before.upperBound == range.lowerBound, range.upperBound - before.lowerBound < 1 << 20 {
            run = before.lowerBound..<range.upperBound
        } else {
            copyRun()
            run = range
        }
    }

    private mutating func copyRun() {
        if let range = run { copy(range) }
        run = nil
    }
}

/// Finds out where decoding can start: at the keyframes of pictures, else anywhere, at most twice a second. However long
/// the file is, there are not more cues than make sense.
private struct CueCollector {
    private static let most = 1 << 16

    private(set) var points: [CuePoint] = []
    private let tracks: Set<UInt64>
    private let needsKeyframes: Bool
    /// The time of each track's last cue.
    private var latest: [UInt64: Int64] = [:]
    /// Ticks that lie between two cues of a track at least.
    private var spacing: Int64

    init(tracks: [SegmentSurvey.Track], ticksPerSecond: Int64) {
        let pictures = tracks.filter { $0.kind == .video && $0.hasKeyframes }
        needsKeyframes = !pictures.isEmpty
        self.tracks = Set((needsKeyframes ? pictures : Array(tracks.filter { $0.frames > 0 }.prefix(1))).map(\.number))
        spacing = ticksPerSecond / 2
    }

    mutating func take(_ track: UInt64, _ time: Int64, _ isKeyframe: Bool, at cluster: Int64) {
        guard tracks.contains(track), isKeyframe || !needsKeyframes, let number = Int(exactly: track) else { return }
        if let last = latest[track], (time &- last).magnitude < UInt64(max(0, spacing)) { return }
        latest[track] = time
        points.append(CuePoint(time: max(0, time), trackNumber: number, clusterPosition: cluster))
        if points.count >= Self.most {
            points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            spacing = max(1, spacing.multipliedReportingOverflow(by: 2).partialValue)
        }
    }
}
