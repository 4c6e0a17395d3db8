import MediaTypes

/// Collects what a scanner finds in a file into a survey.
struct SegmentReading<Failure: Error> {
    private var window: ByteWindow<Failure>
    private var survey = SegmentSurvey()
    private var segment: (body: Int64, size: Int64?)?
    private var accounts: [UInt64: Account] = [:]
    private var clusters: [Int64] = []
    private var hasClusters = false
    private var hasInfo = false
    private var hasBlocks = false
    /// What the file says of its length, in ticks.
    private var declaredTicks: Double?
    /// Nanoseconds that a frame of a track lasts, where the track says so.
    private var frameDurations: [UInt64: Int64] = [:]
    /// Where the tables say that something is, to be held against what is there.
    private var cuePositions: [Int64]?
    private var seekPositions: [(id: UInt32, position: Int64)]?

    /// What is put down of one track while the file is read. Times are in ticks.
    private struct Account {
        var frames = 0
        var bytes: Int64 = 0
        var first: Int64 = .max
        var last: Int64 = .min
        var beforeLast: Int64?
        /// Of the latest frame that says how long it lasts.
        var end: Int64 = .min
        /// Of an Opus packet as the latest frame, in nanoseconds; nil when it is none.
        var opusDuration: Int64?
        var hasKeyframes = false
    }

    /// Elements of any other kind than clusters are small, or are not looked into.
    private static var largestTable: Int64 { 64 << 20 }
    private static var mostTracks: Int { 1024 }
    private static var mostParts: Int { 1024 }
    private static var mostClusters: Int { 1 << 21 }

    init(window: ByteWindow<Failure>) { self.window = window }

    mutating func survey(progress: (Int64) -> Void) throws(Failure) -> SegmentSurvey {
        var scanner = SegmentScanner(window: window)
        while survey.problem == nil, let finding = try scanner.next() {
            try take(finding)
            if case .cluster(let start) = finding { progress(start) }
        }
        conclude()
        return survey
    }

    /// Looks into the last cluster alone.
    mutating func glance() throws(Failure) -> SegmentSurvey {
        var scanner = SegmentScanner(window: window, skipsWholeClusters: true)
        var last: Int64?
        while let finding = try scanner.next() {
            if case .skippedCluster(let range) = finding { last = range.lowerBound }
            if case .anotherFile = finding { break }
            try take(finding)
        }
        if !hasBlocks, let last {
            var inside = SegmentScanner(window: window, from: last)
            while let finding = try inside.next() {
                if case .block = finding { try take(finding) }
            }
        }
        conclude()
        return survey
    }

    /// When the last frame of a cluster is over, by what stands before the first one of the tracks.
    mutating func end(headBefore first: Int64, cluster: Int64) throws(Failure) -> TimelineTime {
        var scanner = SegmentScanner(window: window)
        while scanner.offset < first, let finding = try scanner.next(), scanner.offset <= first { try take(finding) }
        var inside = SegmentScanner(window: window, from: cluster)
        while let finding = try inside.next() {
            if case .block = finding { try take(finding) }
        }
        conclude()
        return survey.end
    }

    private mutating func take(_ finding: SegmentScanner<Failure>.Finding) throws(Failure) {
        switch finding {
        case .header(let range): survey.header = range
        case .segment(let body, let size): segment = (body, size)
        case .element(let id, let range, let body): try take(id, range, body: body)
        case .cluster(let start): note(cluster: start)
        case .skippedCluster(let range): note(cluster: range.lowerBound)
        case .block(let block, _): take(block)
        case .clusterPart, .clusterEnd: break
        case .damage(let range): survey.damagedBytes += range.upperBound - range.lowerBound
        case .anotherFile: survey.problem = .severalFiles
        }
    }

    private mutating func note(cluster start: Int64) {
        hasClusters = true
        if clusters.count < Self.mostClusters { clusters.append(start) }
    }

    private mutating func take(_ id: UInt32, _ range: Range<Int64>, body: Int64) throws(Failure) {
        // What has no place there is left out.
        guard let element = EBMLElement(rawValue: id), element.isAboveClusters else { return }
        switch element {
        case .seekHead, .cues, .info, .tracks: break
        case .tags:
            if range.upperBound - body <= Self.largestTable {
                takeTags(try window.bytes(at: body, count: Int(range.upperBound - body)))
            }
            return keep(element, range)
        default: return keep(element, range)
        }
        let size = range.upperBound - body
        guard size <= Self.largestTable else { return }
        if element == .seekHead, seekPositions == nil {
            seekPositions = seeks(in: try window.bytes(at: body, count: Int(size)))
        } else if element == .cues, cuePositions == nil {
            cuePositions = cues(in: try window.bytes(at: body, count: Int(size)))
        } else if element == .info, !hasInfo {
            hasInfo = true
            takeInfo(try window.bytes(at: body, count: Int(size)), at: body)
        } else if element == .tracks, !survey.has(.tracks) {
            takeTracks(try window.bytes(at: body, count: Int(size)))
            keep(element, range)
        }
    }

