import CallbotTesting
import MediaTypes
import Testing
import WebMReading

@testable import WebM

@Suite struct SegmentIndexTests {
    /// Sound, and pictures with a keyframe every two seconds, of so many seconds; and where its last cluster ends.
    private func file(seconds: Int64, finishing: Bool = true, hasPictures: Bool = true) -> [UInt8] {
        var tracks = [TrackEntry(number: 1, media: .opus(channels: 2, preSkip: 312))]
        if hasPictures {
            tracks.append(
                TrackEntry(number: 2, media: .video(.vp8, pixels: PixelSize(width: 64, height: 32), display: nil)))
        }
        var writer = WebMWriter(info: SegmentInfo(title: "t"), tracks: tracks)
        var file = FileUnderTest()
        for time in stride(from: Int64(0), to: seconds * 1000, by: 100) {
            let sound = [0x78] + [UInt8](repeating: UInt8(truncatingIfNeeded: time / 100), count: 300)
            writer.write(
                EncodedFrame(
                    codec: .opus, time: TimelineTime(microseconds: time * 1000), duration: .milliseconds(20),
                    isKeyframe: true, payload: sound), track: 1)
            if hasPictures {
                writer.write(
                    EncodedFrame(
                        codec: .vp8, time: TimelineTime(microseconds: time * 1000), isKeyframe: time % 2000 == 0,
                        payload: [UInt8](repeating: 7, count: 4000)), track: 2)
            }
            writer.flush(upTo: TimelineTime(microseconds: (time - 250) * 1000))
        }
        if finishing { writer.finish(duration: .seconds(seconds)) }
        file.take(from: &writer)
        return file.bytes
    }

    private func index(_ bytes: [UInt8]) -> SegmentIndex {
        var index = SegmentIndex()
        index.extend(to: Int64(bytes.count)) { bytes.part($0, $1) }
        return index
    }

    @Test func decodingCanStartWhereItSays() throws {
        let bytes = file(seconds: 20)
        let index = index(bytes)
        #expect(index.isPlain && index.hasTrailer)
        #expect(index.starts.map(\.time.milliseconds) == (0..<10).map { $0 * 2000 })
        let reader = try WebMReader(bytes: bytes)
        for start in index.starts.reversed() {
            reader.seek(to: start.offset)
            var next = try reader.nextFrame()
            while let (track, _) = next, track != 2 { next = try reader.nextFrame() }
            let found = try #require(next)
            #expect(found.frame.isKeyframe && found.frame.time == start.time)
        }
        // At any other place nothing comes of it, or an error.
        for offset in [1, 5, 100, Int64.max, -1] {
            reader.seek(to: offset)
            for _ in 0..<1000 where (try? reader.nextFrame()) == nil { break }
        }
    }

    @Test func littleOfAFileIsRead() {
        let bytes = file(seconds: 60)
        var count = 0
        var index = SegmentIndex()
        func extend() {
            index.extend(to: Int64(bytes.count)) { offset, wanted in
                let part = bytes.part(offset, wanted)
                count += part.count
                return part
            }
        }
        extend()
        #expect(index.starts.count == 30 && count < bytes.count)
        count = 0
        extend()
        #expect(count == 0)
    }

    @Test func soundAloneCanBeStartedAnywhere() {
        let index = index(file(seconds: 10, hasPictures: false))
        #expect(index.isPlain && index.starts.count >= 10)
    }

    @Test func anotherKindOfFileIsLeftAlone() {
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 0x1A, count: 5000)] {
            let index = index(bytes)
            #expect(index.starts.isEmpty && index.head == nil)
        }
        var damaged = file(seconds: 10, finishing: false)
        let place = Int(index(damaged).starts[3].offset)
        damaged.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(!index(damaged).isPlain)
    }
}

extension [UInt8] {
    fileprivate func part(_ offset: Int64, _ count: Int) -> [UInt8] {
        Array(self[Swift.min(Int(offset), self.count)..<Swift.min(Int(offset) + count, self.count)])
    }
}
