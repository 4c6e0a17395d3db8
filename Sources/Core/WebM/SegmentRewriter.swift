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
        append(FinishedFront.segmentHead)
        body = length
        append(FinishedFront.seekHeadSpace)
        seekHead.append(.info, at: length - body)
        append(survey.infoElement(duration: duration))
        for part in survey.parts where part.element == .tracks || part.isBeforeClusters { keep(part) }
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
            head.append(raw: FinishedFront.unknownSize)
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
            outputs.append(.patch(offset: start.size, FinishedFront.size(length - start.size - 8)))
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
        outputs.append(.patch(offset: body, seekHead.bytes(filling: FinishedFront.seekHeadLength)))
        outputs.append(.patch(offset: body - 8, FinishedFront.size(length - body)))
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
