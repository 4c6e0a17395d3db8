import CallbotTesting
import JSON
import MediaTypes
import RoomProtocol
import Testing

@testable import RecordingFormat

@Test(arguments: everyEvent)
func everyEventSurvivesItsLine(event: JournalEvent) throws {
    let entry = JournalEntry(at: at(12_345_678), wall: WallTime(microseconds: 1_796_011_648_123_000), event: event)
    #expect(entry.line.count { $0 == 0x0A } == 1 && entry.line.last == 0x0A)
    #expect(try JournalEntry(JSONValue(parsing: Array(entry.line.dropLast()))) == entry)
}

@Test func absentFactsHaveNoKeys() throws {
    let entry = JournalEntry(
        at: at(5),
        event: .room(.trackPublished(ParticipantID("1"), .audio, publishedAs: MediaSectionID("0"), codec: nil)))
    #expect(
        String(decoding: entry.line, as: UTF8.self)
            == #"{"at":5,"event":"track-published","participant":"1","kind":"audio","publishedAs":"0"}"# + "\n")
}

/// That nobody is meant is said by saying nobody.
@Test(arguments: [(ControlEvent.full(nil), "full-chosen"), (.pinned(nil), "pinned-chosen")])
func nobodyHasNoKey(event: ControlEvent, name: String) throws {
    let entry = JournalEntry(at: at(7), event: .control(event))
    #expect(String(decoding: entry.line, as: UTF8.self) == #"{"at":7,"event":"\#(name)"}"# + "\n")
    #expect(try JournalEntry(JSONValue(parsing: Array(entry.line.dropLast()))) == entry)
}

@Test func journalIsReadAsFarAsItGoes() {
    let first = JournalEntry(at: at(1), event: .room(.notice("one")))
    let text =
        String(decoding: first.line, as: UTF8.self)
        + #"{"at":2,"event":"from-the-future","what":[1,2]}"# + "\n"
        + #"{"at":3,"event":"track-ended","track":"not a number"}"# + "\n\n"
        + #"{"at":4,"event":"not"#
    let (entries, unreadable) = JournalEntry.entries(in: Array(text.utf8))
    #expect(entries.count == 2)
    #expect(entries.first == first)
    #expect(unreadable == 2)
    if case .unknown("from-the-future", let members) = entries.last?.event {
        #expect(members["what"]?[1] == 2)
    } else {
        Issue.record("an event that is not known is kept")
    }
    // Written again it is the same line.
    #expect(
        entries.last.map { String(decoding: $0.line, as: UTF8.self) }
            == #"{"at":2,"event":"from-the-future","what":[1,2]}"# + "\n")
}

@Test func manifestSurvivesItsText() throws {
    let text = fullManifest.json.pretty
    #expect(try RecordingManifest(parsing: Array(text.utf8)) == fullManifest)
    let bare = RecordingManifest(
        id: RecordingID("x"), software: "", room: .init(address: ""), origin: WallTime(microseconds: 0))
    #expect(try RecordingManifest(bare.json) == bare)
}

@Test func unknownKeysArePassedOverAndSenselessPartsLeftOut() throws {
    var json = fullManifest.json
    json["weather"] = ["sky": "blue"]
    json["tracks"] = .array((json["tracks"]?.array ?? []) + [["track": 3, "codec": "from-the-future"], nil, 7])
    #expect(try RecordingManifest(json) == fullManifest)
}

@Test func otherVersionsAreRefused() throws {
    var json = fullManifest.json
    json["version"] = 2
    #expect(throws: RecordingFormatError.unsupportedVersion(2)) { try RecordingManifest(json) }
    json["version"] = nil
    #expect(throws: RecordingFormatError.unsupportedVersion(nil)) { try RecordingManifest(json) }
    json["version"] = 1
    json["state"] = "dreaming"
    #expect(throws: RecordingFormatError.missing("state")) { try RecordingManifest(json) }
    #expect(throws: RecordingFormatError.self) { try RecordingManifest(parsing: Array("{".utf8)) }
}

