import CallbotTesting
import Capture
import EventLoop
import Examination
import Foundation
import JSON
import MediaEngines
import MediaTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing

@testable import Recording

/// Calls that show or sound nothing, as the recorder reports on them and as whoever reads the files finds them.
@Suite struct ReportOfCallTests {
    enum Kind: String, CaseIterable {
        case good, silent, black, frozen, repeating, empty, nobody
    }

    private let temporary: TemporaryFolder
    private static let seconds: Int64 = 5

    init() throws { temporary = try TemporaryFolder() }

    private static let manifest = RecordingManifest(
        id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
        room: .init(address: "janus+ws://127.0.0.1:8188/1234"), origin: WallTime(microseconds: 1_796_011_648_123_000),
        recipe: ["name": "Recorder", "composite": ["size": "320x180"]])

    private func call(_ kind: Kind) throws -> SyntheticCall {
        var call = SyntheticCall()
        guard kind != .nobody else { return call }
        call.join("ada", at: 0)
        call.start(1, of: "ada", .camera, at: 0)
        call.start(2, of: "ada", .microphone, at: 0)
        let end = Self.seconds * 1000
        if kind != .empty {
            try call.film(1, 0..<(kind == .frozen ? 1500 : end)) { time in
                kind == .black
                    ? .black
                    : kind == .repeating
                        ? Colour(red: 200, green: 80, blue: 80)
                        : Colour(red: UInt8(time / 40 % 200 + 40), green: 90, blue: 120)
            }
        }
        try call.sing(2, 0..<end, hertz: 440) { _ in kind == .silent ? 0 : 0.3 }
        return call
    }

    /// Records a call and returns its folder.
    private func record(_ kind: Kind, composite: Bool = true, cutAt: Int64? = nil) throws -> (
        folder: String, verdict: Verdict?
    ) {
        var recipe = CompositeRecipe()
        recipe.size = PixelSize(width: 320, height: 180)
        let outcome = Locked(Verdict?.none)
        let folder = temporary.path + "/" + kind.rawValue
        var manifest = Self.manifest
        if !composite { manifest.recipe = ["name": "Recorder"] }
        let thread = CaptureThread(
            at: .folder(folder), manifest: manifest, room: "1234", composite: composite ? recipe : nil,
            isHurried: Locked(false)
        ) { news in
            if case .finished(_, let verdict) = news { outcome.withLock { $0 = verdict } }
        }
        var told = TimelineTime.zero
        for (time, item) in try call(kind).sorted {
            if let cutAt, time >= .ms(cutAt) { return (folder, nil) }
            while told + .milliseconds(250) <= time {
                told = told + .milliseconds(250)
                thread.work([.tick(told)])
            }
            if kind == .frozen, case .frame(_, TrackID(2)) = item, time == .ms(2000) {
                thread.work([.lost(TrackID(1))])
            }
            switch item {
            case .event(let event): thread.work([.event(event, at: time)])
            case .frame(let frame, let track): thread.work([.frame(frame, of: track)])
            }
        }
        thread.work([.finish(RecordingEnding(reason: "success", exitCode: 0), at: .ms(Self.seconds * 1000))])
        return (folder, outcome.withLock { $0 })
    }

    private static let expected: [Kind: [Verdict.Code]] = [
        .good: [], .silent: [.silent], .black: [.black], .frozen: [.frozen], .repeating: [.frozen], .empty: [.empty],
        .nobody: [],
    ]

