import CallbotTesting
import Capture
import Foundation
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

@Test func callIsKeptAsItWas() throws {
    let scene = try Scene()
    let capture = scene.capture
    capture.record(
        .joined(Participant(id: ParticipantID("9"), name: "Recorder"), roomDescription: "Daily ☕"), at: .zero)
    scene.join("4711", "Åsa")
    scene.start(1, of: "4711", .microphone)
    scene.start(2, of: "4711", .camera)
    for time in stride(from: Int64(100), to: 5000, by: 20) {
        capture.frame(sound(at: time), of: TrackID(1))
        if time % 40 == 0 {
            let size = time == 1000 ? small : time == 3000 ? large : nil
            capture.frame(picture(at: time, key: size), of: TrackID(2))
        }
        capture.tick(at: .ms(time))
    }
    capture.record(.chat(ChatMessage(kind: .message, sender: "asa", name: "Åsa", text: "hej")), at: .ms(2000))
    capture.record(.participantLeft(ParticipantID("4711"), .quit), at: .ms(5000))
    capture.finish(at: .ms(6123), stopped)
    #expect(scene.failures().isEmpty)

    let manifest = try scene.read()
    #expect(manifest.state == .finished && manifest.duration == .milliseconds(6123) && manifest.end == stopped)
    #expect(manifest.bot?.name == "Recorder" && manifest.room.description == "Daily ☕")
    #expect(manifest.recipe == Scene.manifest.recipe)
    #expect(
        manifest.participants == [
            RecordedParticipant(
                id: ParticipantID("4711"), name: "Åsa", stays: [.init(from: .zero, to: .ms(5000), departure: .quit)])
        ])
    let audio = try #require(manifest.tracks.first)
    #expect(audio.file == "tracks/01-Åsa-microphone.webm" && audio.frames == 245 && audio.bytes == 245 * 31)
    #expect(audio.firstFrame == .ms(100) && audio.lastFrame == .ms(4980))
    #expect(audio.channels == 1 && audio.ended == .ms(6123))
    let video = try #require(manifest.tracks.last)
    // Every 40 ms from 120 to 4960, without the 22 before the keyframe at 1000.
    #expect(video.file == "tracks/02-Åsa-camera.webm" && video.frames == 100 && video.dropped.beforeKeyframe == 22)
    #expect(video.sizes == [.init(at: .ms(1000), size: small), .init(at: .ms(3000), size: large)])
    for file in manifest.files {
        #expect(try SmallFile.length(of: scene.folder + "/" + file.path) == file.bytes, "\(file.path)")
    }
    #expect(Set(manifest.files.map(\.kind)) == [.journal, .track, .chat, .subtitles, .report])

    let sounds = try WebMReader(path: scene.folder + "/tracks/01-Åsa-microphone.webm")
    #expect(sounds.tracks.first?.channels == 1 && sounds.tracks.first?.codecDelay == .zero)
    #expect(sounds.duration == .milliseconds(6123) && sounds.dateUTC == Scene.manifest.origin)
    #expect(sounds.title == "Åsa (microphone)")
    for time in stride(from: Int64(100), to: 5000, by: 20) {
        let next = try #require(try sounds.nextSent())
        #expect(next.frame.time == .ms(time) && next.frame.payload == sound(at: time).payload)
    }
    #expect(try sounds.nextSent() == nil)
    #expect(sounds.isComplete && sounds.cueCount >= 4)
    #expect(sounds.tags.contains(WebMTag(trackUID: nil, name: "PARTICIPANT_NAME", value: "Åsa")))
    let pictures = try WebMReader(path: scene.folder + "/tracks/02-Åsa-camera.webm")
    #expect(pictures.tracks.first?.size == small && pictures.duration == .milliseconds(6123))
    while try pictures.nextFrame() != nil {}
    #expect(pictures.cueCount == 2)

    let events = try scene.journal()
    #expect(events.first == .recordingStarted(RecordingID("20261130T040728Z-k3f9")))
    #expect(events.last == .recordingEnded(stopped))
    #expect(events.contains(.framesDropped(TrackID(2), count: 22, reason: "before the first keyframe")))
    let subtitles = String(decoding: try SmallFile.read(scene.folder + "/chat.vtt"), as: UTF8.self)
    #expect(subtitles.contains("00:00:02.000 --> 00:00:07.000\n<v Åsa>hej"))
}

@Test func everythingIsPrivate() throws {
    let scene = try Scene()
    scene.start(1, of: "1", .microphone)
    scene.capture.frame(sound(at: 0), of: TrackID(1))
    scene.capture.record(.chat(ChatMessage(kind: .message, sender: "a", name: nil, text: "x")), at: .zero)
    scene.capture.finish(at: .ms(20), stopped)
    var files = 0
    let entries = FileManager.default.enumerator(atPath: scene.archive)
    while let entry = entries?.nextObject() as? String {
        let attributes = try FileManager.default.attributesOfItem(atPath: scene.archive + "/" + entry)
        let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
        let mode = attributes[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == (isFolder ? 0o700 : 0o600), "\(entry)")
        files += isFolder ? 0 : 1
    }
    #expect(files == 6)
}

