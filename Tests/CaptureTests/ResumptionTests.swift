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

/// A recording that was killed, or ended, and is gone on with.
@Suite struct ResumptionTests {
    /// Åsa and Bo are there for four seconds of sound; then the recorder is no more.
    private func first(ending: Bool = false) throws -> (temporary: TemporaryFolder, folder: String) {
        let temporary = try TemporaryFolder()
        let folder = temporary.path + "/call"
        let capture = try Capture(at: .folder(folder), manifest: Scene.manifest, room: "Daily")
        for (id, name) in [("1", "Åsa"), ("2", "Bo")] {
            capture.record(.participantJoined(Participant(id: ParticipantID(id), name: name)), at: .ms(10))
        }
        capture.record(.trackStarted(publication(1, of: "1", .microphone)), at: .ms(100))
        capture.record(.chat(ChatMessage(kind: .message, sender: "1", name: "Åsa", text: "one")), at: .ms(200))
        for time in stride(from: Int64(200), to: 4000, by: 20) {
            capture.frame(sound(at: time), of: TrackID(1))
            capture.tick(at: .ms(time))
        }
        if ending { capture.finish(at: .ms(4000), stopped) }
        return (temporary, folder)
    }

    private func goOn(_ folder: String, at now: TimelineTime = .ms(60_000), finish: Bool = true) throws -> Capture {
        let resumption = try Resumption(of: folder)
        #expect(resumption.firstTrack == 2)
        let capture = try Capture(
            resuming: resumption, at: now, wall: Scene.manifest.origin + (now - .zero), recipe: ["name": "Again"])
        capture.record(.participantJoined(Participant(id: ParticipantID("1"), name: "Åsa")), at: now + .seconds(1))
        capture.record(.trackStarted(publication(2, of: "1", .microphone)), at: now + .seconds(1))
        capture.record(
            .chat(ChatMessage(kind: .message, sender: "1", name: "Åsa", text: "two")), at: now + .seconds(2))
        for time in stride(from: now.milliseconds + 1000, to: now.milliseconds + 3000, by: 20) {
            capture.frame(sound(at: time), of: TrackID(2))
            capture.tick(at: .ms(time))
        }
        if finish { capture.finish(at: now + .seconds(3), stopped) }
        #expect(allFailures(of: capture).isEmpty)
        return capture
    }

    private func read(_ folder: String) throws -> RecordingManifest {
        try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json"))
    }

    @Test(arguments: [false, true])
    func itIsOneRecordingAfterwards(hadEnded: Bool) throws {
        let (temporary, folder) = try first(ending: hadEnded)
        defer { withExtendedLifetime(temporary) {} }
        if !hadEnded { try AppendFile(reopening: folder + "/events.jsonl").append(Array(#"{"at":39"#.utf8)) }
        _ = try goOn(folder)
        let manifest = try read(folder)
        #expect(manifest.id == Scene.manifest.id && manifest.origin == Scene.manifest.origin)
        #expect(manifest.state == .finished && manifest.duration == .seconds(63) && manifest.end == stopped)
        #expect(manifest.recipe == ["name": "Again"])
        let interruption = try #require(manifest.interruptions.first)
        #expect(interruption.from >= .ms(3500) && interruption.from <= .ms(4000) && interruption.to == .ms(60_000))
        // Åsa was there all the while, Bo was gone when the second recorder came.
        #expect(manifest.participants.map(\.stays.count) == [1, 1])
        #expect(
            manifest.participants[0].stays[0].from == .ms(10) && manifest.participants[0].stays[0].to == .ms(63_000))
        let bo = try #require(manifest.participants[1].stays[0].to)
        #expect(bo >= .ms(3500) && bo <= .ms(4000))
        #expect(manifest.tracks.map(\.id.number) == [1, 2])
        #expect(manifest.tracks.map(\.frames).allSatisfy { $0 >= 90 } && manifest.tracks[0].ended == bo)
        for track in manifest.tracks {
            let reader = try WebMReader(path: folder + "/" + (track.file ?? ""))
            while try reader.nextFrame() != nil {}
            #expect(reader.isComplete && reader.duration == .seconds(63) && reader.cueCount > 0)
            #expect(reader.tags.contains { $0.name == "PARTICIPANT_NAME" && $0.value == "Åsa" })
        }
        for file in manifest.files { #expect(try SmallFile.length(of: folder + "/" + file.path) == file.bytes) }
        let subtitles = String(decoding: try SmallFile.read(folder + "/chat.vtt"), as: UTF8.self)
        #expect(subtitles.contains("<v Åsa>one") && subtitles.contains("00:01:02.000 --> 00:01:07.000\n<v Åsa>two"))
    }

    @Test func theJournalSaysWhatIsMissing() throws {
        let (temporary, folder) = try first()
        defer { withExtendedLifetime(temporary) {} }
        _ = try goOn(folder)
        let (entries, unreadable) = JournalEntry.entries(in: try SmallFile.read(folder + "/events.jsonl"))
        let last = try #require(try read(folder).interruptions.first?.from)
        #expect(unreadable == 0)
        #expect(entries.contains(JournalEntry(at: last, event: .room(.trackEnded(TrackID(1))))))
        #expect(
            entries.contains(
                JournalEntry(
                    at: .ms(60_000), event: .gap(nil, from: last, to: .ms(60_000), reason: "the recorder was stopped")))
        )
        let resumed = try #require(entries.first { $0.event == .recordingResumed(after: last) })
        #expect(resumed.at == .ms(60_000) && resumed.wall == Scene.manifest.origin + .seconds(60))
        // What the journal alone says is what the manifest says.
        var replayed = Scene.manifest
        replayed.follow(entries)
        let manifest = try read(folder)
        #expect(replayed.participants == manifest.participants && replayed.interruptions == manifest.interruptions)
        #expect(replayed.tracks.map(\.ended) == manifest.tracks.map(\.ended))
    }

    @Test func itCanBeKilledAndGoneOnWithAgainAndAgain() throws {
        let (temporary, folder) = try first()
        defer { withExtendedLifetime(temporary) {} }
        do { _ = try goOn(folder, finish: false) }
        let resumption = try Resumption(of: folder)
        #expect(resumption.firstTrack == 3 && resumption.last >= .ms(62_400) && resumption.last <= .ms(63_000))
        let capture = try Capture(
            resuming: resumption, at: .ms(90_000), wall: Scene.manifest.origin + .seconds(90), recipe: nil)
        capture.finish(at: .ms(91_000), stopped)
        let manifest = try read(folder)
        #expect(manifest.interruptions.count == 2 && manifest.duration == .seconds(91))
        #expect(manifest.participants[0].stays.map(\.to) == [resumption.last])
        for track in manifest.tracks {
            #expect(try WebMReader(path: folder + "/" + (track.file ?? "")).duration == .seconds(91))
        }
    }

    @Test func whatCannotBeGoneOnWithIsLeftAlone() throws {
        let (temporary, folder) = try first()
        #expect(throws: Resumption.Failure.notARecording) { _ = try Resumption(of: temporary.path) }
        #expect(throws: Resumption.Failure.notARecording) { _ = try Resumption(of: temporary.path + "/nowhere") }
        let held = try Resumption(of: folder)
        #expect(throws: Resumption.Failure.beingRecorded) { _ = try Resumption(of: folder) }
        withExtendedLifetime(held) {}
    }
}