@Test func manifestFollowsThePeople() {
    var manifest = fullManifest
    manifest.participants = []
    let asa = Participant(id: ParticipantID("1"), name: "Åsa")
    manifest.follow(.participantJoined(asa), at: at(1))
    manifest.follow(.participantJoined(asa), at: at(2))
    manifest.follow(.participantRenamed(asa.id, name: "Asa"), at: at(3))
    manifest.follow(.participantLeft(asa.id, .quit), at: at(4))
    manifest.follow(.participantLeft(asa.id, .quit), at: at(5))
    manifest.follow(.participantJoined(asa), at: at(6))
    manifest.follow(.participantLeft(ParticipantID("nobody"), .quit), at: at(7))
    manifest.endStays(at: at(8))
    #expect(
        manifest.participants == [
            RecordedParticipant(
                id: asa.id, name: "Åsa",
                stays: [.init(from: at(1), to: at(4), departure: .quit), .init(from: at(6), to: at(8))])
        ])
    #expect(manifest.name(of: asa.id) == "Åsa" && manifest.name(of: ParticipantID("7012")) == "Recorder")
}

@Test func chatLineSurvives() {
    let line = ChatLine(at: at(7), message: everyKeyMessage)
    let bare = ChatLine(at: at(8), message: ChatMessage(kind: .announcement, sender: nil, name: nil, text: ""))
    let (lines, unreadable) = ChatLine.lines(in: line.line + bare.line + Array(#"{"at":9,"ki"#.utf8))
    #expect(lines == [line, bare] && unreadable == 1)
}

@Test func subtitlesLastUntilTheNextOrFiveSeconds() {
    func said(_ milliseconds: Int64, _ text: String, name: String? = "Åsa", history: Bool = false) -> ChatLine {
        ChatLine(
            at: at(milliseconds * 1000),
            message: ChatMessage(kind: .message, sender: "asa", name: name, text: text, isHistory: history))
    }
    let text = ChatSubtitles.text(of: [
        said(500, "before", history: true), said(1000, "a < b && c --> d"), said(3_500, "two\n\nlines", name: "<O>\nB"),
        said(3_600_000, "late", name: nil), said(3_600_000, "   \n"),
    ])
    #expect(
        text == """
            WEBVTT

            00:00:01.000 --> 00:00:03.500
            <v Åsa>a &lt; b &amp;&amp; c --&gt; d

            00:00:03.500 --> 00:00:08.500
            <v &lt;O&gt; B>two
            lines

            01:00:00.000 --> 01:00:01.000
            <v asa>late

            01:00:00.000 --> 01:00:05.000
            <v Åsa>\u{20}\u{20}\u{20}

            """)
}

@Test(arguments: [
    ("Daily", "Daily"), ("Åsa Öberg", "Åsa-Öberg"), ("日本語", "日本語"), ("../../etc/passwd", "etc-passwd"),
    ("a/b\0c\nd", "a-b-c-d"),
    ("-rf", "rf"), (".hidden", "hidden"), ("🎤", "x"), ("", "x"), ("///", "x"), ("a\u{202E}b", "a-b"), ("- - -", "x"),
    ("e\u{301}", "e\u{301}"), ("1234", "1234"), ("मीरा", "मीरा"),
])
func namesOfFilesAreSafe(name: String, expected: String) {
    #expect(FileNaming.safe(name, fallback: "x") == expected)
}

@Test func longNamesAreCutBetweenCharacters() {
    for name in [
        String(repeating: "日", count: 100), String(repeating: "👩‍👩‍👧a", count: 100),
        String(repeating: "e\u{301}", count: 100),
    ] {
        let safe = FileNaming.safe(name, fallback: "x")
        #expect(safe.utf8.count <= 80 && safe.utf8.count > 70)
        #expect(name.first == "👩‍👩‍👧" || name.hasPrefix(safe))
    }
}

@Test func pathsOfARecording() {
    var generator = SeededGenerator(seed: 1)
    let start = WallTime(microseconds: 1_796_011_648_123_000)
    let id = RecordingID(startingAt: start, using: &generator)
    #expect(id.value.hasPrefix("20261130T040728Z-") && id.value.utf8.count == 21)
    #expect(id != RecordingID(startingAt: start, using: &generator))
    #expect(
        FileNaming.folder(of: RecordingID("20261130T040728Z-k3f9"), room: "Daily / 9", startingAt: start)
            == "2026/11/30/20261130T040728Z-k3f9-Daily-9")
    let sound = RecordedTrack(microphone, started: .zero)
    #expect(FileNaming.file(of: sound, participantName: "Åsa") == "tracks/01-Åsa-microphone.webm")
    #expect(FileNaming.file(of: sound, participantName: "🎤") == "tracks/01-4711-microphone.webm")
}

