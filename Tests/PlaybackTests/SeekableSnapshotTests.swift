import CallbotTesting
import MediaTypes
import Testing
import WebM
import WebMReading
import WebServer

@testable import Playback

@Suite struct SeekableSnapshotTests {
    /// A file of sound and pictures, as it is before it is finished.
    private func unfinished(seconds: Int64) -> [UInt8] {
        var writer = WebMWriter(
            info: SegmentInfo(title: "t"),
            tracks: [
                TrackEntry(number: 1, media: .opus(channels: 1, preSkip: 312)),
                TrackEntry(number: 2, media: .video(.vp8, pixels: PixelSize(width: 64, height: 32), display: nil)),
            ])
        var bytes: [UInt8] = []
        func take() {
            while let output = writer.nextOutput() {
                switch output {
                case .append(let more): bytes += more
                case .patch(let offset, let more):
                    bytes.replaceSubrange(Int(offset)..<Int(offset) + more.count, with: more)
                }
            }
        }
        for time in stride(from: Int64(0), to: seconds * 1000, by: 100) {
            let at = TimelineTime(microseconds: time * 1000)
            writer.write(
                EncodedFrame(
                    codec: .opus, time: at, duration: .milliseconds(20), isKeyframe: true,
                    payload: [0x78] + [UInt8](repeating: UInt8(truncatingIfNeeded: time), count: 30)), track: 1)
            writer.write(
                EncodedFrame(
                    codec: .vp8, time: at, isKeyframe: time % 1000 == 0,
                    payload: [UInt8](repeating: UInt8(truncatingIfNeeded: time / 100), count: 50)), track: 2)
            writer.flush(upTo: at - .milliseconds(250))
            take()
        }
        return bytes
    }

    private func snapshot(of file: ServedFile, to limit: Int64) -> SeekableSnapshot? {
        var index = SegmentIndex()
        return SeekableSnapshot(of: file, to: limit, index: &index)
    }

    private func whole(_ content: any ServedContent) -> [UInt8] { content.read(at: 0, count: Int(content.length)) }

    private func frames(_ bytes: [UInt8], in recording: TestRecording) throws -> [[UInt8]] {
        try recording.write("read.webm", bytes)
        let reader = try WebMReader(path: recording.folder + "/read.webm")
        var frames: [[UInt8]] = []
        while let next = try reader.nextFrame() {
            frames.append(Array("\(next.frame.time.milliseconds)".utf8) + next.frame.payload)
        }
        return frames
    }

    @Test func anUnfinishedFileIsServedAsAFinishedOne() throws {
        let bytes = unfinished(seconds: 12)
        let recording = try TestRecording(files: ["call.webm": bytes])
        let file = try #require(ServedFolder(recording.folder)?.file(["call.webm"]))
        let snapshot = try #require(self.snapshot(of: file, to: file.length))
        let served = whole(snapshot)
        #expect(served.count == Int(snapshot.length))
        let survey = SegmentSurvey(length: Int64(served.count)) {
            Array(served[Int($0)..<min(served.count, Int($0) + $1)])
        }
        #expect(survey.isWhole)
        #expect(survey.duration.map { $0 > .seconds(11) && $0 < .seconds(12) } == true)
        #expect(try frames(served, in: recording) == (try frames(bytes, in: recording)))
        #expect(try frames(served, in: recording).count > 200)
    }

    @Test func itStaysWhatItIsWhileTheFileGrows() throws {
        let bytes = unfinished(seconds: 12)
        let half = bytes.count / 2
        let recording = try TestRecording(files: ["call.webm": Array(bytes[..<half])])
        func snapshot() throws -> SeekableSnapshot {
            let file = try #require(ServedFolder(recording.folder)?.file(["call.webm"]))
            return try #require(self.snapshot(of: file, to: Int64(half)))
        }
        let before = try snapshot()
        let first = whole(before)
        try recording.write("call.webm", bytes)
        let after = try snapshot()
        #expect(whole(after) == first)
        #expect(after.tag == before.tag)
    }

    /// What is known of a file is gone on with, and comes to the same as if all of it were looked at again.
    @Test func whatIsKnownIsGoneOnWith() throws {
        let bytes = unfinished(seconds: 30)
        let recording = try TestRecording()
        var index = SegmentIndex()
        var random = SeededGenerator(seed: 11)
        var length = 0
        while length < bytes.count {
            length = min(bytes.count, length + Int.random(in: 1...3000, using: &random))
            try recording.write("call.webm", Array(bytes[..<length]))
            let file = try #require(ServedFolder(recording.folder)?.file(["call.webm"]))
            let grown = SeekableSnapshot(of: file, to: Int64(length), index: &index)
            let fresh = snapshot(of: file, to: Int64(length))
            #expect(grown.map(whole) == fresh.map(whole))
        }
        #expect(index.isPlain && index.starts.count == 30)
        // An earlier part of the file is asked for again.
        let file = try #require(ServedFolder(recording.folder)?.file(["call.webm"]))
        let earlier = try #require(SeekableSnapshot(of: file, to: Int64(bytes.count / 3), index: &index))
        #expect(whole(earlier) == snapshot(of: file, to: Int64(bytes.count / 3)).map(whole))
    }

    /// A part that makes no sense is left out, and the rest is served.
    @Test func aDamagedFileIsServedWithoutTheDamage() throws {
        var bytes = unfinished(seconds: 6)
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<middle + 300, with: [UInt8](repeating: 0xFF, count: 300))
        let recording = try TestRecording(files: ["call.webm": bytes])
        let file = try #require(ServedFolder(recording.folder)?.file(["call.webm"]))
        let served = whole(try #require(snapshot(of: file, to: .max)))
        let count = try frames(served, in: recording).count
        #expect(count > 50)
    }

    @Test func everyPartIsThePartOfTheWhole() throws {
        let recording = try TestRecording(files: ["call.webm": unfinished(seconds: 5)])
        let file = try #require(ServedFolder(recording.folder)?.file(["call.webm"]))
        let snapshot = try #require(self.snapshot(of: file, to: .max))
        let all = whole(snapshot)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let start = Int.random(in: 0...all.count, using: &random)
            let count = Int.random(in: 0...2000, using: &random)
            #expect(snapshot.read(at: Int64(start), count: count) == Array(all[start..<min(all.count, start + count)]))
        }
        #expect(snapshot.read(at: Int64(all.count) + 5, count: 5).isEmpty)
    }

    @Test func noInputIsAFault() throws {
        let bytes = unfinished(seconds: 3)
        var random = SeededGenerator(seed: 3)
        let recording = try TestRecording()
        for round in 0..<300 {
            var broken = Array(bytes[..<Int.random(in: 0...bytes.count, using: &random)])
            for _ in 0..<(round % 5) where !broken.isEmpty {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try recording.write("call.webm", broken)
            guard let file = ServedFolder(recording.folder)?.file(["call.webm"]) else { continue }
            guard
                let snapshot = self.snapshot(of: file, to: Int64.random(in: -5...Int64(bytes.count), using: &random))
            else {
                continue
            }
            #expect(whole(snapshot).count == Int(snapshot.length))
        }
    }
}
