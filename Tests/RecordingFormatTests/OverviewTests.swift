import CallbotTesting
import JSON
import MediaTypes
import RoomProtocol
import Testing

@testable import RecordingFormat

@Suite struct ThumbnailSheetTests {
    @Test(arguments: [
        (1, 2, 1), (3, 2, 2), (200, 2, 100), (201, 3, 67), (3600, 45, 80), (7200, 75, 96), (12_000, 120, 100),
        (12_001, 180, 67), (360_000, 3600, 100),
    ])
    func thereAreAtMostAHundred(seconds: Int, interval: Int, count: Int) throws {
        let sheet = try #require(ThumbnailSheet(of: PixelSize(width: 1280, height: 720), duration: .seconds(seconds)))
        #expect(sheet.interval == .seconds(interval) && sheet.count == count)
        #expect(sheet.part(count - 1).upperBound == .zero + .seconds(seconds))
        for index in 0..<count { #expect(sheet.part(index).contains(sheet.moment(index))) }
        let last = sheet.region(count - 1)
        #expect(last.right <= sheet.size.width && last.bottom == sheet.size.height)
    }

    @Test(arguments: [
        (1280, 720, 160, 90), (640, 480, 160, 120), (720, 1280, 90, 160), (1920, 2, 160, 2), (65_535, 65_535, 160, 160),
    ])
    func theyHaveTheShapeOfThePicture(width: Int, height: Int, tileWidth: Int, tileHeight: Int) throws {
        let sheet = try #require(ThumbnailSheet(of: PixelSize(width: width, height: height), duration: .seconds(9)))
        #expect(sheet.tile == PixelSize(width: tileWidth, height: tileHeight))
    }

    @Test func absurdOnesAreNone() {
        #expect(ThumbnailSheet(of: PixelSize(width: .max, height: 1), duration: .seconds(1)) == nil)
        #expect(ThumbnailSheet(of: PixelSize(width: 0, height: 1), duration: .seconds(1)) == nil)
        #expect(ThumbnailSheet(of: PixelSize(width: 16, height: 9), duration: .zero) == nil)
        #expect(ThumbnailSheet(of: PixelSize(width: 16, height: 9), duration: .seconds(Int64.max))?.count ?? 0 <= 100)
    }

    @Test func theCuesSayWhichIsWhere() throws {
        let sheet = try #require(ThumbnailSheet(of: PixelSize(width: 16, height: 9), duration: .milliseconds(23_450)))
        let lines = sheet.cues.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(4) == [
                "WEBVTT", "", "00:00:00.000 --> 00:00:02.000", "thumbnails.jpg#xywh=0,0,160,90",
            ])
        #expect(
            lines.suffix(3) == ["00:00:22.000 --> 00:00:23.450", "thumbnails.jpg#xywh=160,90,160,90", ""])
    }
}

@Suite struct WaveformTests {
    @Test(arguments: [(0, 50, 0), (1, 50, 20), (100, 50, 2000), (101, 60, 1684), (7200, 3600, 2000)])
    func pointsAreAsFineAsIsSeen(seconds: Int, interval: Int, count: Int) {
        let waveform = Waveform(duration: .seconds(seconds))
        #expect(waveform.interval == .milliseconds(interval) && waveform.peaks.count == count)
    }

    @Test func theGreatestSampleOfEachPartCounts() {
        var waveform = Waveform(duration: .milliseconds(200))
        var samples = [Float](repeating: 0, count: 2 * 4800)
        samples[1] = -0.5
        samples[2 * 2399] = 0.2
        samples[2 * 2400] = 7
        waveform.add(samples[...], channels: 2, rate: 48_000, at: .zero)
        #expect(waveform.peaks == [128, 255, 0, 0])
        // What lies partly outside is taken as far as it is inside; what is no number is nothing.
        waveform.add([1, .nan, .nan, 1], channels: 1, rate: 48_000, at: .zero - .microseconds(42))
        waveform.add(samples[...], channels: 2, rate: 48_000, at: TimelineTime(microseconds: 150_000))
        #expect(waveform.peaks == [255, 255, 0, 128])
        for time in [Int64.min, .max, -1 << 50, 1 << 50] {
            waveform.add(samples[...], channels: 2, rate: 48_000, at: TimelineTime(microseconds: time))
        }
        #expect(waveform.peaks == [255, 255, 0, 128])
    }
}

@Suite struct SpeakingTimesTests {
    private func times(_ lines: String, until end: Duration = .seconds(10)) -> SpeakingTimes {
        var turns = SpeakingTurns()
        for entry in JournalEntry.entries(in: Array((lines + "\n").utf8)).entries {
            turns.follow(entry.event, at: entry.at)
        }
        turns.finish(at: .zero + end)
        let people = ["1", "2", "3"].map { RecordedParticipant(id: ParticipantID($0), name: "N" + $0) }
        return SpeakingTimes(turns, of: people, duration: end)
    }

    @Test func timesAndTurnsAreThoseOfTheJournal() {
        let times = times(
            """
            {"at":1000000,"event":"speaking","participant":"1","speaking":true}
            {"at":1500000,"event":"speaking","participant":"1","speaking":true}
            {"at":3000000,"event":"speaking","participant":"1","speaking":false}
            {"at":3500000,"event":"speaking","participant":"1","speaking":false}
            {"at":4000000,"event":"speaking","participant":"2","speaking":true}
            {"at":5000000,"event":"participant-left","participant":"2","reason":"quit"}
            {"at":9000000,"event":"speaking","participant":"1","speaking":true}
            {"at":9100000,"event":"speaking","participant":"nobody","speaking":true}
            """)
        #expect(times.people.map(\.time) == [.seconds(3), .seconds(1), .zero])
        #expect(times.people.map(\.turns) == [2, 1, 0])
        #expect(times.people.map(\.share) == [0.75, 0.25, 0])
    }

    @Test func nobodySpeaksWhileNobodyRecords() {
        let times = times(
            """
            {"at":1000000,"event":"speaking","participant":"1","speaking":true}
            {"at":6000000,"event":"recording-resumed","from":2000000}
            """)
        #expect(times.people[0].time == .seconds(1))
        #expect(self.times("").people.allSatisfy { $0.share == 0 })
    }
}
