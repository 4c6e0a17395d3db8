import MediaTypes
import Testing
import WebMReading

@testable import WebM

@Test func everythingWrittenIsReadBack() throws {
    var writer = WebMWriter(
        info: SegmentInfo(title: "Daily ☕", dateUTC: WallTime(microseconds: 1_796_011_648_123_000)),
        tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    var written: [EncodedFrame] = []
    for tick in 0..<250 {
        let time = Int64(tick * 20)
        let frame = sound(at: time)
        written.append(frame)
        writer.write(frame, track: 1)
        if tick % 2 == 0 { writer.write(picture(at: time, isKeyframe: tick % 100 == 0), track: 2) }
    }
    writer.finish(
        duration: .microseconds(5_020_500),
        tags: [
            Tag(simpleTags: [.init(name: "TITLE", value: "Daily ☕"), .init(name: "ROOM", value: "1234")]),
            Tag(target: .track(1), simpleTags: [.init(name: "ARTIST", value: "Åsa")]),
        ],
        chapters: [
            Chapter(time: .zero, end: TimelineTime(microseconds: 2_000_000), title: "Start"),
            Chapter(time: TimelineTime(microseconds: 2_000_000), title: "Middle ☕"),
        ])
    file.take(from: &writer)

    let read = try ReadFile(file.bytes)
    let reader = read.reader
    #expect(reader.isComplete)
    #expect(!reader.isTruncated)
    #expect(reader.title == "Daily ☕")
    #expect(reader.dateUTC?.iso8601 == "2026-11-30T04:07:28.123Z")
    #expect(reader.duration == .microseconds(5_020_500))
    #expect(reader.cueCount == 3)
    #expect(
        reader.chapters == [
            WebMChapter(start: .zero, end: TimelineTime(microseconds: 2_000_000), title: "Start"),
            WebMChapter(start: TimelineTime(microseconds: 2_000_000), end: nil, title: "Middle ☕"),
        ])
    #expect(
        reader.tags == [
            WebMTag(trackUID: nil, name: "TITLE", value: "Daily ☕"),
            WebMTag(trackUID: nil, name: "ROOM", value: "1234"),
            WebMTag(trackUID: 1, name: "ARTIST", value: "Åsa"),
        ])

    let audio = try #require(reader.tracks.first)
    #expect(audio.number == 1 && audio.kind == .audio && audio.codecID == "A_OPUS" && audio.codec == .opus)
    #expect(
        audio.channels == 2 && audio.samplingFrequency == 48_000 && audio.language == "und" && audio.name == "Åsa 🎤")
    #expect(audio.codecPrivate == Array("OpusHead".utf8) + [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0])
    #expect(audio.codecDelay == .zero && audio.seekPreRoll == .milliseconds(80))
    let video = try #require(reader.tracks.last)
    #expect(
        video.number == 2 && video.kind == .video && video.codec == .vp8
            && video.size == PixelSize(width: 640, height: 360))

    let sounds = read.frames.filter { $0.track == 1 }.map(\.frame)
    #expect(sounds.map(\.payload) == written.map(\.payload))
    #expect(sounds.map(\.time) == written.map(\.time))
    #expect(sounds.allSatisfy { $0.isKeyframe && $0.duration == .milliseconds(20) })
    let pictures = read.frames.filter { $0.track == 2 }.map(\.frame)
    #expect(pictures.count == 125)
    #expect(pictures.filter(\.isKeyframe).map(\.time.milliseconds) == [0, 2000, 4000])
}

@Test func encoderDelayIsDeclared() throws {
    let track = TrackEntry(number: 5, uid: 77, media: .opus(channels: 1, preSkip: 312))
    var writer = WebMWriter(info: SegmentInfo(), tracks: [track])
    var file = FileUnderTest()
    writer.write(sound(at: 0), track: 5)
    writer.finish(duration: .milliseconds(20))
    file.take(from: &writer)
    let read = try ReadFile(file.bytes)
    #expect(read.reader.tracks.first?.codecDelay == .microseconds(6500))
    #expect(read.reader.tracks.first?.codecPrivate[9...11] == [1, 0x38, 0x01])
    #expect(read.times(ofTrack: 5) == [0])
}

@Test func clusterSpansAtMostASecondAndEndsBeforeAKeyframe() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    file.take(from: &writer)
    for time in stride(from: Int64(0), to: 3000, by: 20) {
        writer.write(sound(at: time), track: 1)
        if time == 1500 { writer.write(picture(at: time, isKeyframe: true), track: 2) }
        file.take(from: &writer)
    }
    writer.flush(upTo: TimelineTime(microseconds: 10_000_000))
    file.take(from: &writer)
    // The header; clusters from 0, 1000, the keyframe at 1500, 2500.
    #expect(file.appendEnds.count == 5)
    #expect(try ReadFile(file.bytes).frames.count == 151)
}

@Test func flushWritesOnlyWhatIsOlderThanItsTime() {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack])
    var file = FileUnderTest()
    file.take(from: &writer)
    writer.write(sound(at: 500), track: 1)
    writer.flush(upTo: TimelineTime(microseconds: 500_000))
    #expect(writer.nextOutput() == nil)
    writer.flush(upTo: TimelineTime(microseconds: 501_000))
    #expect(writer.nextOutput() != nil)
    writer.flush(upTo: TimelineTime(microseconds: 900_000))
    #expect(writer.nextOutput() == nil)
}