    @Test(arguments: Kind.allCases)
    func theVerdictIsRightLiveAndByReading(kind: Kind) throws {
        let (folder, verdict) = try record(kind)
        let report = try RecordingReport(parsing: SmallFile.read(folder + "/" + FileNaming.report))
        #expect(report.verdict == verdict)
        #expect(report.verdict.reasons.map(\.code) == Self.expected[kind], "\(report.verdict)")
        #expect(report.verdict.grade == (Self.expected[kind] == [] ? .good : .degraded))
        let examination = try RecordingExamination(folder: folder)
        let shares = Locked([Double]())
        let found = examination.verify { share in shares.withLock { $0.append(share) } }
        #expect(examination.findings == [])
        #expect(found.verdict.reasons.map(\.code) == Self.expected[kind], "\(found.verdict)")
        #expect(shares.withLock { $0.allSatisfy { 0...1 ~= $0 } && $0 == $0.sorted() })
        // Nothing of it differs but what a reader cannot know.
        for (live, read) in zip(report.tracks, found.tracks) {
            #expect(live.received == read.received && live.frames == read.frames && live.rates == read.rates)
        }
    }

    @Test(arguments: [Kind.good, .black, .repeating])
    func withoutACompositeSomePicturesAreLookedAt(kind: Kind) throws {
        let (folder, verdict) = try record(kind, composite: false)
        let examination = try RecordingExamination(folder: folder)
        #expect(examination.stored?.tracks[0].pictures?.measuredBy == .samples)
        #expect(examination.stored?.composite == nil)
        #expect(verdict?.reasons.map(\.code) == (kind == .black ? [.black] : []))
        _ = examination.verify { _ in }
        // Two looks do not tell a picture that never changes, and reading all of it does.
        #expect(examination.findings.count == (kind == .repeating ? 1 : 0), "\(examination.findings)")
    }

    @Test func whatIsCutShortIsAtBestDegraded() throws {
        let (folder, _) = try record(.good, cutAt: 4000)
        let examination = try RecordingExamination(folder: folder)
        #expect(!examination.isRunning)
        #expect(examination.report().verdict.reasons.map(\.code).contains(.cutShort))
        SmallFile.remove(folder + "/" + FileNaming.report)
        let bare = try RecordingExamination(folder: folder).report()
        #expect(bare.verdict.grade == .degraded && bare.state == .interrupted)
        #expect(bare.tracks.map(\.frames).allSatisfy { $0 > 0 })
    }

    @Test func whatDoesNotHoldIsFound() throws {
        let (folder, _) = try record(.good)
        func spoil(_ name: String, _ change: (inout JSONValue) -> Void) throws -> [Finding] {
            let path = folder + "/" + name
            let before = try SmallFile.read(path)
            var json = try JSONValue(parsing: before)
            change(&json)
            try AtomicFile.replace(path, with: json.compactUTF8)
            defer { try? AtomicFile.replace(path, with: before) }
            let examination = try RecordingExamination(folder: folder)
            _ = examination.verify { _ in }
            return examination.findings
        }
        #expect(
            try spoil("recording.json") { $0["duration"] = 9_000_000 }.map(\.file)
                .contains("tracks/01-ada-camera.webm"))
        let count = try spoil("recording.json") { json in
            var tracks = json["tracks"]?.array ?? []
            tracks[0]["frames"] = 7
            json["tracks"] = .array(tracks)
        }
        #expect(count.contains { $0.text == "frames: 125 here, 7 in the manifest" })
        let verdict = try spoil("report.json") { $0["verdict"] = ["grade": "failed", "reasons": [], "remarks": []] }
        #expect(verdict.contains { $0.text == "its verdict does not follow from its figures" })

        // A byte in the middle of a track's file.
        let track = folder + "/tracks/02-ada-microphone.webm"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: track))
        bytes.removeLast(bytes.count / 2)
        try bytes.write(to: URL(fileURLWithPath: track))
        let examination = try RecordingExamination(folder: folder)
        _ = examination.verify { _ in }
        #expect(
            examination.findings.contains {
                $0.file == "tracks/02-ada-microphone.webm" && $0.text == "it is not complete"
            })
        #expect(
            examination.findings.contains {
                $0.file == "tracks/02-ada-microphone.webm" && $0.text.hasPrefix("frames: ")
            })
    }
}
