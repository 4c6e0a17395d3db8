import CallbotTesting
import Foundation
import MediaTypes
import Testing

@testable import WebM

/// Files that FFmpeg made, cut at random and repaired: FFmpeg finds in them what was whole, and nothing to complain of.
@Suite struct ForeignRepairTests {
    private struct Packet: Hashable {
        var stream: Substring
        var time: Substring
        var size: Substring
    }

    @Test(arguments: [
        ["-c:v", "libvpx", "-g", "5", "-c:a", "libopus", "-f", "webm"],
        ["-c:v", "libvpx", "-g", "5", "-c:a", "libopus", "-live", "1", "-f", "webm"],
        ["-c:v", "libvpx-vp9", "-g", "5", "-c:a", "libvorbis", "-cluster_time_limit", "300", "-f", "webm"],
        ["-c:v", "mpeg4", "-g", "5", "-bf", "2", "-c:a", "flac", "-f", "matroska"],
    ])
    func foreignFilesAreRepaired(options: [String]) throws {
        let folder = try TemporaryFolder()
        let made = folder.path + "/made"
        let inputs = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=3", "-f", "lavfi", "-i", "sine=d=3"]
        // Through a pipe, as a browser or a streamer writes: nothing can be put in later.
        try run(["sh", "-c", "\"$@\" > \(made)", "sh", "ffmpeg", "-v", "error"] + inputs + options + ["-"])
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: made)))
        let packets = try packets(of: whole, in: folder)
        #expect(packets.count > 50)
        var generator = SeededGenerator(seed: 5)
        let lengths =
            [whole.count] + (0..<6).map { _ in Int.random(in: whole.count / 3..<whole.count, using: &generator) }
        for length in lengths {
            let repaired = try RepairedFile(Array(whole[..<length]))
            let found = try self.packets(of: repaired.bytes, in: folder)
            let expected = repaired.survey.tracks.reduce(0) { $0 + $1.frames }
            #expect(found.count == expected && found == Array(packets.prefix(expected)), "cut to \(length)")
            let duration = try run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", folder.path + "/file"])
            let end = try #require(Double(duration.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(abs(end - repaired.survey.end.seconds) < 0.002)
            #expect(RepairedFile.survey(of: repaired.bytes).isWhole)
            try seek(in: folder.path + "/file", to: end / 2)
        }
    }

    /// Cues lead to the keyframe before.
    private func seek(in path: String, to time: Double) throws {
        let output = try run(
            [
                "ffprobe", "-v", "error", "-read_intervals", "\(time)%+#1", "-select_streams", "v", "-show_entries",
                "packet=pts_time,flags", "-of", "csv=p=0", path,
            ])
        let words = output.split(separator: "\n")[0].split(separator: ",")
        let found = try #require(Double(words[0]))
        #expect(found <= time && found > time - 1 && words[1].hasPrefix("K"), "\(found) for \(time)")
    }

    private func packets(of bytes: [UInt8], in folder: TemporaryFolder) throws -> [Packet] {
        let path = folder.path + "/file"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let output = try run(
            ["ffprobe", "-v", "error", "-show_entries", "packet=stream_index,pts_time,size", "-of", "csv=p=0", path])
        return output.split(separator: "\n").map { line in
            let words = line.split(separator: ",")
            return Packet(stream: words[0], time: words[1], size: words[2])
        }
    }

    /// What a program prints; that it complains of something is an error.
    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = complaints.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(
            process.terminationStatus == 0 && complaint.isEmpty,
            "\(words[0]): \(String(decoding: complaint, as: UTF8.self))")
        return String(decoding: text, as: UTF8.self)
    }
}
