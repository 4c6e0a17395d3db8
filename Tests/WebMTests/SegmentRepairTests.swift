import CallbotTesting
import MediaTypes
import Testing
import WebMReading

@testable import WebM

/// A file in memory that is repaired.
struct RepairedFile {
    var survey: SegmentSurvey
    var bytes: [UInt8] = []

    /// - Throws: why nothing can be made of it.
    init(
        _ old: [UInt8], duration: Duration? = nil, tags: [WebM.Tag] = [], chapters: [Chapter] = []
    ) throws(SegmentSurvey.Problem) {
        survey = Self.survey(of: old)
        if let problem = survey.problem { throw problem }
        var rewriter = SegmentRewriter(
            survey, length: Int64(old.count), duration: duration, tags: tags, chapters: chapters
        ) { (offset, count) throws(Never) in Self.piece(of: old, offset, count) }
        while let output = rewriter.next() {
            switch output {
            case .append(let more): bytes += more
            case .copy(let range): bytes += old[Int(range.lowerBound)..<Int(range.upperBound)]
            case .patch(let offset, let patch):
                bytes.replaceSubrange(Int(offset)..<Int(offset) + patch.count, with: patch)
            }
        }
    }

    static func survey(of bytes: [UInt8]) -> SegmentSurvey {
        SegmentSurvey(length: Int64(bytes.count)) { (offset, count) throws(Never) in piece(of: bytes, offset, count) }
    }

    static func piece(of bytes: [UInt8], _ offset: Int64, _ count: Int) -> [UInt8] {
        Array(bytes[min(Int(offset), bytes.count)..<min(Int(offset) + count, bytes.count)])
    }
}