    private mutating func keep(_ element: EBMLElement, _ range: Range<Int64>) {
        guard survey.parts.count < Self.mostParts else { return }
        survey.parts.append(.init(element: element, range: range, isBeforeClusters: !hasClusters))
    }

    // MARK: - Tables

    private func seeks(in body: ArraySlice<UInt8>) -> [(id: UInt32, position: Int64)] {
        ElementSequence(body).filter { $0.id == EBMLElement.seek.rawValue }.compactMap { seek in
            let children = ElementSequence(seek.body)
            guard let id = children.first(.seekID).flatMap(unsignedInteger),
                let position = children.first(.seekPosition).flatMap(unsignedInteger)
            else { return nil }
            return (UInt32(truncatingIfNeeded: id), Int64(clamping: position))
        }
    }

    private func cues(in body: ArraySlice<UInt8>) -> [Int64] {
        var positions: [Int64] = []
        for point in ElementSequence(body) where point.id == EBMLElement.cuePoint.rawValue {
            for entry in ElementSequence(point.body) where entry.id == EBMLElement.cueTrackPositions.rawValue {
                let position = ElementSequence(entry.body).first(.cueClusterPosition).flatMap(unsignedInteger)
                positions.append(position.map { Int64(clamping: $0) } ?? -1)
            }
        }
        return positions
    }

    /// Those of the whole file.
    private mutating func takeTags(_ body: ArraySlice<UInt8>) {
        for tag in ElementSequence(body) where tag.id == EBMLElement.tag.rawValue {
            let targets = ElementSequence(ElementSequence(tag.body).first(.targets) ?? [])
            guard targets.first(.tagTrackUID) == nil else { continue }
            for simple in ElementSequence(tag.body)
            where simple.id == EBMLElement.simpleTag.rawValue && survey.tags.count < Self.mostParts {
                let children = ElementSequence(simple.body)
                guard let name = children.first(.tagName), let value = children.first(.tagString) else { continue }
                survey.tags[text(name)] = text(value)
            }
        }
    }

    private mutating func takeInfo(_ body: ArraySlice<UInt8>, at offset: Int64) {
        for child in ElementSequence(body) {
            switch EBMLElement(rawValue: child.id) {
            case .duration?:
                guard let ticks = floatingPoint(child.body), ticks >= 0, ticks.isFinite else { continue }
                survey.durationField = (offset + Int64(child.body.startIndex - body.startIndex), child.body.count)
                declaredTicks = ticks
            case .void?, .crc32?: continue
            case .timestampScale?:
                let scale = unsignedInteger(child.body) ?? 0
                if (1...1_000_000_000_000).contains(scale) { survey.timestampScale = Int64(scale) }
                survey.info += child.bytes
            case .title?:
                survey.title = text(child.body)
                survey.info += child.bytes
            case .dateUTC?:
                if child.body.count == 8, let bits = unsignedInteger(child.body) {
                    survey.dateUTC = SegmentInfo.wallTime(sinceMillennium: Int64(bitPattern: bits))
                }
                survey.info += child.bytes
            default: survey.info += child.bytes
            }
        }
    }

    private mutating func takeTracks(_ body: ArraySlice<UInt8>) {
        for entry in ElementSequence(body) where entry.id == EBMLElement.trackEntry.rawValue {
            let children = ElementSequence(entry.body)
            guard survey.tracks.count < Self.mostTracks,
                let number = children.first(.trackNumber).flatMap(unsignedInteger), number > 0
            else { continue }
            var track = SegmentSurvey.Track(number: number)
            track.codecID = children.first(.codecID).map(text) ?? ""
            switch children.first(.trackType).flatMap(unsignedInteger) {
            case 1?:
                track.kind = .video
                let video = ElementSequence(children.first(.video) ?? [])
                if let width = video.first(.pixelWidth).flatMap(unsignedInteger),
                    let height = video.first(.pixelHeight).flatMap(unsignedInteger)
                {
                    track.size = PixelSize(width: Int(clamping: width), height: Int(clamping: height))
                }
            case 2?:
                track.kind = .audio
                track.channels =
                    ElementSequence(children.first(.audio) ?? []).first(.channels)
                    .flatMap(unsignedInteger).map { Int(clamping: $0) } ?? 1
            default: break
            }
            survey.tracks.append(track)
            frameDurations[number] = children.first(.defaultDuration).flatMap(unsignedInteger).map {
                Int64(clamping: min($0, 60_000_000_000))
            }
        }
    }

