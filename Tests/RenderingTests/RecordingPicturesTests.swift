import CallbotTesting
import Capture
import Composition
import JSON
import MediaEngines
import MediaTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing

@testable import Rendering

/// A finished recording of ten seconds with a composite: red, then blue from 5 s on, and a tone from 2 s to 4 s.
private struct PicturedRecording {
    let temporary: TemporaryFolder
    let folder: String

    init(finishing: Bool = true, hasComposite: Bool = true) throws {
        temporary = try TemporaryFolder()
        folder = temporary.path + "/recording"
        var call = SyntheticCall()
        call.join("Ana", at: 0)
        call.start(1, of: "Ana", .microphone, at: 0)
        call.start(2, of: "Ana", .camera, at: 0)
        try call.sing(1, 0..<10_000, hertz: 440) { 2000..<4000 ~= $0 ? 0.5 : 0 }
        try call.film(2, 0..<10_000) { Colour($0 < 5000 ? 0xC02020 : 0x2030C0) }
        call.add(.speaking(ParticipantID("Ana"), isSpeaking: true), at: 2000)
        call.add(.speaking(ParticipantID("Ana"), isSpeaking: false), at: 4000)
        let manifest = RecordingManifest(
            id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
            room: .init(address: "janus+ws://127.0.0.1:8188/1234", description: "Daily"),
            origin: WallTime(microseconds: 1_796_011_648_123_000))
        let capture = try Capture(at: .folder(folder), manifest: manifest, room: "Daily")
        for (time, item) in call.sorted {
            switch item {
            case .event(let event): capture.record(event, at: time)
            case .frame(let frame, let id): capture.frame(frame, of: id)
            }
            capture.tick(at: time)
        }
        guard finishing else { return }
        capture.finish(at: .ms(10_000), RecordingEnding(reason: "stopped"))
        guard hasComposite else { return }
        _ = try RecordingRendering(folder: folder, settings: .small).render(to: path(FileNaming.composite))
    }

    func path(_ file: String) -> String { folder + "/" + file }
    func read(_ file: String) throws -> [UInt8] { try SmallFile.read(path(file)) }
    func json(_ file: String) throws -> JSONValue { try JSONValue(parsing: try read(file)) }

    func manifest() throws -> RecordingManifest { try RecordingManifest(parsing: read(FileNaming.manifest)) }

    func make(isForced: Bool = false, progress: @escaping (Double) -> Bool = { _ in true }) throws
        -> RecordingPictures.Outcome
    {
        var pictures = RecordingPictures(folder: folder)
        pictures.isForced = isForced
        return try pictures.make(progress: progress)
    }
}

private let allPictures = ["poster.jpg", "speaking.json", "thumbnails.jpg", "thumbnails.vtt", "waveform.json"]

@Suite struct RecordingPicturesTests {
    @Test func allIsMadeOnceAndListed() throws {
        let recording = try PicturedRecording()
        let outcome = try recording.make()
        #expect(outcome.made.sorted() == allPictures && outcome.problems == [])
        let listed = try recording.manifest().files
        for file in allPictures {
            let bytes = try SmallFile.length(of: recording.path(file))
            #expect(listed.contains { $0.path == file && $0.bytes == bytes }, "\(file)")
        }
        #expect(listed.first { $0.path == "waveform.json" }?.kind == .waveform)
        let manifest = try recording.read(FileNaming.manifest)
        #expect(try recording.make().made == [])
        #expect(try recording.read(FileNaming.manifest) == manifest)
        #expect(try recording.make(isForced: true).made.sorted() == allPictures.filter { $0 != "poster.jpg" })
    }

    @Test func thumbnailsShowTheirPartOfTheCall() throws {
        let recording = try PicturedRecording()
        _ = try recording.make()
        let sheet = try PictureFile.read(recording.read(FileNaming.thumbnails))
        #expect(sheet.size == PixelSize(width: 800, height: 90))
        let canvas = Canvas(size: sheet.size)
        canvas.draw(sheet, into: PixelRectangle(sheet.size))
        // 1 s, 3 s, and from 5 s on.
        for (index, isRed) in [true, true, false, false, false].enumerated() {
            let pixel = canvas.pixel(atX: index * 160 + 80, y: 45)
            #expect((pixel.red > pixel.blue) == isRed, "\(index)")
        }
        let cues = String(decoding: try recording.read(FileNaming.thumbnailCues), as: UTF8.self)
        #expect(cues.contains("00:00:08.000 --> 00:00:10.000\nthumbnails.jpg#xywh=640,0,160,90\n"))
        let poster = try PictureFile.read(recording.read(FileNaming.poster))
        #expect(poster.size == RenderSettings.small.size)
    }

