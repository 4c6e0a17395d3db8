package import MediaTypes

/// Where decoding can start in a WebM file, found by looking at the beginnings of its clusters alone: a file of gigabytes
/// takes a fraction of a second, and one that has grown is gone on with where it ended before.
package struct SegmentIndex: Sendable {
    /// A cluster that begins with what can be decoded by itself.
    package struct Start: Hashable, Sendable {
        package var time: TimelineTime
        package var track: UInt64
        /// Of the cluster in the file.
        package var offset: Int64
    }

    /// Whether all so far is as callbot writes it: whole clusters that say their size, and nothing that makes no sense. Of
    /// any other file nothing is known here.
    package private(set) var isPlain = true
    /// What stands before the first cluster; nil as long as there is none.
    package private(set) var head: SegmentSurvey?
    /// From the first cluster to the end of the last whole one.
    package private(set) var clusters: Range<Int64> = 0..<0
    /// Whether the tables that a finished file ends with have begun.
    package private(set) var hasTrailer = false
    /// How many bytes of the file have been looked at.
    package private(set) var length: Int64 = 0

    /// Of the Segment's first element.
    private var body: Int64?
    /// Where the next element begins.
    private var offset: Int64 = 0
    private var lastCluster: Int64 = 0
    private var cues: CueCollector?
    /// The numbers of the tracks of pictures.
    private var pictures: Set<UInt64> = []

    /// More than is ever needed to come to a cluster's first picture.
    private static let mostLookedAt = 64
    /// What stands before the first cluster is held in memory.
    private static let longestHead: Int64 = 64 << 20

    package init() {}

    /// Where decoding can start, in the order of the file; at most twice a second.
    package var starts: [Start] {
        guard let head, let body else { return [] }
        return (cues?.points ?? []).map { point in
            Start(
                time: head.time(ofTicks: point.time), track: UInt64(clamping: point.trackNumber),
                offset: body + point.clusterPosition)
        }
    }

    /// Looks at what is new.
    /// - Parameters:
    ///   - length: of the file by now.
    ///   - read: reads at an offset; fewer bytes than asked for only at the file's end.
    package mutating func extend<Failure>(
        to length: Int64, read: @escaping (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        self.length = max(self.length, length)
        var window = ByteWindow(length: length, piece: 4096, read: read)
        if body == nil { try begin(&window) }
        guard body != nil else { return }
        while isPlain, offset < length, try step(&window, read) {}
    }

    /// What comes before the Segment's first element.
    private mutating func begin<Failure>(_ window: inout ByteWindow<Failure>) throws(Failure) {
        guard let ebml = try window.head(at: 0), ebml.element == .ebml, let size = ebml.size, size <= 1 << 16,
            let segment = try window.head(at: Int64(ebml.length) + size), segment.element == .segment
        else {
            isPlain = window.length < 64
            return
        }
        offset = Int64(ebml.length) + size + Int64(segment.length)
        body = offset
    }

    /// Passes over one element of the Segment.
    /// - Returns: false when it is not all there yet, or nothing is known of this file.
    private mutating func step<Failure>(
        _ window: inout ByteWindow<Failure>, _ read: @escaping ByteWindow<Failure>.Read
    ) throws(Failure) -> Bool {
        guard let element = try window.head(at: offset) else {
            isPlain = window.length - offset < ElementHead.longest
            return false
        }
        let isKnown = element.element.map { $0.isAboveClusters || $0 == .void || $0 == .crc32 } ?? false
        guard isKnown, element.element != .ebml, element.element != .segment, let size = element.size else {
            isPlain = false
            return false
        }
        let inside = (offset + Int64(element.length))..<(offset + Int64(element.length) + size)
        guard inside.upperBound <= window.length else { return false }
        if element.element == .cluster {
            guard !hasTrailer else {
                isPlain = false
                return false
            }
            if head == nil { try readHead(read) }
            if clusters.isEmpty { clusters = offset..<offset }
            try look(into: inside, of: offset, &window)
            lastCluster = offset
            clusters = clusters.lowerBound..<inside.upperBound
        } else if !clusters.isEmpty, element.element != .void {
            hasTrailer = true
        }
        offset = inside.upperBound
        return true
    }

    private mutating func readHead<Failure>(_ read: @escaping ByteWindow<Failure>.Read) throws(Failure) {
        let survey = try SegmentSurvey(length: offset, read: read)
        head = survey
        isPlain = survey.problem == nil && survey.damagedBytes == 0 && offset <= Self.longestHead
        pictures = Set(survey.tracks.filter { $0.kind == .video }.map(\.number))
        let tracks = survey.tracks.map { track in
            var track = track
            (track.frames, track.hasKeyframes) = (1, true)
            return track
        }
        cues = CueCollector(tracks: tracks, ticksPerSecond: 1_000_000_000 / survey.timestampScale)
    }

    /// Finds a cluster's first picture, or its first sound where there are no pictures.
    private mutating func look<Failure>(
        into inside: Range<Int64>, of cluster: Int64, _ window: inout ByteWindow<Failure>
    ) throws(Failure) {
        guard let body else { return }
        var place = inside.lowerBound
        var timestamp: Int64 = 0
        for _ in 0..<Self.mostLookedAt {
            guard place < inside.upperBound, let head = try window.head(at: place), let size = head.size else { return }
            let start = place + Int64(head.length)
            guard size <= inside.upperBound - start else {
                isPlain = false
                return
            }
            if head.element == .timestamp {
                let bytes = try window.bytes(at: start, count: Int(min(size, 9)))
                timestamp = unsignedInteger(bytes).map { Int64(clamping: $0) } ?? 0
            } else if head.element == .simpleBlock {
                let bytes = try window.bytes(at: start, count: Int(min(size, 16)))
                guard let (track, length) = variableSizeInteger(bytes), bytes.count >= length + 3 else { return }
                let rest = bytes.dropFirst(length)
                if pictures.isEmpty || pictures.contains(track) {
                    let relative = Int16(bitPattern: rest.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
                    let isKeyframe = rest[rest.startIndex + 2] & 0x80 != 0
                    cues?.take(track, timestamp &+ Int64(relative), isKeyframe, at: cluster - body)
                    return
                }
            }
            place = start + size
        }
    }
}

extension SegmentIndex {
    /// A finished file made of an unfinished one, which is read for the most of it.
    package struct FinishedFile: Hashable, Sendable {
        package var front: [UInt8]
        /// Bytes of the old file that follow.
        package var clusters: Range<Int64>
        package var back: [UInt8]
    }

    /// The whole clusters so far as a finished file, with its duration and a table of where decoding can start. Nil when
    /// nothing can be made of it here.
    package func finished<Failure>(
        read: @escaping (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> FinishedFile? {
        guard isPlain, !hasTrailer, let head, let oldBody = body, !clusters.isEmpty else { return nil }
        var reading = SegmentReading(window: ByteWindow(length: clusters.upperBound, read: read))
        let end = try reading.end(headBefore: clusters.lowerBound, cluster: lastCluster)
        var window = ByteWindow(length: clusters.lowerBound, piece: 4096, read: read)
        func bytes(_ range: Range<Int64>) throws(Failure) -> [UInt8] {
            Array(try window.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound)))
        }
        var front = try bytes(head.header) + FinishedFront.segmentHead
        let body = front.count
        var seekHead = SeekHead()
        front += FinishedFront.seekHeadSpace
        seekHead.append(.info, at: Int64(front.count - body))
        front += head.infoElement(duration: max(end - .zero, .milliseconds(1)))
        for part in head.parts {
            if !seekHead.entries.contains(where: { $0.element == part.element }) {
                seekHead.append(part.element, at: Int64(front.count - body))
            }
            front += try bytes(part.range)
        }
        let clusterBytes = clusters.upperBound - clusters.lowerBound
        let shift = Int64(front.count - body) - (clusters.lowerBound - oldBody)
        let points = (cues?.points ?? []).map { point in
            var point = point
            point.clusterPosition += shift
            return point
        }
        let back = points.isEmpty ? [] : Trailer.cues(points)
        if !points.isEmpty { seekHead.append(.cues, at: Int64(front.count - body) + clusterBytes) }
        let table = seekHead.bytes(filling: FinishedFront.seekHeadLength)
        front.replaceSubrange(body..<(body + table.count), with: table)
        let size = Int64(front.count - body) + clusterBytes + Int64(back.count)
        front.replaceSubrange((body - 8)..<body, with: FinishedFront.size(size))
        return FinishedFile(front: front, clusters: clusters, back: back)
    }
}
