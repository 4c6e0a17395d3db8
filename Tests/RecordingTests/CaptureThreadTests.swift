import CallbotTesting
import Capture
import EventLoop
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

/// The capture with its composite, on a call that was made up: two seconds of one person's picture and sound.
@Suite struct CaptureThreadTests {
    private struct Outcome {
        var news: [String] = []
        var folder = ""
        func holds(_ name: String) -> Bool { (try? SmallFile.read(folder + "/" + name)) != nil }
        var manifest: RecordingManifest {
            get throws { try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json")) }
        }
        var length: Duration? {
            get throws { try WebMReader(path: folder + "/" + FileNaming.composite).duration }
        }
    }

    private let temporary: TemporaryFolder
    private let manifest = RecordingManifest(
        id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
        room: .init(address: "janus+ws://127.0.0.1:8188/1234"), origin: WallTime(microseconds: 1_796_011_648_123_000),
        recipe: ["name": "Recorder"])

    init() throws { temporary = try TemporaryFolder() }

    private func record(
        compositeCapacity: Int = CompositeThread.usualCapacity, isHurried: Bool = false,
        free: @escaping () -> Int64 = { 1 << 40 }, level: CompositeLevel = .full,
        asking controls: [(at: Int64, event: ControlEvent)] = []
    ) throws -> Outcome {
        var call = SyntheticCall()
        call.join("ada", at: 0)
        call.start(1, of: "ada", .camera, at: 0)
        call.start(2, of: "ada", .microphone, at: 0)
        try call.film(1, 0..<2000) { _ in .black }
        try call.sing(2, 0..<2000, hertz: 440)
        var recipe = CompositeRecipe()
        recipe.size = PixelSize(width: 320, height: 180)
        let outcome = Locked(Outcome())
        let thread = CaptureThread(
            at: .folder(temporary.path + "/call"), manifest: manifest, room: "1234", composite: recipe,
            compositeCapacity: compositeCapacity, freeSpace: { _ in free() }, isHurried: Locked(isHurried)
        ) { news in
            outcome.withLock {
                switch news {
                case .began, .freeSpace, .keyframesWanted, .compositeLag, .offset: break
                case .failed(let error): $0.news.append("failed: \(error)")
                case .compositeGivenUp: $0.news.append("given up")
                case .compositeStepped(let level, _, _): $0.news.append("\(level)")
                case .compositeLacking: $0.news.append("lacking")
                case .diskLevel(let level, _): $0.news.append("disk \(level)")
                case .speaking: break
                case .finished(let folder, _):
                    $0.news.append("finished")
                    $0.folder = folder ?? ""
                }
            }
        }
        thread.composite?.level = level
        var (told, controls) = (TimelineTime.zero, controls)
        for (time, item) in call.sorted {
            while told + .milliseconds(250) <= time {
                told = told + .milliseconds(250)
                thread.work([.tick(told)])
            }
            while let next = controls.first, .ms(next.at) <= time {
                thread.work([.control(next.event, at: .ms(next.at))])
                controls.removeFirst()
            }
            switch item {
            case .event(let event): thread.work([.event(event, at: time)])
            case .frame(let frame, let track): thread.work([.frame(frame, of: track)])
            }
        }
        thread.work([.finish(RecordingEnding(reason: "success"), at: .ms(2000))])
        return outcome.withLock { $0 }
    }

    @Test func theCompositeIsThereWhenTheCallIsOver() throws {
        let outcome = try record()
        #expect(outcome.news == ["finished"])
        #expect(try outcome.length == .seconds(2))
        #expect(outcome.holds(FileNaming.poster))
        #expect(try outcome.manifest.files.map(\.path).contains(FileNaming.composite))
    }

    @Test func aCompositeThatFallsBehindIsMadeAfterTheCall() throws {
        let outcome = try record(compositeCapacity: 0)
        #expect(outcome.news == ["given up", "finished"])
        // Whole all the same, from the capture, which lacks nothing.
        #expect(try outcome.length == .seconds(2))
        let journal = try String(decoding: SmallFile.read(outcome.folder + "/events.jsonl"), as: UTF8.self)
        #expect(journal.contains("composite-stepped-down"))
        #expect(try outcome.manifest.tracks.map(\.frames) == [50, 100])
    }