    @Test(arguments: [true, false]) func theWaveformIsThatOfTheSound(hasComposite: Bool) throws {
        let recording = try PicturedRecording(hasComposite: hasComposite)
        let outcome = try recording.make()
        #expect(outcome.made.sorted() == (hasComposite ? allPictures : ["speaking.json", "waveform.json"]))
        let json = try recording.json(FileNaming.waveform)
        let peaks = try #require(json["peaks"]?.array?.compactMap { $0.integer })
        #expect(peaks.count == 200 && json["interval"]?.integer == 50_000)
        #expect(peaks[42..<78].allSatisfy { 100...160 ~= $0 }, "\(peaks[42..<78])")
        #expect(peaks[..<38].allSatisfy { $0 < 8 } && peaks[83...].allSatisfy { $0 < 8 })
        let person = try recording.json(FileNaming.speaking)["people"]?[0]
        #expect(person?["time"]?.integer == 2_000_000 && person?["turns"]?.integer == 1)
    }

    @Test func whatIsOlderThanTheCompositeIsMadeAnew() throws {
        let recording = try PicturedRecording()
        _ = try recording.make()
        let composite = try recording.read(FileNaming.composite)
        // Another file, written later.
        try AtomicFile.replace(recording.path(FileNaming.composite), with: composite)
        #expect(try recording.make().made.sorted() == ["thumbnails.jpg", "thumbnails.vtt", "waveform.json"])
    }

    @Test func whatIsStillMadeOrWasCutShortIsRefused() throws {
        let recording = try PicturedRecording(finishing: false)
        #expect(throws: RecordingPictures.Failure.cutShort(recording.folder)) { try recording.make() }
        let lock = try FileLock(folder: recording.folder)
        #expect(throws: RecordingPictures.Failure.running(recording.folder)) { try recording.make() }
        withExtendedLifetime(lock) {}
        #expect(throws: RecordingPictures.Failure.notARecording(recording.temporary.path)) {
            try RecordingPictures(folder: recording.temporary.path).make()
        }
        let names = try Folder.entries(recording.folder)
        #expect(!names.contains { allPictures.contains($0) })
    }

    @Test func somebodyElseAtWorkIsLeftAlone() throws {
        let recording = try PicturedRecording()
        var lock: FileLock? = try FileLock(folder: recording.folder)
        #expect(throws: RecordingPictures.Failure.busy(recording.folder)) { try recording.make() }
        withExtendedLifetime(lock) { lock = nil }
        let composite = try recording.read(FileNaming.composite)
        var isFirst = true
        #expect(throws: RecordingPictures.Failure.changed(recording.folder)) {
            try recording.make { _ in
                if isFirst { try? AtomicFile.replace(recording.path(FileNaming.composite), with: composite) }
                isFirst = false
                return true
            }
        }
        #expect(!Folder.exists(recording.path(FileNaming.waveform)))
    }

    @Test func itCanBeStoppedAndLeavesNothing() throws {
        let recording = try PicturedRecording()
        let before = try Folder.entries(recording.folder).sorted()
        for limit in [0.0, 0.3, 0.7] {
            #expect(throws: RecordingPictures.Failure.stopped) { try recording.make { $0 < limit } }
        }
        #expect(try Folder.entries(recording.folder).sorted() == before)
    }

    @Test func aCompositeThatCannotBeUsedDoesNoHarm() throws {
        let recording = try PicturedRecording()
        let composite = try recording.read(FileNaming.composite)
        var random = SeededGenerator(seed: 5)
        for round in 0..<20 {
            var broken = Array(composite[..<Int.random(in: 0...composite.count, using: &random)])
            for _ in 0..<(round % 7) where !broken.isEmpty {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try AtomicFile.replace(recording.path(FileNaming.composite), with: broken)
            let outcome = try recording.make(isForced: true)
            // There is a waveform in any case: of the tracks, if need be.
            #expect(outcome.made.contains(FileNaming.waveform))
        }
        try AtomicFile.replace(recording.path(FileNaming.composite), with: Array("not a film".utf8))
        let outcome = try recording.make(isForced: true)
        #expect(
            outcome.problems == ["call.webm cannot be used: it is no whole WebM file; 'callbot repair' may help"])
        #expect(outcome.made.sorted() == [FileNaming.speaking, FileNaming.waveform])
    }
}
