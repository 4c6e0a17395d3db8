import CallbotTesting
import Foundation
import MediaTypes
import Testing
import WebM

/// What FFmpeg makes of the files: a second judge beside libwebm's parser.
@Suite struct OtherReadersTests {
    /// Five seconds of silence as Opus (a packet of no bytes after its first is concealment), and pictures that only
    /// look like VP8: enough for a demultiplexer.
    private func file(finished: Bool, preSkip: Int = 0) throws -> TemporaryFile {
        let sound = TrackEntry(number: 1, media: .opus(channels: 2, preSkip: preSkip))
        var writer = WebMWriter(info: SegmentInfo(title: "Two judges"), tracks: [sound, vp8Track])
        var file = FileUnderTest()
        for time in stride(from: Int64(0), to: 5000, by: 20) {
            writer.write(WebMTests.sound(at: time), track: 1)
            if time % 40 == 0 { writer.write(picture(at: time, isKeyframe: time % 1000 == 0), track: 2) }
        }
        if finished {
            writer.finish(duration: .milliseconds(5003), tags: [Tag(simpleTags: [.init(name: "ROOM", value: "1234")])])
        } else {
            writer.flush(upTo: TimelineTime(microseconds: 9_000_000))
        }
        file.take(from: &writer)
        return try TemporaryFile(file.bytes)
    }

    @Test func ffprobeReadsTracksDurationTitleAndTags() throws {
        let file = try file(finished: true)
        let output = try run(
            "ffprobe", "-v", "error", "-show_entries",
            "format=duration:format_tags:stream=codec_name,width,height,channels",
            "-of", "default=nw=1", file.path)
        for line in [
            "codec_name=opus", "channels=2", "codec_name=vp8", "width=640", "height=360", "duration=5.003000",
            "TAG:title=Two judges", "TAG:ROOM=1234",
        ] {
            #expect(output.split(separator: "\n").contains(Substring(line)), "\(line) in\n\(output)")
        }
    }

    @Test(arguments: [false, true])
    func ffprobeCountsEveryPacketAtItsTime(finished: Bool) throws {
        let file = try file(finished: finished)
        let output = try run(
            "ffprobe", "-v", "error", "-show_entries", "packet=stream_index,pts_time,flags", "-of", "csv=p=0", file.path
        )
        let lines = output.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("0,") } == 250)
        #expect(lines.count { $0.hasPrefix("1,") } == 125)
        #expect(lines.count { $0.hasPrefix("1,") && $0.contains(",K") } == 5)
        #expect(lines.contains { $0.hasPrefix("0,4.980000,") })
        #expect(lines.contains { $0.hasPrefix("1,4.960000,") })
    }

    @Test func ffprobeTakesTheEncodersDelayOff() throws {
        let file = try file(finished: true, preSkip: 480)
        let output = try run(
            "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
            file.path)
        #expect(
            output.split(separator: "\n").prefix(2).map { $0.split(separator: ",")[0] } == ["-0.010000", "0.010000"])
    }

    @Test func seekingLandsOnTheKeyframeBefore() throws {
        let file = try file(finished: true)
        let output = try run(
            "ffprobe", "-v", "error", "-read_intervals", "3.5%+#1", "-select_streams", "v", "-show_entries",
            "packet=pts_time",
            "-of", "csv=p=0", file.path)
        #expect(output.hasPrefix("3.000000"))
    }
}

/// A file on disk, for as long as it is held.
private struct TemporaryFile {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: [UInt8]) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/file.webm"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

/// What a program prints. A program that is not there is an error: the tests need it.
private func run(_ program: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) failed")
    return String(decoding: output, as: UTF8.self)
}