@Test func thereAreNoEmptyFiles() throws {
    let scene = try Scene()
    scene.start(1, of: "1", .microphone)
    scene.start(2, of: "1", .camera)
    scene.start(3, of: "1", .camera, codec: .h264)
    scene.capture.frame(picture(at: 40), of: TrackID(2))
    scene.capture.frame(EncodedFrame(codec: .h264, time: .zero, isKeyframe: true, payload: [1]), of: TrackID(3))
    scene.capture.tick(at: .ms(1000))
    scene.capture.finish(at: .ms(2000), stopped)
    #expect(try Folder.entries(scene.folder) == ["events.jsonl", "recording.json", "report.json"])
    let tracks = try scene.read().tracks
    #expect(tracks.map(\.file) == [nil, nil, nil] && tracks.map(\.dropped.total) == [0, 1, 1])
    #expect(scene.failures().isEmpty)
}

@Test func framesFromBeforeTheOriginAreCounted() throws {
    let scene = try Scene()
    scene.start(1, of: "1", .microphone)
    for time in [-40, -20, 0, 20] as [Int64] { scene.capture.frame(sound(at: time), of: TrackID(1)) }
    scene.capture.frame(sound(at: 20), of: TrackID(8))
    scene.capture.finish(at: .ms(100), stopped)
    let track = try #require(try scene.read().tracks.first)
    #expect(track.frames == 2 && track.dropped.beforeOrigin == 2 && track.firstFrame == .zero)
    let events = try scene.journal()
    #expect(events.contains(.framesDropped(TrackID(1), count: 2, reason: "before the recording's start")))
    #expect(events.contains(.failed("1 frames of tracks that never started", file: nil)))
}

@Test(arguments: [(false, TrackSource.microphone, 1), (true, .microphone, 2), (false, .screenShareAudio, 2)])
func channelsComeFromTheFirstPacket(isStereo: Bool, source: TrackSource, channels: Int) throws {
    let scene = try Scene()
    scene.start(1, of: "1", source)
    scene.capture.frame(sound(at: 0, stereo: isStereo), of: TrackID(1))
    scene.capture.finish(at: .ms(20), stopped)
    let track = try #require(try scene.read().tracks.first)
    #expect(track.channels == channels)
    let reader = try WebMReader(path: scene.folder + "/" + (track.file ?? ""))
    #expect(reader.tracks.first?.channels == channels)
}

@Test func endedTrackIsCompleteAfterALingerAndLastsAsLongAsTheCall() throws {
    let scene = try Scene()
    scene.start(1, of: "1", .microphone)
    scene.capture.frame(sound(at: 0), of: TrackID(1))
    scene.capture.record(.trackEnded(TrackID(1)), at: .ms(100))
    scene.capture.frame(sound(at: 80), of: TrackID(1))
    scene.capture.tick(at: .ms(2500))
    let path = scene.folder + "/tracks/01-1-microphone.webm"
    #expect(try WebMReader(path: path).duration == nil)
    scene.capture.frame(sound(at: 90), of: TrackID(1))
    scene.capture.tick(at: .ms(3200))
    #expect(try WebMReader(path: path).duration == .milliseconds(3200))
    scene.capture.frame(sound(at: 100), of: TrackID(1))
    scene.capture.finish(at: .ms(60_000), stopped)
    let reader = try WebMReader(path: path)
    #expect(reader.duration == .milliseconds(60_000))
    var times: [Int64] = []
    while let next = try reader.nextSent() { times.append(next.frame.time.milliseconds) }
    #expect(times == [0, 80, 90] && reader.isComplete)
    let track = try #require(try scene.read().tracks.first)
    #expect(track.frames == 3 && track.dropped.afterEnd == 1 && track.ended == .ms(100))
}

@Test func manyTracksOverACallNeedFewDescriptors() throws {
    func openInFolder(_ folder: String) throws -> Int {
        try Folder.entries("/proc/self/fd").count { entry in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + entry)
            return target?.hasPrefix(folder) ?? false
        }
    }
    let scene = try Scene()
    var most = 0
    for number in 1...600 {
        let time = Int64(number * 100)
        scene.start(number, of: "p\(number)", .microphone, at: time)
        scene.capture.frame(sound(at: time), of: TrackID(number))
        scene.capture.record(.trackEnded(TrackID(number)), at: .ms(time + 50))
        scene.capture.tick(at: .ms(time + 90))
        if number % 50 == 0 { most = max(most, try openInFolder(scene.folder)) }
    }
    scene.capture.finish(at: .ms(700_000), stopped)
    #expect(scene.failures().isEmpty)
    #expect(most > 2 && most < 50)
    let tracks = try scene.read().tracks
    #expect(tracks.count == 600)
    for track in tracks {
        #expect(try WebMReader(path: scene.folder + "/" + (track.file ?? "")).duration == .milliseconds(700_000))
    }
}