/// Two tracks, several clusters, two tags and a chapter where it is finished.
private func file(finished: Bool) -> FileUnderTest {
    var writer = WebMWriter(info: SegmentInfo(title: "small"), tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    for time in stride(from: Int64(0), to: 3000, by: 100) {
        writer.write(sound(at: time, bytes: 12), track: 1)
        writer.write(picture(at: time, isKeyframe: time % 1000 == 0, bytes: 20), track: 2)
    }
    if finished {
        writer.finish(
            duration: .seconds(3), tags: [WebM.Tag(simpleTags: [.init(name: "TITLE", value: "small")])],
            chapters: [Chapter(time: .zero, title: "One")])
    } else {
        writer.flush(upTo: TimelineTime(microseconds: 3_000_000))
    }
    file.take(from: &writer)
    return file
}

@Test(arguments: [false, true])
func aFileThatIsCutAnywhereIsRepaired(finished: Bool) throws {
    let whole = file(finished: finished)
    let frames = try ReadFile(whole.bytes).frames
    for length in whole.appendEnds[0]..<whole.bytes.count + 1 {
        let repaired = try RepairedFile(Array(whole.bytes[..<length]))
        let read = try ReadFile(repaired.bytes)
        #expect(read.reader.isComplete && !read.reader.isTruncated, "cut to \(length)")
        #expect(read.frames.map(\.frame.time) == frames.prefix(read.frames.count).map(\.frame.time), "cut to \(length)")
        #expect(zip(read.frames, frames).allSatisfy { $0.frame.payload == $1.frame.payload }, "cut to \(length)")
        // Every block that is all there: the next one is not.
        let counted = repaired.survey.tracks.reduce(0) { $0 + $1.frames }
        #expect(read.frames.count == counted)
        if let last = read.frames.last {
            #expect(read.reader.cueCount > 0)
            let duration = try #require(read.reader.duration)
            #expect(duration >= last.frame.time - .zero && duration <= last.frame.time - .zero + .milliseconds(100))
        }
        let again = RepairedFile.survey(of: repaired.bytes)
        #expect(again.isWhole && again.damagedBytes == 0, "cut to \(length)")
        #expect(try RepairedFile(repaired.bytes).bytes == repaired.bytes, "repaired twice")
    }
    let again = RepairedFile.survey(of: whole.bytes)
    #expect(again.isWhole == finished && again.title == "small")
    #expect(again.tags == (finished ? ["TITLE": "small"] : [:]))
}

@Test func beforeTheTracksThereIsNothingToRepair() {
    let whole = file(finished: false)
    for length in 0..<whole.appendEnds[0] {
        let problem = RepairedFile.survey(of: Array(whole.bytes[..<length])).problem
        #expect(problem == .notMatroska || problem == .noTracks, "cut to \(length)")
    }
    #expect(RepairedFile.survey(of: whole.bytes + whole.bytes).problem == .severalFiles)
    #expect(RepairedFile.survey(of: Array("RIFF....WAVEfmt and so on".utf8)).problem == .notMatroska)
}

@Test func tagsAndChaptersStayAndAreAddedWhereThereAreNone() throws {
    let tags = [WebM.Tag(simpleTags: [.init(name: "TITLE", value: "other")])]
    let chapters = [Chapter(time: TimelineTime(microseconds: 1_000_000), title: "Two")]
    // Cut just before the end, so that what follows the clusters is whole.
    let finished = try ReadFile(
        RepairedFile(file(finished: true).bytes, duration: .seconds(9), tags: tags, chapters: chapters).bytes)
    #expect(finished.reader.tags.map(\.value) == ["small"] && finished.reader.chapters.map(\.title) == ["One"])
    #expect(finished.reader.duration == .seconds(9) && finished.reader.title == "small")
    let unfinished = try ReadFile(
        RepairedFile(file(finished: false).bytes, duration: .seconds(9), tags: tags, chapters: chapters).bytes)
    #expect(unfinished.reader.tags.map(\.value) == ["other"] && unfinished.reader.chapters.map(\.title) == ["Two"])
}

/// A disk may give back zeros, or another file's bytes, for a part that never got there.
@Test(arguments: [0, 0xA3, 0x1F, 0xFF] as [UInt8])
func whatIsBehindDamageIsFoundAgain(filler: UInt8) throws {
    let whole = file(finished: true)
    let frames = try ReadFile(whole.bytes).frames.map(\.frame)
    // From the middle of the first cluster into the second.
    for (start, length) in [
        (whole.appendEnds[0] + 100, 40), (whole.appendEnds[1] - 20, 200), (whole.appendEnds[2], 13),
    ] {
        var bytes = whole.bytes
        for index in start..<start + length { bytes[index] = filler }
        let repaired = try RepairedFile(bytes)
        let read = try ReadFile(repaired.bytes)
        #expect(!repaired.survey.isWhole && RepairedFile.survey(of: repaired.bytes).isWhole)
        #expect(read.reader.isComplete && read.frames.count >= 20 && read.frames.count < 60, "\(read.frames.count)")
        #expect(read.frames.allSatisfy { frame in frames.contains { $0.time == frame.frame.time } })
        #expect(read.reader.tags.map(\.value) == ["small"])
    }
}

/// As browsers write them: clusters whose size is not known, and what may be in one besides.
@Test func unknownSizesAndAllKindsOfBlocksAreUnderstood() throws {
    var bytes = EBMLBytes()
    bytes.append(.ebml) { $0.append(.docType, string: "matroska") }
    bytes.append(id: .segment)
    bytes.append(raw: [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    bytes.append(.tracks) { tracks in vp8Track.append(to: &tracks) }
    for start in [0, 1000, 2000] as [UInt64] {
        bytes.append(id: .cluster)
        bytes.append(raw: [0xFF])
        bytes.append(.void, binary: [0, 0, 0])
        bytes.append(.timestamp, unsigned: start)
        bytes.append(.prevSize, unsigned: 77)
        bytes.append(.simpleBlock, binary: [0x82, 0, 0, 0x80, 1, 2, 3])
        bytes.append(.blockGroup) { group in
            group.append(.block, binary: [0x82, 0, 100, 0, 4, 5])
            group.append(.referenceBlock, binary: [0x9C])
            group.append(.blockDuration, unsigned: 300)
        }
    }
    bytes.append(.attachments) { $0.append(.void, binary: [1, 2, 3]) }
    let torn = bytes.bytes + [0xA3, 0x85, 0x82]
    let repaired = try RepairedFile(torn)
    let track = try #require(repaired.survey.tracks.first)
    #expect(track.frames == 6 && track.bytes == 15 && repaired.survey.damagedBytes == 3)
    #expect(track.firstFrame == .zero && track.lastFrame == .ms(2100) && track.end == .ms(2400))
    let read = try ReadFile(repaired.bytes)
    #expect(read.times(ofTrack: 2) == [0, 100, 1000, 1100, 2000, 2100])
    #expect(read.frames.map(\.frame.isKeyframe) == [true, false, true, false, true, false])
    #expect(read.reader.isComplete && read.reader.cueCount == 3 && read.reader.duration == .milliseconds(2400))
    #expect(RepairedFile.survey(of: repaired.bytes).isWhole)
}

@Test func theEndIsFoundInTheLastClusterAlone() {
    let whole = file(finished: false)
    for length in whole.appendEnds[1]...whole.bytes.count {
        let bytes = Array(whole.bytes[..<length])
        let end = SegmentSurvey.end(length: Int64(length)) { (offset, count) throws(Never) in
            RepairedFile.piece(of: bytes, offset, count)
        }
        // How long the last picture lasts is not known without the one before.
        let whole = RepairedFile.survey(of: bytes).end
        let lack = whole - (end ?? .zero)
        #expect(lack >= .zero && lack <= .milliseconds(100), "cut to \(length)")
    }
}

@Test func twinsOfAFileAreRepairedOrRefused() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack, vp8Track])
    for time in [0, 20, 1500] as [Int64] {
        writer.write(sound(at: time, bytes: 12), track: 1)
        writer.write(picture(at: time, isKeyframe: true, bytes: 20), track: 2)
    }
    writer.finish(duration: .seconds(2))
    var file = FileUnderTest()
    file.take(from: &writer)
    var generator = SeededGenerator(seed: 3)
    var count = 0
    for _ in 0..<1500 {
        var twin = file.bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            twin[Int.random(in: twin.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        guard let repaired = try? RepairedFile(twin) else { continue }
        count += 1
        let again = RepairedFile.survey(of: repaired.bytes)
        #expect(again.isWhole && again.tracks.map(\.frames) == repaired.survey.tracks.map(\.frames))
    }
    #expect(count > 500)
}
