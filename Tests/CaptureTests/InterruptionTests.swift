import CallbotTesting
import Capture
import Foundation
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

@Test(arguments: [nil, Duration.seconds(1)])
func whatIsOlderThanAQuarterOfASecondIsInTheFile(synchronizing: Duration?) throws {
    let scene = try Scene(synchronizing: synchronizing)
    scene.start(1, of: "1", .microphone)
    for time in stride(from: Int64(0), to: 10_000, by: 20) {
        scene.capture.frame(sound(at: time), of: TrackID(1))
        scene.capture.tick(at: .ms(time))
        guard time % 340 == 0, time > 500 else { continue }
        let last = try lastTime(in: scene.folder + "/tracks/01-1-microphone.webm")
        #expect(time - last <= 250, "at \(time)")
    }
    #expect(scene.failures().isEmpty)
}

/// A recorder that is killed leaves the folder as it is at that moment: a copy taken then is what is left.
@Test func folderIsGoodAtEveryMoment() throws {
    let scene = try Scene()
    var generator = SeededGenerator(seed: 7)
    scene.join("1", "Åsa")
    scene.start(1, of: "1", .microphone)
    scene.start(2, of: "1", .camera)
    var moments = 0
    for time in stride(from: Int64(0), to: 8000, by: 20) {
        if time == 4000 { scene.capture.record(.trackEnded(TrackID(2)), at: .ms(time)) }
        scene.capture.frame(sound(at: time), of: TrackID(1))
        if time < 4000 {
            scene.capture.frame(picture(at: time, key: time % 2000 == 0 ? small : nil), of: TrackID(2))
        }
        scene.capture.tick(at: .ms(time))
        guard generator.chance(0.1) else { continue }
        moments += 1
        let copy = try TemporaryFolder()
        let folder = copy.path + "/copy"
        try FileManager.default.copyItem(atPath: scene.folder, toPath: folder)
        #expect(try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json")).state == .recording)
        let (entries, unreadable) = JournalEntry.entries(in: try SmallFile.read(folder + "/events.jsonl"))
        #expect(unreadable == 0)
        #expect(entries.contains { $0.event == .room(.trackEnded(TrackID(2))) } == (time >= 4000))
        for (file, last) in [("01-Åsa-microphone.webm", time), ("02-Åsa-camera.webm", min(time, 3980))] {
            #expect(try last - lastTime(in: folder + "/tracks/" + file) <= 1000, "\(file) at \(time)")
        }
    }
    #expect(moments > 20)
}

/// A disk that is full: a small file system in memory, where there is the right to mount one.
@Test func fullDiskLosesNothingThatWasWritten() throws {
    let temporary = try TemporaryFolder()
    guard try run("/bin/mount", "-t", "tmpfs", "-o", "size=256k", "none", temporary.path) == 0 else { return }
    defer { _ = try? run("/bin/umount", "-l", temporary.path) }
    let capture = try Capture(at: .archive(temporary.path), manifest: Scene.manifest, room: "full")
    for number in 1...2 { capture.record(.trackStarted(publication(number, of: "1", .camera)), at: .zero) }
    for time in stride(from: Int64(0), to: 60_000, by: 40) {
        for number in 1...2 { capture.frame(picture(at: time, key: time == 0 ? small : nil), of: TrackID(number)) }
        if time % 1000 == 0 { capture.record(.notice(String(repeating: "x", count: 100)), at: .ms(time)) }
        capture.tick(at: .ms(time))
    }
    capture.finish(at: .ms(60_000), stopped)
    let failures = allFailures(of: capture)
    #expect(failures.count >= 2 && failures.count < 10, "\(failures)")
    #expect(failures.allSatisfy { $0.cause == .noSpace })
    for number in 1...2 {
        let reader = try WebMReader(path: capture.folder + "/tracks/0\(number)-1-camera.webm")
        var frames = 0
        while try reader.nextFrame() != nil { frames += 1 }
        #expect(!reader.isTruncated && frames > 500)
    }
    let (entries, _) = JournalEntry.entries(in: try SmallFile.read(capture.folder + "/events.jsonl"))
    #expect(entries.count > 10)
    _ = try RecordingManifest(parsing: SmallFile.read(capture.folder + "/recording.json"))
}

/// A disk that somebody else fills up from one moment to the next: what was kept spare is enough to end well.
@Test func fullDiskLosesNothingThatFitsIntoTheSpare() throws {
    let temporary = try TemporaryFolder()
    guard try run("/bin/mount", "-t", "tmpfs", "-o", "size=4m", "none", temporary.path) == 0 else { return }
    defer { _ = try? run("/bin/umount", "-l", temporary.path) }
    let capture = try Capture(at: .archive(temporary.path), manifest: Scene.manifest, room: "full", spare: 1 << 20)
    for number in 1...3 { capture.record(.trackStarted(publication(number, of: "1", .camera)), at: .zero) }
    var filler: [AppendFile] = []
    for time in stride(from: Int64(0), to: 10_000, by: 40) {
        if time == 5000 {
            let file = try AppendFile(creating: temporary.path + "/filler")
            for size in [1 << 16, 1 << 12] {
                while (try? file.append(Array(repeating: 0, count: size))) != nil {}
            }
            filler.append(file)
        }
        if time == 4000 { capture.record(.trackEnded(TrackID(3)), at: .ms(time)) }
        for number in 1...(time < 4000 ? 3 : 2) {
            capture.frame(picture(at: time, key: time == 0 ? small : nil), of: TrackID(number))
        }
        capture.tick(at: .ms(time))
    }
    capture.finish(at: .ms(10_000), stopped)
    let failures = allFailures(of: capture)
    #expect(!failures.isEmpty && failures.allSatisfy { $0.cause == .noSpace })
    for (number, count) in [(1, 250), (2, 250), (3, 100)] {
        let reader = try WebMReader(path: capture.folder + "/tracks/0\(number)-1-camera.webm")
        var frames = 0
        while try reader.nextFrame() != nil { frames += 1 }
        #expect(!reader.isTruncated && frames == count && reader.duration == .seconds(10))
    }
    #expect(capture.manifest.tracks.map(\.failure) == [nil, nil, nil])
    let (entries, _) = JournalEntry.entries(in: try SmallFile.read(capture.folder + "/events.jsonl"))
    if case .recordingEnded = entries.last?.event {} else { Issue.record("the journal has no end") }
    #expect(try RecordingManifest(parsing: SmallFile.read(capture.folder + "/recording.json")).state == .finished)
}

/// The time of the last frame of a file that must be whole, in milliseconds; 0 when it has none.
private func lastTime(in path: String) throws -> Int64 {
    let reader = try WebMReader(path: path)
    var last: Int64 = 0
    while let next = try reader.nextFrame() { last = next.frame.time.milliseconds }
    #expect(reader.tracks.count == 1 && !reader.isTruncated)
    return last
}

private func run(_ program: String, _ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
}