@Suite struct PageTests {
    let page: FormatPage
    init() throws { page = try FormatPage() }

    @Test func everyEventAndKeyIsOnThePageAndNoOther() throws {
        var written: [String: Set<String>] = [:]
        for event in everyEvent {
            var json = try JSONValue(parsing: Array(JournalEntry(at: at(1), event: event).line.dropLast()))
            let name = try #require(json["event"]?.string)
            json["at"] = nil
            json["event"] = nil
            written[name] = Set(json.object?.keys ?? [])
        }
        #expect(written == page.events)
    }

    @Test func everyKeyOfManifestAndChatIsOnThePageAndNoOther() throws {
        #expect(paths(of: fullManifest.json) == page.keys["recording.json"])
        #expect(paths(of: fullReport.json) == page.keys["report.json"])
        let chat = try JSONValue(parsing: Array(ChatLine(at: at(1), message: everyKeyMessage).line.dropLast()))
        #expect(paths(of: chat) == page.keys["chat.jsonl"])
        #expect(paths(of: Waveform(duration: .seconds(1)).json) == page.keys["waveform.json"])
        let somebody = RecordedParticipant(id: ParticipantID("1"), name: "Ada")
        let times = SpeakingTimes(SpeakingTurns(), of: [somebody], duration: .seconds(1))
        #expect(paths(of: times.json) == page.keys["speaking.json"])
    }

    @Test func examplesCanBeRead() throws {
        let example = try #require(page.examples["recording.json"]?.first)
        let manifest = try RecordingManifest(parsing: Array(example.utf8))
        #expect(manifest.tracks.count == 2 && manifest.participants.count == 1 && manifest.files.count == 1)
        let json = try JSONValue(parsing: example)
        #expect(try paths(of: json).isSubset(of: #require(page.keys["recording.json"])))

        let report = try RecordingReport(parsing: Array(try #require(page.examples["report.json"]?.first).utf8))
        #expect(report.tracks.count == 1 && report.verdict == Verdict(judging: report))

        let (entries, unreadable) = JournalEntry.entries(
            in: Array(try #require(page.examples["events.jsonl"]?.first).utf8))
        #expect(entries.count == 6 && unreadable == 0)
        #expect(!entries.contains { if case .unknown = $0.event { true } else { false } })
        let (lines, torn) = ChatLine.lines(in: Array(try #require(page.examples["chat.jsonl"]?.first).utf8))
        #expect(lines.count == 2 && torn == 0)
    }

    private func paths(of json: JSONValue) -> Set<String> {
        func walk(_ value: JSONValue, _ path: String) -> [String] {
            if path == "recipe" { return [path] }
            if let object = value.object {
                return object.members.flatMap { walk($0.value, path.isEmpty ? $0.key : path + "." + $0.key) }
            }
            if let array = value.array { return array.flatMap { walk($0, path + "[]") } }
            return [path]
        }
        return Set(walk(json, ""))
    }
}