@Test func recordingHoldsItsLockAndOverwritesNothing() throws {
    let scene = try Scene()
    let locked = #expect(throws: StorageError.self) { _ = try FileLock(folder: scene.folder) }
    #expect(locked?.cause == .locked)
    let exists = #expect(throws: StorageError.self) {
        _ = try Capture(at: .archive(scene.archive), manifest: Scene.manifest, room: "Daily")
    }
    #expect(exists?.cause == .exists)
    let exact = #expect(throws: StorageError.self) {
        _ = try Capture(at: .folder(scene.folder), manifest: Scene.manifest, room: "")
    }
    #expect(exact?.cause == .exists)
    #expect(try scene.read().state == .recording)
}

@Test func placeIsCheckedBeforehand() throws {
    let scene = try Scene()
    let exists = #expect(throws: StorageError.self) { try Capture.check(.folder(scene.folder)) }
    #expect(exists?.cause == .exists)
    #expect(throws: StorageError.self) { try Capture.check(.archive("/proc/archive")) }
    #expect(throws: StorageError.self) { try Capture.check(.archive(scene.folder + "/recording.json/x")) }
    try Capture.check(.folder(scene.temporary.path + "/new/recording"))
    try Capture.check(.archive(scene.archive))
    #expect(!Folder.exists(scene.temporary.path + "/new/recording"))
}

@Test func aFileThatCannotBeMadeStopsNoOther() throws {
    let scene = try Scene()
    scene.start(1, of: "1", .microphone)
    scene.start(2, of: "2", .microphone)
    // What is in the way of the first track's file.
    try Folder.create(scene.folder + "/tracks/01-1-microphone.webm")
    for time in [0, 20, 40] as [Int64] {
        scene.capture.frame(sound(at: time), of: TrackID(1))
        scene.capture.frame(sound(at: time), of: TrackID(2))
    }
    let failures = scene.failures()
    #expect(failures.count == 1 && failures.first?.cause == .exists)
    scene.capture.finish(at: .ms(60), stopped)
    let tracks = try scene.read().tracks
    #expect(tracks[0].failure == "it is there already" && tracks[0].frames == 0 && tracks[0].dropped.afterEnd == 2)
    #expect(tracks[1].failure == nil && tracks[1].frames == 3)
    let failed = JournalEvent.failed("cannot create: it is there already", file: "tracks/01-1-microphone.webm")
    #expect(try scene.journal().contains(failed))
}

@Test func filesOfOthersAreListed() throws {
    let scene = try Scene()
    scene.capture.list(RecordingFile(path: "call.webm", kind: .composite, bytes: 1))
    scene.capture.finish(at: .ms(60), stopped)
    let file = RecordingFile(path: "call.webm", kind: .composite, bytes: 2)
    scene.capture.list(file)
    #expect(try scene.read().files.filter { $0.kind == .composite } == [file])
}

@Test func allThatIsWrittenIsOnThePage() throws {
    let page = try FormatPage()
    let scene = try Scene()
    scene.join("1", "Åsa")
    scene.start(1, of: "1", .microphone)
    scene.start(2, of: "1", .camera)
    scene.capture.frame(sound(at: 0), of: TrackID(1))
    scene.capture.frame(picture(at: 0, key: small), of: TrackID(2))
    scene.capture.record(.chat(ChatMessage(kind: .message, sender: "asa", name: "Åsa", text: "hej")), at: .ms(2000))
    scene.capture.finish(at: .ms(3000), stopped)
    func keys(_ value: JSONValue, _ path: String = "") -> [String] {
        if path == "recipe" { return [path] }
        if let array = value.array { return array.flatMap { keys($0, path + "[]") } }
        return value.object?.members.flatMap { keys($0.value, path.isEmpty ? $0.key : path + "." + $0.key) } ?? [path]
    }
    let manifest = try JSONValue(parsing: SmallFile.read(scene.folder + "/recording.json"))
    let documented = try #require(page.keys["recording.json"])
    #expect(Set(keys(manifest)).subtracting(documented) == [])
    for line in try SmallFile.read(scene.folder + "/events.jsonl").split(separator: 0x0A) {
        let entry = try JSONValue(parsing: Array(line))
        let documented = page.events[entry["event"]?.string ?? ""] ?? []
        let undocumented = Set(entry.object?.keys ?? []).subtracting(["at", "wall", "event"]).subtracting(documented)
        #expect(undocumented == [])
    }
}

/// After hours of coming and going the manifest is long; to write all of it every two seconds would take the disk.
@Test(arguments: [(2, 29...31), (1000, 14...24)])
func longManifestIsWrittenLessOften(tracks: Int, expected: ClosedRange<Int>) throws {
    let scene = try Scene()
    for number in 1...tracks { scene.start(number, of: "4711", .camera) }
    var last: UInt = 0
    var writes = 0
    for second in Int64(0)..<60 {
        scene.join("\(second)", "Somebody", at: second * 1000)
        scene.capture.tick(at: .ms(second * 1000))
        var facts = stat()
        #expect(stat(scene.folder + "/recording.json", &facts) == 0)
        if facts.st_ino != last { writes += 1 }
        last = facts.st_ino
    }
    #expect(expected ~= writes)
}
