import CallbotTesting
import Foundation
import MediaTypes
import Testing
import WebM
import WebMReading

/// A small file of two tracks and several clusters.
private func smallFile(finished: Bool) -> FileUnderTest {
    var writer = WebMWriter(info: SegmentInfo(title: "small"), tracks: [opusTrack, vp8Track])
    var file = FileUnderTest()
    for time in stride(from: Int64(0), to: 3000, by: 100) {
        writer.write(sound(at: time, bytes: 12), track: 1)
        writer.write(picture(at: time, isKeyframe: time % 1000 == 0, bytes: 20), track: 2)
    }
    if finished {
        writer.finish(duration: .seconds(3), tags: [Tag(simpleTags: [.init(name: "TITLE", value: "small")])])
    } else {
        writer.flush(upTo: TimelineTime(microseconds: 3_000_000))
    }
    file.take(from: &writer)
    return file
}

@Test(arguments: [false, true])
func truncatedAnywhereItYieldsEveryWholeCluster(finished: Bool) throws {
    let file = smallFile(finished: finished)
    let header = file.appendEnds[0]
    for length in 0...file.bytes.count {
        let read = try ReadFile(Array(file.bytes[..<length]))
        let wholeClusters = file.appendEnds[1...].prefix(3 + (finished ? 1 : 0)).count { $0 <= length }
        let expected = [0, 20, 40, 60, 60][wholeClusters]
        #expect(read.frames.count >= expected && read.frames.count <= expected + 20, "cut to \(length)")
        if length >= header { #expect(read.reader.tracks.count == 2) }
        let isWhole = finished ? length == file.bytes.count : length == 0 || file.appendEnds.contains(length)
        // A cut between header elements is not told from an end, as long as nothing was begun.
        if isWhole && length > 0 { #expect(!read.reader.isTruncated, "cut to \(length)") }
        if !isWhole && length > header { #expect(read.reader.isTruncated, "cut to \(length)") }
    }
}

@Test func mutatedFileNeverCrashesTheReader() throws {
    let original = smallFile(finished: true).bytes
    var random = SeededGenerator(seed: 1)
    var readable = 0
    for _ in 0..<4000 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
        if let read = try? ReadFile(bytes) {
            readable += 1
            // Nor when it is asked once more at the end.
            #expect((try? read.reader.nextFrame()) == nil)
        }
    }
    // The mutations are neither all harmless nor all fatal.
    #expect(readable > 100 && readable < 3900)
}

/// An element that claims 8 GB must not be allocated before there are bytes for it.
@Test(
    arguments: [[0x63, 0xA2], [0x7B, 0xA9], [0xA3], [0xEC], [0x67, 0xC8], [0x53, 0x6E], [0x45, 0xA3]] as [[UInt8]])
func claimedSizeIsNotBelieved(id: [UInt8]) throws {
    let huge: [UInt8] = [0x01, 0, 0, 2, 0, 0, 0, 0]
    let original = smallFile(finished: true).bytes
    for place in 0...(original.count - id.count) where Array(original[place..<place + id.count]) == id {
        var bytes = original
        bytes.replaceSubrange(place + id.count..<place + id.count + 1, with: huge)
        _ = try? ReadFile(bytes)
    }
}

/// As a player does that follows a recording while it is made.
@Test func growingFileIsReadOn() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/growing.webm"
    var writer = WebMWriter(info: SegmentInfo(), tracks: [opusTrack])
    var file = FileUnderTest()
    file.take(from: &writer)
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    let reader = try WebMReader(path: path)
    #expect(reader.tracks.count == 1)
    var times: [Int64] = []
    for time in stride(from: Int64(0), to: 5000, by: 20) {
        writer.write(sound(at: time), track: 1)
        file.take(from: &writer)
        // Half of what there is, then the rest: a reader may come in the middle of a write.
        for end in [times.isEmpty ? file.bytes.count : file.bytes.count - 17, file.bytes.count] {
            try Data(file.bytes[..<end]).write(to: URL(fileURLWithPath: path), options: [])
            while let next = try reader.nextFrame() { times.append(next.frame.time.milliseconds) }
        }
        #expect(!reader.isTruncated)
    }
    #expect(times == Array(stride(from: Int64(0), to: 4000, by: 20)))
}

@Test func somethingElseIsMalformed() {
    #expect(throws: WebMReadingError.malformed) { _ = try ReadFile([UInt8](repeating: 0, count: 1000)) }
    #expect(throws: WebMReadingError.malformed) { _ = try ReadFile(Array("RIFF....WAVEfmt and so on and on".utf8)) }
    #expect(throws: WebMReadingError.cannotOpen(path: "/nowhere/x.webm", errno: 2)) {
        _ = try WebMReader(path: "/nowhere/x.webm")
    }
}