@Test func slightDisorderIsSortedWithinACluster() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    writer.write(sound(at: 100), track: 1)
    writer.write(picture(at: 90, isKeyframe: true), track: 2)
    writer.write(sound(at: 120), track: 1)
    writer.write(picture(at: 110), track: 2)
    writer.flush(upTo: TimelineTime(microseconds: 200_000))
    writer.write(picture(at: 85), track: 2)  // raised: its track is at 110
    writer.write(sound(at: 140), track: 1)
    writer.finish(duration: .seconds(1))
    file.take(from: &writer)
    let read = try ReadFile(file.bytes)
    #expect(read.times(ofTrack: 1) == [100, 120, 140])
    #expect(read.times(ofTrack: 2) == [90, 110, 110])
    #expect(read.frames.map { $0.frame.time.milliseconds } == [90, 100, 110, 120, 110, 140])
}

@Test func trackNeverGoesBackwardsAndNothingIsBeforeZero() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    for time in [-30, 0, 70_000, 20, 70_020] as [Int64] { writer.write(sound(at: time), track: 1) }
    writer.write(picture(at: 100, isKeyframe: true), track: 2)  // far behind: as low as its cluster can say
    writer.finish(duration: .seconds(71))
    file.take(from: &writer)
    let read = try ReadFile(file.bytes)
    #expect(read.times(ofTrack: 1) == [0, 0, 70_000, 70_000, 70_020])
    #expect(read.times(ofTrack: 2) == [38_000])
}

@Test func timesAreRoundedToTheMillisecondAndReachFar() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack])
    var file = FileUnderTest()
    let times: [Int64] = [499, 500, 20_499_999_999, 360_000_000_500]
    for time in times {
        var frame = sound(at: 0)
        frame.time = TimelineTime(microseconds: time)
        writer.write(frame, track: 1)
    }
    writer.finish(duration: .seconds(400_000))
    file.take(from: &writer)
    let read = try ReadFile(file.bytes)
    #expect(read.times(ofTrack: 1) == [0, 1, 20_500_000, 360_000_001])
    #expect(read.reader.duration == .seconds(400_000))
}

@Test func fileIsValidAfterEveryOutput() throws {
    var writer = WebMWriter(info: SegmentInfo(title: "x"), tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    for time in stride(from: Int64(0), to: 4000, by: 20) {
        writer.write(sound(at: time), track: 1)
        if time % 40 == 0 { writer.write(picture(at: time, isKeyframe: time % 2000 == 0), track: 2) }
    }
    writer.finish(duration: .seconds(4), tags: [Tag(simpleTags: [.init(name: "TITLE", value: "x")])])
    file.take(from: &writer)
    #expect(file.states.count == 1 + 4 + 1 + 3)
    var last = 0
    for (index, state) in file.states.enumerated() {
        let read = try ReadFile(state)
        #expect(!read.reader.isTruncated, "after output \(index)")
        #expect(read.reader.tracks.count == 2)
        #expect(read.frames.count >= last)
        last = read.frames.count
    }
    #expect(last == 300)
}

@Test func finishedFileCanBeGivenALongerDuration() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack])
    var file = FileUnderTest()
    writer.write(sound(at: 0), track: 1)
    writer.finish(duration: .milliseconds(20))
    file.take(from: &writer)
    writer.amend(duration: .milliseconds(61_234))
    file.take(from: &writer)
    let read = try ReadFile(file.bytes)
    #expect(read.reader.isComplete)
    #expect(read.reader.duration == .milliseconds(61_234))
    #expect(read.frames.count == 1)
}

@Test func emptyFrameIsLeftOutAndEmptyFileIsValid() throws {
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack])
    var file = FileUnderTest()
    writer.write(EncodedFrame(codec: .opus, time: .zero, isKeyframe: true, payload: []), track: 1)
    writer.finish(duration: .zero)
    file.take(from: &writer)
    let read = try ReadFile(file.bytes)
    #expect(read.frames.isEmpty && read.reader.isComplete && read.reader.duration == .zero)
}

@Test func codecsThatWebMCarries() {
    #expect(VideoCodecID(.vp8) == .vp8 && VideoCodecID(.vp9) == .vp9)
    for codec in [Codec.h264, .h265, .av1, .opus, .pcmu] { #expect(VideoCodecID(codec) == nil) }
}

@Test func longFileOfSoundTakesNoMoreCuesThanItNeeds() throws {
    let file = FileUnderTest()
    var writer = WebMWriter(info: SegmentInfo(title: "", dateUTC: nil), tracks: [opusTrack])
    let hour: Int64 = 3_600_000
    for time in stride(from: Int64(0), to: hour, by: 500) {
        writer.write(sound(at: time, bytes: 3), track: 1)
        writer.flush(upTo: TimelineTime(microseconds: (time + 500) * 1000))
        file.discard(from: &writer)
    }
    writer.finish(duration: .seconds(3600))
    var cues = 0
    while let output = writer.nextOutput() {
        if case .append(let bytes) = output { cues += bytes.indices.filter { bytes[$0] == 0xBB }.count }
    }
    // Two minutes of close ones, then one every five seconds; some bytes only look like the beginning of one.
    #expect(900..<1500 ~= cues)
}
