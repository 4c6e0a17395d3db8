import CallbotTesting
import Capture
import MediaEngines
import MediaTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

@testable import Rendering

/// Ana hums at 440 Hz and Bo at 1000 Hz, both before a camera.
private func recordedCall(in temporary: TemporaryFolder) throws -> String {
    var call = SyntheticCall()
    for (number, who, hertz) in [(1, "Ana", 440.0), (3, "Bo", 1000.0)] {
        call.join(who, at: 0)
        call.start(number, of: who, .microphone, at: 0)
        call.start(number + 1, of: who, .camera, at: 0)
        try call.sing(number, 0..<3000, hertz: hertz)
        try call.film(number + 1, 0..<3000) { _ in Colour(who == "Ana" ? 0xC02020 : 0x2030C0) }
    }
    let folder = temporary.path + "/recording"
    let capture = try Capture(
        at: .folder(folder),
        manifest: RecordingManifest(
            id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
            room: .init(address: "janus+ws://127.0.0.1:8188/1234", description: "Daily"),
            origin: WallTime(microseconds: 1_796_011_648_123_000)), room: "Daily")
    for (time, item) in call.sorted {
        switch item {
        case .event(let event): capture.record(event, at: time)
        case .frame(let frame, let id): capture.frame(frame, of: id)
        }
    }
    capture.finish(at: .ms(3000), RecordingEnding(reason: "stopped"))
    return folder
}

@Test func theSoundAloneIsTheSoundOfTheComposite() throws {
    let temporary = try TemporaryFolder()
    let folder = try recordedCall(in: temporary)
    var settings = RenderSettings.small
    let whole = MemoryOutput()
    let wholeSummary = try RecordingRendering(folder: folder, settings: settings).render(into: whole)
    let composite = try RenderedFile(whole.bytes, wholeSummary)
    settings.soundOnly = .webM
    let output = MemoryOutput()
    let summary = try RecordingRendering(folder: folder, settings: settings).render(into: output)
    let sound = try RenderedFile(output.bytes, summary)
    #expect(sound.pictures.isEmpty && summary.pictures == 0)
    #expect(sound.reader.duration == .seconds(3))
    let isSame = sound.sounds.map(\.payload) == composite.sounds.map(\.payload)
    #expect(isSame)
    settings.soundOnly = .ogg
    let ogg = MemoryOutput()
    _ = try RecordingRendering(folder: folder, settings: settings).render(into: ogg)
    #expect(ogg.bytes.starts(with: Array("OggS".utf8)))
    #expect(ogg.bytes.count > sound.sounds.reduce(0) { $0 + $1.payload.count })
}

@Test(arguments: [("Ana", 440.0, 1000.0), ("3", 1000, 440), ("Bo", 1000, 440)])
func onePersonAloneIsSeenAndHeardAlone(who: String, theirs: Double, others: Double) throws {
    let temporary = try TemporaryFolder()
    var rendering = RecordingRendering(folder: try recordedCall(in: temporary), settings: .small)
    rendering.participant = who
    let output = MemoryOutput()
    let summary = try rendering.render(into: output)
    let file = try RenderedFile(output.bytes, summary)
    #expect(abs(file.level(of: theirs, 200..<2800) - 0.3) < 0.03)
    #expect(file.level(of: others, 200..<2800) < 0.01)
    let screen = try file.screens(at: [1500])[0]
    #expect(screen.shows(Colour(theirs == 440 ? 0xC02020 : 0x2030C0), in: PixelRectangle(RenderSettings.small.size)))
}

@Test func whoWasNotThereIsNotRendered() throws {
    let temporary = try TemporaryFolder()
    var rendering = RecordingRendering(folder: try recordedCall(in: temporary), settings: .small)
    rendering.participant = "Eve"
    #expect(throws: RecordingRendering.Failure.noSuchParticipant("Eve", known: ["Ana", "Bo"])) {
        try rendering.render(into: MemoryOutput())
    }
}
