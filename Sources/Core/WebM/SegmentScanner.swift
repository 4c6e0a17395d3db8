/// Walks through a WebM or Matroska file of any maker, element by element, as far down as the blocks (RFC 9559). What is
/// torn or makes no sense is passed over, up to the next cluster that can be found: no input is a fault.
struct SegmentScanner<Failure: Error> {
    enum Finding: Hashable, Sendable {
        /// The EBML header.
        case header(Range<Int64>)
        /// A Segment begins; `size` is that of its body, nil when it does not say.
        case segment(body: Int64, size: Int64?)
        /// A whole element directly in the Segment, which is no cluster.
        case element(UInt32, Range<Int64>, body: Int64)
        /// A cluster begins at this offset. Its parts follow, up to `clusterEnd` or `damage`.
        case cluster(Int64)
        /// A whole element of the cluster that is no block.
        case clusterPart(UInt32, Range<Int64>)
        case block(Block, Range<Int64>)
        case clusterEnd
        /// A whole cluster that was not looked into.
        case skippedCluster(Range<Int64>)
        /// Bytes that are of no use; the cluster that they are in is over.
        case damage(Range<Int64>)
        /// Another EBML header or Segment begins here: everything from here on is another file.
        case anotherFile(Int64)
    }

    /// A SimpleBlock or BlockGroup.
    struct Block: Hashable, Sendable {
        var track: UInt64
        /// In the file's ticks.
        var time: Int64
        var isKeyframe: Bool
        /// In ticks; nil where the block does not say.
        var duration: Int64?
        /// Bytes of its frames.
        var payload: Int64
        var frames: Int
        /// The first two bytes of the payload of a block without lacing: what an Opus packet says of its length.
        var start: ArraySlice<UInt8>
    }

    private enum State: Hashable {
        case header
        /// The header is over, the Segment has not begun.
        case beforeSegment
        case segment
        /// `end` is where the cluster says that it ends, which may be behind the file's end.
        case cluster(end: Int64?, timestamp: Int64)
        case done
    }

    /// Where it is in the file.
    private(set) var offset: Int64
    private var state: State
    private var window: ByteWindow<Failure>
    private let skipsWholeClusters: Bool

    /// - Parameter skipsWholeClusters: whether clusters that say their size, and are all there, are not looked into.
    init(window: ByteWindow<Failure>, skipsWholeClusters: Bool = false) {
        self.window = window
        self.skipsWholeClusters = skipsWholeClusters
        state = .header
        offset = 0
    }

    /// Begins at an offset within the Segment.
    init(window: ByteWindow<Failure>, from offset: Int64) {
        self.init(window: window)
        self.offset = offset
        state = .segment
    }

    /// The next thing in the file; nil at its end, or when it is no such file at all.
    mutating func next() throws(Failure) -> Finding? {
        switch state {
        case .header: return try header()
        case .beforeSegment: return try beforeSegment()
        case .segment: return try inSegment()
        case .cluster(let end, let timestamp): return try inCluster(end: end, timestamp: timestamp)
        case .done: return nil
        }
    }

    private mutating func header() throws(Failure) -> Finding? {
        state = .done
        guard let head = try window.head(at: 0), head.element == .ebml, let size = head.size, size <= 1 << 16,
            Int64(head.length) + size <= window.length
        else { return nil }
        state = .beforeSegment
        offset = Int64(head.length) + size
        return .header(0..<offset)
    }

    private mutating func beforeSegment() throws(Failure) -> Finding? {
        while let head = try window.head(at: offset) {
            let body = offset + Int64(head.length)
            switch (head.element, head.size) {
            case (.segment?, let size):
                state = .segment
                offset = body
                return .segment(body: body, size: size)
            case (.void?, let size?) where size <= window.length - body:
                offset = body + size
            default:
                state = .done
                return nil
            }
        }
        state = .done
        return nil
    }

