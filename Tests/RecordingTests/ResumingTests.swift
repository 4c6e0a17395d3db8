import CallbotTesting
import Capture
import Composition
import EventLoop
import MediaEngines
import MediaTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

@testable import Recording

@Suite struct ResumingTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path + "/call" }
    private let manifest = RecordingManifest(
        id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
        room: .init(address: "janus+ws://127.0.0.1:8188/1234"), origin: WallTime(microseconds: 1_796_011_648_123_000))

    init() throws { temporary = try TemporaryFolder() }

    /// Two seconds of somebody, from a moment on.
    private func call(_ who: String, track: Int, from start: Int64) throws -> SyntheticCall {
        var call = SyntheticCall()
        call.join(who, at: start)
        call.start(track, of: who, .camera, at: start)
        try call.film(track, start..<start + 2000) { _ in Colour(0xC02020) }
        return call
    }

    private func record(
        _ call: SyntheticCall, resuming: (Resumption, at: TimelineTime)? = nil, until end: Int64? = nil,
        isHurried: Bool = false
    ) {
        var recipe = CompositeRecipe()
        recipe.size = PixelSize(width: 320, height: 180)
        recipe.frameRate = 10
        let thread = CaptureThread(
            at: .folder(folder), resuming: resuming, manifest: manifest, room: "1234", composite: recipe,
            isHurried: Locked(isHurried), report: { if case .failed(let error) = $0 { Issue.record("\(error)") } })
        for (time, item) in call.sorted {
            switch item {
            case .event(let event): thread.work([.event(event, at: time)])
            case .frame(let frame, let track): thread.work([.frame(frame, of: track), .tick(time)])
            }
        }
        if let end { thread.work([.finish(RecordingEnding(reason: "stopped"), at: .ms(end))]) }
    }

    private func composite() throws -> (duration: Duration?, isComplete: Bool) {
        let reader = try WebMReader(path: folder + "/call.webm")
        while try reader.nextFrame() != nil {}
        return (reader.duration, reader.isComplete)
    }

    @Test func theCompositeIsMadeOfAllAfterTheCall() throws {
        record(try call("ada", track: 1, from: 0))
        record(
            try call("bob", track: 2, from: 5000), resuming: (try Resumption(of: folder), at: .ms(5000)), until: 7000)
        let (duration, isComplete) = try composite()
        #expect(isComplete && duration == .seconds(7))
        let manifest = try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json"))
        #expect(manifest.files.contains { $0.path == "call.webm" } && manifest.tracks.count == 2)
        #expect(try Folder.entries(folder).allSatisfy { !$0.hasSuffix(FileReplacement.suffix) })
    }

    /// What was drawn before the crash stays until there is something better.
    @Test func whoIsInAHurryKeepsWhatWasDrawnBefore() throws {
        record(try call("ada", track: 1, from: 0))
        let before = try SmallFile.read(folder + "/call.webm")
        record(
            try call("bob", track: 2, from: 5000), resuming: (try Resumption(of: folder), at: .ms(5000)), until: 7000,
            isHurried: true)
        #expect(try SmallFile.read(folder + "/call.webm").starts(with: before))
        // Which lacks what came later: a repair makes it anew.
        var said: [String] = []
        try RecordingRepair(
            folder: folder, software: "", composite: { _ in CompositeRecipe() },
            say: { if $0.file == "call.webm" { said.append($0.text) } }
        ).run()
        #expect(try said == ["made anew from the tracks"] && composite().duration == .seconds(7))
    }

    @Test(arguments: [
        (60_000_000, 60_000_000, 0), (2_000_000, 3_001_000, -1_001_000), (-9_000_000, 3_001_000, -12_001_000),
    ])
    func theWallClockSaysWhereTheTimelineIs(told: Int64, now: Int64, error: Int64) throws {
        let capture = try Capture(at: .folder(folder), manifest: manifest, room: "1234")
        capture.record(.notice("x"), at: .ms(3000))
        capture.finish(at: .ms(3000), RecordingEnding(reason: "stopped"))
        let resumption = try Resumption(of: copy())
        let timeline = ResumedTimeline(resumption, wall: manifest.origin + .microseconds(told))
        #expect(timeline.now.microseconds == now && timeline.clockError == .microseconds(error))
    }

    /// The folder while its first recorder lives, without the lock.
    private func copy() throws -> String {
        let place = temporary.path + "/copy"
        try Folder.create(place)
        for name in try Folder.entries(folder) {
            try AppendFile(creating: place + "/" + name).append(SmallFile.read(folder + "/" + name))
        }
        return place
    }

    @Test func theDurationIsThatOfTheWhole() throws {
        var recipe = RecordRecipe(room: try RoomAddress("janus+ws://h/1"))
        recipe.resumes = ResumedRecording(folder: "x", plannedDuration: .seconds(100))
        #expect(recipe.resumed(at: .ms(60_000)).duration == .seconds(100))
        recipe.duration = .seconds(30)
        #expect(recipe.resumed(at: .ms(60_000)).duration == .seconds(90))
    }
}
