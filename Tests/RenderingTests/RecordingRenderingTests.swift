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
import WebMReading

@testable import Rendering

private let manifest = RecordingManifest(
    id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
    room: .init(address: "janus+ws://127.0.0.1:8188/1234", description: "Daily"),
    origin: WallTime(microseconds: 1_796_011_648_123_000))

/// A call in which somebody comes at 1 s, whose camera changes from red to blue at 3 s.
private func call() throws -> SyntheticCall {
    var call = SyntheticCall()
    call.join("Ana", at: 1000)
    call.start(1, of: "Ana", .microphone, at: 1000)
    call.start(2, of: "Ana", .camera, at: 1000)
    try call.sing(1, 1003..<5000, hertz: 440)
    try call.film(2, 1011..<5000) { Colour($0 < 3000 ? 0xC02020 : 0x2030C0) }
    return call
}

private func capture(
    _ call: SyntheticCall, controls: [(at: Int64, event: ControlEvent)] = [], in folder: String, until end: Int64,
    finishing: Bool = true
) throws {
    let capture = try Capture(at: .folder(folder), manifest: manifest, room: "Daily")
    var controls = controls
    for (time, item) in call.sorted {
        while let next = controls.first, .ms(next.at) <= time {
            capture.note(.control(next.event), at: .ms(next.at))
            controls.removeFirst()
        }
        switch item {
        case .event(let event): capture.record(event, at: time)
        case .frame(let frame, let id): capture.frame(frame, of: id)
        }
        capture.tick(at: time)
    }
    if finishing { capture.finish(at: .ms(end), RecordingEnding(reason: "stopped")) }
    #expect(capture.nextFailure() == nil)
}

private func rendered(_ rendering: RecordingRendering) throws -> RenderedFile {
    let output = MemoryOutput()
    let summary = try rendering.render(into: output)
    return try RenderedFile(output.bytes, summary)
}

@Test func renderingAfterTheCallIsTheSameAsLive() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/recording"
    let call = try call()
    try capture(call, in: folder, until: 5077)
    var settings = RenderSettings.small
    settings.title = "Daily"
    let live = try call.render(settings, until: 5077)
    let later = try rendered(RecordingRendering(folder: folder, settings: .small))
    #expect(later.reader.duration == .milliseconds(5077))
    #expect(later.reader.title == "Daily")
    #expect(later.pictures.map(\.time) == live.pictures.map(\.time))
    // Not the arrays themselves, which nobody would want to see printed.
    let hasSamePictures = later.pictures.map(\.payload) == live.pictures.map(\.payload)
    let hasSameSounds = later.sounds.map(\.payload) == live.sounds.map(\.payload)
    #expect(hasSamePictures && hasSameSounds)
    #expect(later.reader.tags.contains(WebMTag(trackUID: nil, name: "ACTOR", value: "Ana")))
}

