import CallbotTesting
import Capture
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

/// Tracks that have ended leave memory, and nothing that is written shows it.
@Suite struct EndedTracksTests {
    /// Somebody comes at a time, says and shows something for two seconds, and leaves.
    private func visit(_ number: Int, of scene: Scene, at start: Int64, upTo end: Int64) {
        let (capture, id) = (scene.capture, "\(number)")
        let (sounds, pictures) = (TrackID(2 * number - 1), TrackID(2 * number))
        scene.join(id, "Visitor \(number)", at: start)
        for (track, source) in [(sounds, TrackSource.microphone), (pictures, .camera)] {
            let section = MediaSectionID("\(track.number)")
            let kind: MediaKind = source == .camera ? .video : .audio
            capture.record(
                .trackPublished(ParticipantID(id), kind, publishedAs: section, codec: nil), at: .ms(start))
            scene.start(track.number, of: id, source, at: start)
        }
        for time in stride(from: start, to: min(start + 2000, end), by: 20) {
            capture.frame(sound(at: time), of: sounds)
            if time % 100 == 0 { capture.frame(picture(at: time, key: time == start ? small : nil), of: pictures) }
            if time % 500 == 0 {
                var figures = ReceptionFigures()
                figures.clockError = .microseconds(time % 7000)
                capture.reporting.builder.receive([sounds: figures, pictures: figures], at: .ms(time))
                capture.tick(at: .ms(time))
            }
        }
        capture.record(.trackEnded(sounds), at: .ms(start + 2000))
        capture.record(.trackEnded(pictures), at: .ms(start + 2000))
        capture.record(.participantLeft(ParticipantID(id), .quit), at: .ms(start + 2000))
    }

    /// What one more visitor leaves in memory: a name and a stay, and some numbers.
    @Test func endedTracksAreNotHeld() throws {
        let scene = try Scene()
        var held: [Int] = []
        for number in 1...90 {
            visit(number, of: scene, at: Int64(number) * 5000, upTo: .max)
            if number % 30 == 0 { held.append(heldValues(in: scene.capture)) }
        }
        #expect(scene.capture.liveTracks <= 30)
        #expect(held[2] - held[1] <= 30 * 100, "\(held)")
        scene.capture.finish(at: .ms(500_000), stopped)
        #expect(scene.failures().isEmpty)
        let manifest = try scene.read()
        #expect(manifest.tracks.map(\.id.number) == Array(1...180) && manifest.participants.count == 90)
        #expect(manifest.files.count { $0.kind == .track } == 180)
        for file in manifest.files {
            #expect(try SmallFile.length(of: scene.folder + "/" + file.path) == file.bytes, "\(file.path)")
        }
        for track in manifest.tracks {
            let file = try WebMReader(path: scene.folder + "/" + (track.file ?? ""))
            #expect(file.duration == .seconds(500), "track \(track.id)")
        }
        let report = try RecordingReport(parsing: SmallFile.read(scene.folder + "/report.json"))
        #expect(
            report.tracks.map(\.track.number) == Array(1...180) && report.verdict == scene.capture.reporting.verdict)
    }

    /// The same call twice, in one of which all is kept in memory: time did not pass until its end.
    @Test func whatIsWrittenIsTheSame() throws {
        let scenes = try (0..<2).map { _ in try Scene() }
        for (index, scene) in scenes.enumerated() { call(in: scene, passingTime: index == 0) }
        let live = scenes.map(\.capture.liveTracks)
        #expect(live[0] < live[1] && live[1] == 11)
        for scene in scenes {
            // Somebody has another name in the end; a frame comes that nobody expects; one file cannot be finished.
            scene.capture.record(.participantRenamed(ParticipantID("2"), name: "Zoë"), at: .ms(90_000))
            scene.capture.frame(sound(at: 91_000), of: TrackID(3))
            SmallFile.remove(scene.folder + "/tracks/06-Visitor-3-camera.webm")
            scene.capture.finish(at: .ms(100_000), stopped)
            #expect(scene.failures().count == 1)
        }
        for file in ["recording.json", "report.json", "events.jsonl"] {
            let texts = try scenes.map { String(decoding: try SmallFile.read($0.folder + "/" + file), as: UTF8.self) }
            #expect(texts[0] == texts[1], "\(file)")
        }
        let manifest = try scenes[0].read()
        #expect(manifest.tracks.first { $0.id == TrackID(3) }?.dropped.afterEnd == 1)
        #expect(manifest.tracks.first { $0.id == TrackID(6) }?.failure == "no such file or folder")
        #expect(scenes[0].capture.reporting.verdict?.reasons.contains { $0.text.hasPrefix("Zoë's") } == true)
        #expect(
            scenes[0].capture.reporting.verdict?.reasons.contains { $0.text.contains("could not be written") } == true)
    }

    private func call(in scene: Scene, passingTime: Bool) {
        let capture = scene.capture
        scene.join("100", "Host")
        scene.start(100, of: "100", .camera)
        for number in 1...4 {
            visit(number, of: scene, at: Int64(number) * 2500, upTo: number == 2 ? 6000 : .max)
            if number == 2 { capture.record(.trackEnded(TrackID(50)), at: .ms(7000)) }
        }
        // A track of a codec that there is no file for, and one of which nothing comes.
        scene.join("9", "Nobody", at: 12_500)
        scene.start(60, of: "9", .camera, codec: .h264, at: 12_500)
        scene.start(61, of: "9", .microphone, at: 12_500)
        capture.frame(EncodedFrame(codec: .h264, time: .ms(13_000), isKeyframe: true, payload: [1]), of: TrackID(60))
        for time in stride(from: Int64(13_000), to: 17_000, by: 200) {
            capture.frame(picture(at: time, key: time == 13_000 ? large : nil), of: TrackID(100))
        }
        for track in [60, 61] { capture.record(.trackEnded(TrackID(track)), at: .ms(17_000)) }
        // The files of all that have ended are finished.
        for time in [18_000, 21_000] as [Int64] { capture.tick(at: .ms(time)) }
        for time in stride(from: Int64(22_000), to: 90_000, by: 1000) where passingTime { capture.tick(at: .ms(time)) }
    }

    /// A break in the connection tells of the time before it, when it is over: until then, nothing is final.
    @Test func nothingIsLetGoOfWhileTheConnectionIsLost() throws {
        let scene = try Scene()
        visit(1, of: scene, at: 1000, upTo: 2000)
        visit(2, of: scene, at: 5000, upTo: .max)
        scene.capture.record(.connectionChanged(.interrupted), at: .ms(9000))
        for time in stride(from: Int64(9000), to: 90_000, by: 1000) { scene.capture.tick(at: .ms(time)) }
        #expect(scene.capture.liveTracks == 4)
        scene.capture.note(
            .gap(nil, from: .ms(1900), to: .ms(90_000), reason: "the connection was lost"), at: .ms(90_000))
        scene.capture.record(.connectionChanged(.restored), at: .ms(90_000))
        scene.capture.tick(at: .ms(91_000))
        // The last that there were may have ended with the connection, as long as nobody else sends.
        #expect(scene.capture.liveTracks == 2)
        scene.capture.finish(at: .ms(92_000), stopped)
        let report = try RecordingReport(parsing: SmallFile.read(scene.folder + "/report.json"))
        #expect(report.tracks[0].gaps.map(\.reason) == [.connection])
    }
}