    /// ALL-05. It is in the journal as it was asked for, and the marks are chapters, whenever the composite is made.
    @Test(arguments: [CompositeThread.usualCapacity, 0])
    func whatIsAskedForIsInJournalAndComposite(compositeCapacity: Int) throws {
        let outcome = try record(
            compositeCapacity: compositeCapacity,
            asking: [(500, .mark("One")), (700, .layout("speaker")), (800, .full("nobody")), (1500, .mark("Two"))])
        let (entries, _) = JournalEntry.entries(in: try SmallFile.read(outcome.folder + "/events.jsonl"))
        let asked = entries.compactMap { entry in
            if case .control(let event) = entry.event { "\(entry.at.milliseconds) \(event)" } else { nil }
        }
        #expect(
            asked == [
                "500 \(ControlEvent.mark("One"))", "700 \(ControlEvent.layout("speaker"))",
                "800 \(ControlEvent.full("nobody"))", "1500 \(ControlEvent.mark("Two"))",
            ])
        let reader = try WebMReader(path: outcome.folder + "/" + FileNaming.composite)
        while try reader.nextFrame() != nil {}
        #expect(
            reader.chapters == [
                WebMChapter(start: .ms(500), end: .ms(1500), title: "One"),
                WebMChapter(start: .ms(1500), end: .ms(2000), title: "Two"),
            ])
    }

    @Test func whoIsInAHurryGetsTheTracksAlone() throws {
        let outcome = try record(compositeCapacity: 0, isHurried: true)
        #expect(outcome.news == ["given up", "lacking", "finished"])
        #expect(!outcome.holds(FileNaming.composite))
        #expect(try outcome.manifest.state == .finished)
        #expect(try outcome.manifest.files.allSatisfy { $0.path != FileNaming.composite })
        #expect(try outcome.manifest.tracks.map(\.frames) == [50, 100])
    }

    /// 32 MB are the reserve, 8 of which are kept by a file; at twice as much the composite goes, for good when there is no room for it later.
    @Test(arguments: [false, true])
    func aDiskThatFillsUpCostsTheCompositeFirst(isRoomLater: Bool) throws {
        var figures: [Int64] = [200, 110, 50, 49, 48, 47, 46]
        let outcome = try record(free: {
            (figures.count > 1 ? figures.removeFirst() : isRoomLater ? 100 : 46) * 1_000_000
        })
        let levels = ["disk low", "disk scarce", "given up"] + (isRoomLater ? ["disk low"] : ["lacking"])
        #expect(outcome.news == levels + ["finished"])
        #expect(outcome.holds(FileNaming.composite) == isRoomLater)
        let (entries, _) = JournalEntry.entries(in: try SmallFile.read(outcome.folder + "/events.jsonl"))
        let told = entries.compactMap { entry in
            switch entry.event {
            case .diskSpace(let level, let free): "\(level) \(free / 1_000_000)"
            case .compositeSteppedDown(let level, _): "composite \(level)"
            default: nil
            }
        }
        #expect(told == ["low 118", "scarce 58", "composite off"] + (isRoomLater ? ["low 108"] : []))
        #expect(try outcome.manifest.tracks.map(\.frames) == [50, 100])
    }

    /// What had fewer pictures for a while stays as it is and is said to be so; what had none is made again.
    @Test(arguments: [CompositeLevel.full, .halfRate, .halfSize, .off])
    func aCompositeThatWasMadeWithLessIsSaidToBe(level: CompositeLevel) throws {
        let outcome = try record(level: level)
        #expect(outcome.news == (level == .halfRate || level == .halfSize ? ["lacking"] : []) + ["finished"])
        #expect(try outcome.length == .seconds(2))
        let reader = try WebMReader(path: outcome.folder + "/" + FileNaming.composite)
        var pictures = 0
        while let (_, frame) = try reader.nextFrame() { pictures += frame.codec.kind == .video ? 1 : 0 }
        // 50 that are there, or every second one: those at which nothing has changed are left out.
        #expect(pictures > 1)
        #expect(try Folder.entries(outcome.folder).contains { $0.hasSuffix(".new") } == false)
    }

    /// Measured here, since these frames do not say how loud they are.
    @Test func theJournalKnowsWhoSpeaks() throws {
        let outcome = try record()
        let (entries, _) = JournalEntry.entries(in: try SmallFile.read(outcome.folder + "/events.jsonl"))
        let spoken = entries.compactMap { entry in
            if case .room(.speaking(let who, true)) = entry.event {
                "\(who.value) at \(entry.at.milliseconds)"
            } else {
                nil
            }
        }
        #expect(spoken == ["ada at 120"])
    }

    @Test func aPlaceThatCannotBeWrittenIsToldAtOnce() throws {
        let news = Locked([String]())
        let thread = CaptureThread(
            at: .folder("/proc/call"), manifest: manifest, room: "1234", composite: nil, isHurried: Locked(false)
        ) { item in
            news.withLock { if case .failed(let error) = item { $0.append(error.path) } else { $0.append("finished") } }
        }
        thread.work([.finish(RecordingEnding(reason: "x"), at: .zero)])
        #expect(news.withLock { $0 }.last == "finished" && news.withLock { $0.count } == 2)
    }
}