    private mutating func inSegment() throws(Failure) -> Finding? {
        guard offset < window.length else {
            state = .done
            return nil
        }
        guard let head = try window.head(at: offset) else { return try damage() }
        let body = offset + Int64(head.length)
        switch head.element {
        case .cluster?:
            let start = offset
            // Sizes have 56 bits: the sum is far from overflowing.
            let end = head.size.map { body + $0 }
            if skipsWholeClusters, let end, end <= window.length, try isSegmentLevel(end) {
                offset = end
                return .skippedCluster(start..<end)
            }
            state = .cluster(end: end, timestamp: 0)
            offset = body
            return .cluster(start)
        case .ebml?, .segment?:
            state = .done
            return .anotherFile(offset)
        case let element:
            guard let size = head.size, size <= window.length - body else { return try damage() }
            let isKnown = element.map { $0.isAboveClusters || $0 == .void || $0 == .crc32 } ?? false
            if !isKnown {
                guard try isSegmentLevel(body + size) else { return try damage() }
            }
            let range = offset..<(body + size)
            offset = range.upperBound
            return .element(head.id, range, body: body)
        }
    }

    private mutating func inCluster(end: Int64?, timestamp: Int64) throws(Failure) -> Finding? {
        guard offset < end ?? .max, offset < window.length else { return endCluster() }
        guard let head = try window.head(at: offset) else { return try damage(clusterEnd: end) }
        // What cannot be in a cluster is behind it, whatever size the cluster claims.
        if head.element?.isAboveClusters == true { return endCluster() }
        let body = offset + Int64(head.length)
        guard let size = head.size, size <= min(end ?? .max, window.length) - body else {
            return try damage(clusterEnd: end)
        }
        let range = offset..<(body + size)
        switch head.element {
        case .timestamp?:
            guard let value = unsignedInteger(try window.bytes(at: body, count: Int(min(size, 9)))) else {
                return try damage(clusterEnd: end)
            }
            state = .cluster(end: end, timestamp: Int64(clamping: value))
        case .simpleBlock?:
            guard let block = try block(body..<range.upperBound, timestamp: timestamp, isSimple: true) else {
                return try damage(clusterEnd: end)
            }
            offset = range.upperBound
            return .block(block, range)
        case .blockGroup?:
            if let block = try group(body..<range.upperBound, timestamp: timestamp) {
                offset = range.upperBound
                return .block(block, range)
            }
        case let element?:
            guard element.isInClusters else { return try damage(clusterEnd: end) }
        case nil:
            guard try isClusterLevel(range.upperBound, clusterEnd: end) else { return try damage(clusterEnd: end) }
        }
        offset = range.upperBound
        return .clusterPart(head.id, range)
    }

    private mutating func endCluster() -> Finding {
        state = .segment
        return .clusterEnd
    }

    // MARK: - Blocks

