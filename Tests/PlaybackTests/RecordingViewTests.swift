import Foundation
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Testing

@testable import Playback

@Suite struct RecordingViewTests {
    @Test func whatHappenedIsThere() throws {
        let recording = try TestRecording(
            events: """
                {"at":1000000,"event":"speaking","participant":"1","speaking":true}
                {"at":2000000,"event":"speaking","participant":"1","speaking":false}
                {"at":3000000,"event":"speaking","participant":"2","speaking":true}
                {"at":9000000,"event":"participant-left","participant":"2","reason":"quit"}
                {"at":9500000,"event":"mark","text":"Questions"}
                {"at":9600000,"event":"gap","track":1,"from":4000000,"to":5000000,"reason":"lost"}
                {"at":50000000,"event":"speaking","participant":"1","speaking":true}
                {"at":61000000,"event":"recording-ended","reason":"stopped","message":"","exitCode":0}
                {"at":1,"event":"torn
                """,
            chat: """
                {"at":12000000,"kind":"message","from":"b","text":"second","history":false}
                {"at":4000000,"kind":"message","from":"a","name":"Ada","text":"first","history":false}
                nonsense
                """,
            files: ["call.webm": [1, 2, 3], "call-speaker.webm": [1], ".call.webm.repairing": [1], "poster.jpg": [1]])
        let view = try RecordingView(folder: recording.folder)
        #expect(view.chat.map(\.message.text) == ["first", "second"])
        #expect(view.people.map(\.label) == ["Ada", "2"])
        #expect(view.people[0].speaking.map(\.from.microseconds) == [1_000_000, 50_000_000])
        #expect(view.people[0].speaking.map(\.to?.microseconds) == [2_000_000, 61_000_000])
        #expect(view.people[1].speaking.map(\.to?.microseconds) == [9_000_000])
        #expect(view.marks.map(\.text) == ["Questions"])
        #expect(view.gaps.map(\.reason) == ["lost"])
        #expect(view.renderings.map(\.file) == ["call.webm", "call-speaker.webm"])
        let json = view.json
        #expect(json["tracks"]?[0]?["file"]?.string == "files/tracks/01-%C3%85sa%20%231%3F-microphone.webm")
        #expect(json["downloads"]?.array?.count == 2)
        #expect(json["poster"]?.string == "files/poster.jpg")
        #expect(json["isRunning"]?.bool == false)
        #expect(json["duration"]?.integer == 61_000_000)
        #expect(
            view.textLines.map(\.text) == [
                "Ada is here", "Ada speaks", "2 speaks", "Ada: first", "2 is here", "2 left", "-- Questions --",
                "b: second",
                "Ada speaks",
            ])
    }

    @Test func whatIsMadeAfterACallIsOffered() throws {
        let events = """
            {"at":1000000,"event":"speaking","participant":"1","speaking":true}
            {"at":4000000,"event":"speaking","participant":"1","speaking":false}
            {"at":5000000,"event":"speaking","participant":"2","speaking":true}
            {"at":6000000,"event":"speaking","participant":"2","speaking":false}
            """
        let recording = try TestRecording(events: events, files: ["call.webm": [1]])
        var json = try RecordingView(folder: recording.folder).json
        #expect(json["thumbnails"] == .null && json["waveform"] == .null)
        #expect(json["people"]?[0]?["speech"]?["time"]?.integer == 3_000_000)
        #expect(json["people"]?[0]?["speech"]?["share"]?.double == 0.75)
        #expect(json["people"]?[1]?["speech"]?["turns"]?.integer == 1)
        for name in ["thumbnails.vtt", "waveform.json"] { try recording.write(name, [1]) }
        json = try RecordingView(folder: recording.folder).json
        // One is of no use without the other.
        #expect(json["thumbnails"] == .null && json["waveform"]?.string == "files/waveform.json")
        try recording.write("thumbnails.jpg", [1])
        json = try RecordingView(folder: recording.folder).json
        #expect(json["thumbnails"]?.string == "files/thumbnails.vtt")
        // Another composite than the one that they were made of.
        let later = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: 60)]
        try FileManager.default.setAttributes(later, ofItemAtPath: recording.folder + "/call.webm")
        json = try RecordingView(folder: recording.folder).json
        #expect(json["thumbnails"] == .null && json["waveform"] == .null)
    }

    @Test func aLineIsKnownWhateverPeopleAreCalledLater() throws {
        let recording = try TestRecording(chat: #"{"at":1,"kind":"message","text":"t","history":false}"#)
        let keys = try RecordingView(folder: recording.folder).textLines.map(\.key)
        try recording.write("recording.json", Array(TestRecording.plain.replacing("\"Ada\"", with: "\"Bo\"").utf8))
        let lines = try RecordingView(folder: recording.folder).textLines
        #expect(lines.map(\.key) == keys && Set(keys).count == keys.count)
        #expect(lines.contains { $0.text == "Bo is here" })
    }

    @Test(arguments: [
        "../../etc/passwd", "/etc/passwd", "tracks/../../x.webm", "tracks//x.webm", "x/y.webm", "control.socket",
        ".x.webm",
        "tracks/.x.webm", "tracks/x.html", "index.html", "", "tracks", "tracks/", "javascript:alert(1)",
        "https://evil.example/x.webm",
        "tracks/a/b.webm", "recording.json/x.webm",
    ])
    func filesThatAreNoneOfTheRecordingsAreNotOffered(path: String) throws {
        let manifest = TestRecording.plain.replacing("tracks/01-Åsa #1?-microphone.webm", with: path)
        let recording = try TestRecording(manifest: manifest)
        let view = try RecordingView(folder: recording.folder)
        let isLeft = view.json["tracks"]?.array?.isEmpty == false
        #expect(!isLeft, "\(view.json["tracks"]?.compact ?? "")")
        #expect(view.json["downloads"]?.array?.count == 1)
    }

    @Test func namesAndWordsComeThroughAsTheyAre() throws {
        let evil = #"</script><script>alert(1)</script>\u0000\u202E\ud83d\ude00\\\""#
        let manifest = TestRecording.plain.replacing("\"Ada\"", with: "\"\(evil)\"").replacing(
            "\"Daily\"", with: "\"\(evil)\"")
        let recording = try TestRecording(
            manifest: manifest, chat: #"{"at":1,"kind":"message","text":"\#(evil)","history":false}"#)
        let view = try RecordingView(folder: recording.folder)
        let again = try JSONValue(parsing: view.json.compactUTF8)
        let expected = "</script><script>alert(1)</script>\0\u{202E}😀\\\""
        #expect(again["people"]?[0]?["name"]?.string == expected)
        #expect(again["room"]?.string == expected)
        #expect(again["chat"]?[0]?["text"]?.string == expected)
    }

    @Test(arguments: [
        #""at":-9223372036854775808"#, #""at":9223372036854775807"#, #""at":1e300"#, #""at":null"#, #""at":-1"#,
        #""at":"1""#,
    ])
    func absurdTimesDoNoHarm(at: String) throws {
        let manifest = TestRecording.plain.replacing("\"from\":0", with: at.replacing("\"at\"", with: "\"from\""))
            .replacing("\"duration\":61000000", with: at.replacing("\"at\"", with: "\"duration\""))
        let recording = try TestRecording(
            manifest: manifest,
            events: """
                {\(at),"event":"speaking","participant":"1","speaking":true}
                {\(at),"event":"speaking","participant":"1","speaking":false}
                {\(at),"event":"speaking","participant":"nobody","speaking":true}
                {\(at),"event":"mark","text":"m"}
                {"at":1,"event":"gap",\(at.replacing("\"at\"", with: "\"from\"")),\(at.replacing("\"at\"", with: "\"to\"")),"reason":"x"}
                {"at":1,"event":"gap","from":-9223372036854775808,"to":9223372036854775807,"reason":"x"}
                {\(at),"event":"recording-resumed",\(at.replacing("\"at\"", with: "\"from\""))}
                """,
            chat: #"{\#(at),"kind":"message","text":"t","history":false}"#)
        let view = try RecordingView(folder: recording.folder)
        let json = try JSONValue(parsing: view.json.compactUTF8)
        let duration = try #require(json["duration"]?.integer)
        #expect(0...315_360_000_000_000 ~= duration)
        for line in json["chat"]?.array ?? [] { #expect(0...315_360_000_000_000 ~= line["at"]?.integer ?? -1) }
        _ = view.textLines
    }

    @Test func whatWasCutShortIsToldByItsJournal() throws {
        let manifest =
            #"{"version":1,"id":"x","state":"recording","room":{"address":"janus+ws://h/1"},"origin":"2026-11-30T04:07:28Z","tracks":[{"track":1,"participant":"7","kind":"video","source":"camera","codec":"vp8","publishedAs":"0","started":0,"file":"tracks/01-a.webm"}]}"#
        let recording = try TestRecording(
            manifest: manifest,
            events: """
                {"at":0,"event":"recording-started","id":"x"}
                {"at":1000000,"event":"participant-joined","participant":"7","name":"Gus"}
                {"at":2000000,"event":"speaking","participant":"7","speaking":true}
                {"at":8000000,"event":"mark","text":"m"}
                """,
            files: ["tracks/01-a.webm": [UInt8](repeating: 1, count: 700)])
        let view = try RecordingView(folder: recording.folder)
        #expect(!view.isRunning)
        #expect(view.people.map(\.name) == ["Gus"])
        #expect(view.duration == .seconds(8))
        #expect(view.people[0].speaking.map(\.to?.microseconds) == [8_000_000])
        #expect(view.json["state"]?.string == "interrupted")
        // A player gets it in a form in which it can go anywhere.
        #expect(view.json["tracks"]?[0]?["file"]?.string == "files/tracks/01-a.webm?to=700")
    }

    @Test func noRecordingIsSaidToBeNone() throws {
        #expect(throws: (any Error).self) { try RecordingView(folder: "/nowhere") }
        let broken = try TestRecording(manifest: "{")
        #expect(throws: (any Error).self) { try RecordingView(folder: broken.folder) }
        let newer = try TestRecording(manifest: #"{"version":99}"#)
        #expect(throws: (any Error).self) { try RecordingView(folder: newer.folder) }
    }
}
