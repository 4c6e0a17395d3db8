import CallbotTesting
import Capture
import EventLoop
import Foundation
import JSON
import MediaEngines
import MediaTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

@testable import Recording

/// A recording whose recorder was stopped in the middle, and what is made of it.
@Suite struct RecordingRepairTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path + "/20261130T040728Z-k3f9-Daily" }
    private let manifest = RecordingManifest(
        id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
        room: .init(address: "janus+ws://127.0.0.1:8188/1234"), origin: WallTime(microseconds: 1_796_011_648_123_000),
        recipe: ["name": "Recorder"])

    init() throws { temporary = try TemporaryFolder() }

    /// Four seconds of Ada's picture and sound, a chat message and a mark; a recorder that is killed at 3.5 s.
    private func crash() throws {
        var call = SyntheticCall()
        call.join("ada", at: 0)
        call.start(1, of: "ada", .camera, at: 0)
        call.start(2, of: "ada", .microphone, at: 0)
        call.add(.chat(ChatMessage(kind: .message, sender: "ada", name: "Ada", text: "hej")), at: 1000)
        try call.film(1, 0..<3500) { _ in Colour(0xC02020) }
        try call.sing(2, 0..<3500, hertz: 440)
        let capture = try Capture(at: .folder(folder), manifest: manifest, room: "1234")
        capture.note(.control(.mark("One")), at: .ms(500))
        for (time, item) in call.sorted {
            switch item {
            case .event(let event): capture.record(event, at: time)
            case .frame(let frame, let track): capture.frame(frame, of: track)
            }
            capture.tick(at: time)
        }
        // Killed in the middle of a write.
        for (file, tail) in [("events.jsonl", #"{"at":3499000,"ev"#), ("chat.jsonl", "{"), (camera, "\u{1F}C")] {
            try AppendFile(reopening: folder + "/" + file).append(Array(tail.utf8))
        }
        try AppendFile(creating: folder + "/" + camera + FileReplacement.suffix).append([1])
    }

    private let camera = "tracks/01-ada-camera.webm"
    private let microphone = "tracks/02-ada-microphone.webm"

    private var recipe: CompositeRecipe {
        var recipe = CompositeRecipe()
        recipe.size = PixelSize(width: 320, height: 180)
        recipe.frameRate = 10
        return recipe
    }

    private func repair(composite: Bool = false) throws -> [RecordingRepair.Report] {
        var reports: [RecordingRepair.Report] = []
        let recipe = recipe
        let repair = RecordingRepair(
            folder: folder, software: "callbot test", composite: composite ? { _ in recipe } : nil,
            say: { reports.append($0) })
        try repair.run()
        return reports
    }

    private func read() throws -> RecordingManifest {
        try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json"))
    }

    /// Everything in the folder, by name.
    private func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for place in ["", "tracks/"] where Folder.isFolder(folder + "/" + place) {
            for name in try Folder.entries(folder + "/" + place) where name != "tracks" {
                contents[place + name] = try SmallFile.read(folder + "/" + place + name)
            }
        }
        return contents
    }

    @Test func aKilledRecordingIsWholeAfterwards() throws {
        try crash()
        let reports = try repair(composite: true)
        #expect(!reports.contains { $0.isFailure }, "\(reports)")
        let manifest = try read()
        let duration = try #require(manifest.duration)
        #expect(manifest.state == .interrupted && manifest.end?.reason == "interrupted")
        #expect(duration >= .seconds(3) && duration <= .milliseconds(3500))
        #expect(
            manifest.participants.map(\.name) == ["ada"] && manifest.participants[0].stays[0].to == .zero + duration)
        #expect(manifest.tracks.map(\.file) == [camera, microphone])
        #expect(manifest.tracks.allSatisfy { $0.frames > 70 && $0.ended == .zero + duration })
        for file in [camera, microphone, "call.webm"] {
            let reader = try WebMReader(path: folder + "/" + file)
            while try reader.nextFrame() != nil {}
            #expect(reader.isComplete && reader.cueCount > 0, "\(file)")
            let stated = try #require(reader.duration)
            #expect(abs((stated - duration).microseconds) < 1000, "\(file)")
            #expect(reader.tags.contains { $0.name == "ROOM" }, "\(file)")
            if file == "call.webm" { #expect(reader.chapters.map(\.title) == ["One"]) }
        }
        let (entries, unreadable) = JournalEntry.entries(in: try SmallFile.read(folder + "/events.jsonl"))
        #expect(unreadable == 0 && entries.last?.at == .zero + duration)
        #expect(try String(decoding: SmallFile.read(folder + "/chat.vtt"), as: UTF8.self).contains("<v Ada>hej"))
        #expect(Set(manifest.files.map(\.kind)) == [.journal, .track, .chat, .subtitles, .composite, .poster, .report])
        for file in manifest.files { #expect(try SmallFile.length(of: folder + "/" + file.path) == file.bytes) }
        #expect(try Folder.entries(folder + "/tracks").count == 2)

        let before = try contents()
        let second = try repair(composite: true)
        #expect(Set(second.map(\.text)) == ["whole"] && second.count == 3)
        #expect(try contents() == before)
    }

    @Test(arguments: [nil, "{\"version\": 1, \"id\""])
    func aLostManifestIsMadeAnew(text: String?) throws {
        try crash()
        SmallFile.remove(folder + "/recording.json")
        if let text { try AppendFile(creating: folder + "/recording.json").append(Array(text.utf8)) }
        #expect(try repair().contains { $0.file == "recording.json" && $0.text == "made anew" })
        let manifest = try read()
        #expect(manifest.id == self.manifest.id && manifest.origin == self.manifest.origin)
        #expect(manifest.tracks.map(\.file) == [camera, microphone] && manifest.tracks.map(\.codec) == [.vp8, .opus])
        #expect(manifest.tracks[0].sizes.map(\.size) == [PixelSize(width: 320, height: 180)])
        #expect(manifest.participants.map(\.name) == ["ada"])
    }

    /// Then all that is left is what the files say themselves.
    @Test func aLostJournalIsMadeUpForByTheFiles() throws {
        try crash()
        SmallFile.remove(folder + "/recording.json")
        SmallFile.remove(folder + "/events.jsonl")
        _ = try repair()
        let manifest = try read()
        #expect(manifest.id == self.manifest.id && manifest.origin == self.manifest.origin)
        #expect(manifest.tracks.map(\.file) == [camera, microphone])
        #expect(manifest.tracks.map(\.source) == [.camera, .microphone])
        #expect(manifest.participants.map(\.name) == ["ada"])
        #expect(try SmallFile.read(folder + "/events.jsonl").count > 0)
    }

    @Test func whatIsBeyondRepairIsLeftAndToldOf() throws {
        try crash()
        let broken = folder + "/" + microphone
        try AtomicFile.replace(broken, with: [UInt8](repeating: 0, count: 1000))
        let reports = try repair()
        #expect(reports.filter(\.isFailure).map(\.file) == [microphone])
        #expect(try SmallFile.read(broken) == [UInt8](repeating: 0, count: 1000))
        #expect(try read().state == .interrupted)
        #expect(try WebMReader(path: folder + "/" + camera).duration != nil)
    }

    @Test func aCompositeThatLacksMuchIsMadeAgain() throws {
        try crash()
        // One that ended long before the recording did.
        try TornLine.cut(off: folder + "/events.jsonl")
        try AppendFile(reopening: folder + "/events.jsonl").append(
            JournalEntry(at: .ms(12_000), event: .room(.notice("later"))).line)
        try FileManager.default.copyItem(atPath: folder + "/" + camera, toPath: folder + "/call.webm")
        let reports = try repair(composite: true)
        #expect(reports.contains { $0.file == "call.webm" && $0.text == "made anew from the tracks" })
        let reader = try WebMReader(path: folder + "/call.webm")
        #expect(reader.duration == .seconds(12) && reader.tracks.count == 2)
    }

    @Test func aRecordingThatIsBeingMadeIsLeftAlone() throws {
        let capture = try Capture(at: .folder(folder), manifest: manifest, room: "1234")
        let before = try contents()
        #expect(throws: RecordingRepair.Failure.beingRecorded) { _ = try repair() }
        #expect(try contents() == before)
        capture.finish(at: .ms(10), RecordingEnding(reason: "stopped"))
        withExtendedLifetime(capture) {}
        #expect(throws: RecordingRepair.Failure.notARecording) {
            try RecordingRepair(folder: temporary.path, software: "", composite: nil, say: { _ in }).run()
        }
    }

    @Test func aRecordingOfTheFutureIsLeftAlone() throws {
        try crash()
        var json = try JSONValue(parsing: SmallFile.read(folder + "/recording.json"))
        json["version"] = 2
        try AtomicFile.replace(folder + "/recording.json", with: json.compactUTF8)
        let before = try contents()
        #expect(throws: RecordingRepair.Failure.unsupportedVersion(2)) { _ = try repair() }
        #expect(try contents() == before)
    }

    @Test func itCanBeStopped() throws {
        try crash()
        let repair = RecordingRepair(
            folder: folder, software: "", composite: nil, say: { _ in }, progress: { _, share in share < 0.5 })
        #expect(throws: RecordingRepair.Failure.stopped) { try repair.run() }
        #expect(try self.repair().allSatisfy { !$0.isFailure })
        #expect(try read().state == .interrupted)
    }

    /// The composite of a recording that has ended is made anew, and its report says so; one that is held keeps what it has.
    @Test func aCompositeIsMadeAnew() throws {
        try crash()
        _ = try repair()
        let recipe = recipe
        func remake() throws -> [RecordingRepair.Report] {
            var reports: [RecordingRepair.Report] = []
            try RecordingRepair(
                folder: folder, software: "callbot test", composite: { _ in recipe }, remakesComposite: true,
                say: { reports.append($0) }
            ).run()
            return reports
        }
        let reports = try remake()
        #expect(reports.contains { $0.file == "call.webm" && !$0.isFailure }, "\(reports)")
        let report = try RecordingReport(parsing: SmallFile.read(folder + "/report.json"))
        #expect(report.composite?.state == .afterwards && report.composite?.degradations == [])
        #expect(!report.verdict.reasons.contains { $0.code == .composite })
        let listed = try read().files.first { $0.kind == .composite }
        #expect(try listed?.bytes == SmallFile.length(of: folder + "/call.webm"))
        let first = FileStatus(folder + "/call.webm")
        _ = try remake()
        #expect(FileStatus(folder + "/call.webm")?.inode != first?.inode)
        try AtomicFile.replace(folder + "/held", with: [])
        #expect(throws: RecordingRepair.Failure.held) { try remake() }
        SmallFile.remove(folder + "/call.webm")
        _ = try remake()
        #expect(Folder.exists(folder + "/call.webm"))
    }
}