/// What was asked for during the call is done again after it, unless another layout is wanted. Marks stay.
@Test func whatWasAskedForDuringTheCallIsDoneAgain() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/recording"
    let call = try call()
    let controls: [(at: Int64, event: ControlEvent)] = [
        (1500, .layout(["regions": [["name": "left", "x": 0, "y": 0, "width": 0.5, "height": 1, "who": "rest"]]])),
        (2000, .mark("Left")), (3500, .mark("Whole")), (3500, .layout("grid")),
    ]
    try capture(call, controls: controls, in: folder, until: 5000)
    var settings = RenderSettings.small
    settings.title = "Daily"
    let live = try call.render(settings, controls: controls, until: 5000)
    var rendering = RecordingRendering(folder: folder, settings: .small)
    let later = try rendered(rendering)
    let hasSamePictures = later.pictures.map(\.payload) == live.pictures.map(\.payload)
    #expect(hasSamePictures)
    let chapters = [
        WebMChapter(start: .ms(2000), end: .ms(3500), title: "Left"),
        WebMChapter(start: .ms(3500), end: .ms(5000), title: "Whole"),
    ]
    #expect(later.reader.chapters == chapters && live.reader.chapters == chapters)

    rendering.followsLayoutChanges = false
    let fixed = try rendered(rendering)
    let right = PixelRectangle(x: 240, y: 0, width: 40, height: 180)
    #expect(try fixed.screens(at: [2000])[0].shows(Colour(0xC02020), in: right))
    #expect(try later.screens(at: [2000])[0].shows(RenderSettings.small.background, in: right))
    #expect(fixed.reader.chapters == chapters)

    // What is under way where a part begins, begins there.
    rendering.followsLayoutChanges = true
    rendering.from = .ms(3000)
    rendering.to = .ms(4000)
    let part = try rendered(rendering)
    #expect(try part.screens(at: [0])[0].shows(RenderSettings.small.background, in: right))
    #expect(
        part.reader.chapters == [
            WebMChapter(start: .zero, end: .ms(500), title: "Left"),
            WebMChapter(start: .ms(500), end: .ms(1000), title: "Whole"),
        ])
    rendering.settings.soundOnly = .webM
    #expect(try rendered(rendering).reader.chapters == part.reader.chapters)
}

@Test func partOfARecordingBeginsInTheMiddleOfAStream() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/recording"
    try capture(call(), in: folder, until: 5000)
    var rendering = RecordingRendering(folder: folder, settings: .small)
    rendering.from = .ms(2500)
    rendering.to = .ms(3700)
    let part = try rendered(rendering)
    #expect(part.reader.duration == .milliseconds(1200))
    let screens = try part.screens(at: [0, 400, 600, 1100])
    let place = GridLayouter.whole
    #expect(screens[0].shows(Colour(0xC02020), in: place) && screens[1].shows(Colour(0xC02020), in: place))
    #expect(screens[2].shows(Colour(0x2030C0), in: place) && screens[3].shows(Colour(0x2030C0), in: place))
    #expect(abs(part.level(of: 440, 100..<1100) - 0.3) < 0.03)
}

@Test func recordingThatWasCutShortIsRenderedAsFarAsItGoes() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/recording"
    try capture(call(), in: folder, until: 5000, finishing: false)
    let file = try rendered(RecordingRendering(folder: folder, settings: .small))
    let duration = try #require(file.reader.duration)
    #expect(duration > .milliseconds(4000) && duration <= .milliseconds(5100))
    #expect(try file.screens(at: [3800])[0].shows(Colour(0x2030C0), in: GridLayouter.whole))
}

@Test func unreadableTrackDoesNotStopTheOthers() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/recording"
    try capture(call(), in: folder, until: 5000)
    try AtomicFile.replace(folder + "/tracks/02-Ana-camera.webm", with: Array("not a film".utf8))
    let file = try rendered(RecordingRendering(folder: folder, settings: .small))
    #expect(abs(file.level(of: 440, 2000..<4000) - 0.3) < 0.03)
}

@Test func folderThatIsNoRecordingIsRefusedAndNothingIsLeft() throws {
    let temporary = try TemporaryFolder()
    let output = temporary.path + "/call.webm"
    #expect(throws: RecordingReader.Failure.notARecording(temporary.path)) {
        try RecordingRendering(folder: temporary.path).render(to: output)
    }
    #expect(!Folder.exists(output))
}

@Test func renderingCanBeStoppedAndLeavesAWholeFile() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/recording"
    try capture(call(), in: folder, until: 5000)
    let output = MemoryOutput()
    var told: [Double] = []
    let summary = try RecordingRendering(folder: folder, settings: .small).render(into: output) { share in
        told.append(share)
        return share < 0.4
    }
    #expect(told == [0.1, 0.2, 0.3, 0.4])
    #expect(summary.duration == .seconds(2))
    #expect(try RenderedFile(output.bytes, summary).reader.isComplete)
}