    /// RFC 9559 section 10: track number, time, flags, then the frames.
    private mutating func block(
        _ body: Range<Int64>, timestamp: Int64, isSimple: Bool
    ) throws(Failure) -> Block? {
        let bytes = try window.bytes(at: body.lowerBound, count: Int(min(16, body.upperBound - body.lowerBound)))
        guard let (track, length) = variableSizeInteger(bytes), bytes.count >= length + 3 else { return nil }
        let rest = bytes.dropFirst(length)
        let relative = Int16(bitPattern: rest.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
        let flags = rest[rest.startIndex + 2]
        let frames = rest.dropFirst(3)
        let isLaced = flags & 0x06 != 0
        if isLaced {
            let start = body.lowerBound + Int64(length + 3)
            guard try isLacing(Int(flags & 0x06) >> 1, start..<body.upperBound) else { return nil }
        }
        return Block(
            track: track, time: timestamp &+ Int64(relative), isKeyframe: isSimple && flags & 0x80 != 0,
            payload: body.upperBound - body.lowerBound - Int64(length + 3),
            frames: isLaced ? Int(frames.first ?? 0) + 1 : 1, start: isLaced ? [] : frames.prefix(2))
    }

    /// Whether the sizes that a laced block begins with are those of frames in it (RFC 9559 section 10.3).
    private mutating func isLacing(_ kind: Int, _ body: Range<Int64>) throws(Failure) -> Bool {
        let length = body.upperBound - body.lowerBound
        // Longer than sizes can be of frames that are worth lacing.
        var bytes = try window.bytes(at: body.lowerBound, count: Int(min(length, 64 << 10)))
        guard let count = bytes.popFirst() else { return false }
        var total: Int64 = 0
        var size: Int64 = 0
        for index in 0..<Int(count) where kind != 2 {
            if kind == 1 {
                size = 0
                while bytes.first == 255 {
                    bytes.removeFirst()
                    size += 255
                }
                guard let last = bytes.popFirst() else { return false }
                size += Int64(last)
            } else {
                guard let (value, width) = variableSizeInteger(bytes) else { return false }
                bytes = bytes.dropFirst(width)
                // After the first, the difference to the one before.
                size = index == 0 ? Int64(value) : size + Int64(value) - (1 << (7 * Int64(width) - 1)) + 1
            }
            total += size
            guard size >= 0, total <= length else { return false }
        }
        return kind != 2 || (length - 1) % (Int64(count) + 1) == 0
    }

    /// Nil for a group without a block.
    private mutating func group(_ body: Range<Int64>, timestamp: Int64) throws(Failure) -> Block? {
        var found: Block?
        var duration: Int64?
        var isKeyframe = true
        var place = body.lowerBound
        while place < body.upperBound, let head = try window.head(at: place), let size = head.size {
            let start = place + Int64(head.length)
            guard size <= body.upperBound - start else { break }
            switch head.element {
            case .block? where found == nil:
                found = try block(start..<(start + size), timestamp: timestamp, isSimple: false)
            case .blockDuration?:
                duration = unsignedInteger(try window.bytes(at: start, count: Int(min(size, 9)))).map {
                    Int64(clamping: $0)
                }
            case .referenceBlock?: isKeyframe = false
            default: break
            }
            place = start + size
        }
        found?.isKeyframe = isKeyframe
        found?.duration = duration
        return found
    }

    // MARK: - Damage

    /// Passes over what makes no sense: to the end that the cluster claims, if something follows there, else to the next
    /// cluster or table, else to the file's end.
    private mutating func damage(clusterEnd: Int64? = nil) throws(Failure) -> Finding {
        let start = offset
        state = .segment
        if let end = clusterEnd, end > start, end <= window.length, try isSegmentLevel(end) {
            offset = end
        } else if let next = try nextElement(after: start) {
            offset = next
        } else {
            offset = window.length
        }
        return .damage(start..<offset)
    }

    /// Looks for the ID of an element of the Segment that begins as such a one does.
    private mutating func nextElement(after start: Int64) throws(Failure) -> Int64? {
        let step = 64 << 10
        var place = start + 1
        while place < window.length {
            // Three bytes of the next step too, in which the ID may end.
            let bytes = try window.bytes(at: place, count: step + 3)
            for index in bytes.indices.dropLast(3) where 0x10...0x1F ~= bytes[index] {
                let id = bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
                let candidate = place + Int64(index - bytes.startIndex)
                switch EBMLElement(rawValue: id) {
                case .cluster?: if try isCluster(candidate) { return candidate }
                case .cues?, .tags?, .chapters?, .attachments?: if try isTable(candidate) { return candidate }
                default: continue
                }
            }
            place += Int64(step)
        }
        return nil
    }

    private mutating func isTable(_ place: Int64) throws(Failure) -> Bool {
        guard let head = try window.head(at: place), let size = head.size else { return false }
        let end = place + Int64(head.length) + size
        return end <= window.length ? try isSegmentLevel(end) : false
    }

    private mutating func isCluster(_ place: Int64) throws(Failure) -> Bool {
        guard let head = try window.head(at: place), let first = try window.head(at: place + Int64(head.length)) else {
            return false
        }
        return first.element?.isInClusters == true && first.size != nil
    }

    /// Whether an element of the Segment, or the file's end, is at an offset.
    private mutating func isSegmentLevel(_ place: Int64) throws(Failure) -> Bool {
        if place == window.length { return true }
        guard let element = try window.head(at: place)?.element else { return false }
        return element.isAboveClusters || element == .void || element == .crc32
    }

    /// Whether an element of a cluster, or its end, is at an offset.
    private mutating func isClusterLevel(_ place: Int64, clusterEnd: Int64?) throws(Failure) -> Bool {
        if place == clusterEnd || place == window.length { return true }
        guard let element = try window.head(at: place)?.element else { return false }
        return element.isInClusters || clusterEnd == nil && element.isAboveClusters
    }
}