    // MARK: - Blocks

    private mutating func take(_ block: SegmentScanner<Failure>.Block) {
        hasBlocks = true
        guard accounts[block.track] != nil || accounts.count < Self.mostTracks else { return }
        var account = accounts[block.track] ?? Account()
        if OpusSilence.isFiller(start: block.start, count: block.payload) {
            // Stands for nothing that came, and for its time.
            let ticks = (OpusPacket.duration(of: block.start)?.nanoseconds ?? 0) / survey.timestampScale
            account.end = max(account.end, block.time &+ ticks)
            accounts[block.track] = account
            return
        }
        account.frames += block.frames
        account.bytes += block.payload
        account.first = min(account.first, block.time)
        if block.time >= account.last {
            if block.time > account.last { account.beforeLast = account.last == .min ? nil : account.last }
            account.last = block.time
            account.opusDuration = OpusPacket.duration(of: block.start)?.nanoseconds
        }
        if let duration = block.duration { account.end = max(account.end, block.time &+ max(0, duration)) }
        if block.isKeyframe { account.hasKeyframes = true }
        accounts[block.track] = account
    }

    private mutating func conclude() {
        if survey.problem == nil {
            if segment == nil {
                survey.problem = .notMatroska
            } else if survey.tracks.isEmpty {
                survey.problem = .noTracks
            }
        }
        for index in survey.tracks.indices {
            guard let account = accounts[survey.tracks[index].number], account.frames > 0 else { continue }
            survey.tracks[index].frames = account.frames
            survey.tracks[index].bytes = account.bytes
            survey.tracks[index].hasKeyframes = account.hasKeyframes
            survey.tracks[index].firstFrame = survey.time(ofTicks: account.first)
            survey.tracks[index].lastFrame = survey.time(ofTicks: account.last)
            survey.tracks[index].end = end(of: survey.tracks[index], account)
        }
        if let ticks = declaredTicks {
            let nanoseconds = ticks * Double(survey.timestampScale)
            if nanoseconds < Double(SegmentSurvey.latest) { survey.duration = .nanoseconds(Int64(nanoseconds)) }
        }
        survey.isWhole = isWhole
    }

    /// The last frame's end: as it says itself, or its track, or its packet; else it is as long as the one before.
    private func end(of track: SegmentSurvey.Track, _ account: Account) -> TimelineTime {
        let last = survey.time(ofTicks: account.last)
        let stated = account.end == .min ? last : survey.time(ofTicks: account.end)
        var length = frameDurations[track.number] ?? (track.codecID == "A_OPUS" ? account.opusDuration : nil)
        if length == nil, stated <= last, let before = account.beforeLast {
            length = min(max(0, (last - survey.time(ofTicks: before)).nanoseconds), 1_000_000_000)
        }
        return max(stated, last + .nanoseconds(length ?? 0))
    }

    private var isWhole: Bool {
        guard survey.problem == nil, survey.damagedBytes == 0, let duration = survey.duration, hasInfo, let segment,
            let size = segment.size, segment.body + size == window.length, let seekPositions
        else { return false }
        // Nothing can lead to blocks of tracks that there are not.
        if survey.tracks.contains(where: { $0.frames > 0 }) {
            guard let cuePositions, !cuePositions.isEmpty, duration > .zero else { return false }
            if clusters.count < Self.mostClusters {
                let known = Set(clusters.map { $0 - segment.body })
                guard cuePositions.allSatisfy(known.contains) else { return false }
            }
        }
        return isRight(seekPositions, from: segment.body)
    }

    /// Whether the elements that the table names are where it says.
    private func isRight(_ positions: [(id: UInt32, position: Int64)], from body: Int64) -> Bool {
        var window = window
        return positions.prefix(Self.mostParts).allSatisfy { entry in
            guard entry.position < window.length, let head = try? window.head(at: body + entry.position) else {
                return false
            }
            return head.id == entry.id
        }
    }
}
