import CallbotTesting
import JSON
import MediaTypes
import RoomProtocol
import Testing

@testable import RecordingFormat

@Suite struct ReportTests {
    @Test func reportSurvivesItsText() throws {
        #expect(try RecordingReport(parsing: Array(fullReport.json.pretty.utf8)) == fullReport)
        let bare = RecordingReport(id: RecordingID("x"), state: .recording, duration: .zero)
        #expect(try RecordingReport(bare.json) == bare)
        var newer = fullReport.json
        newer["version"] = 2
        #expect(throws: RecordingFormatError.unsupportedVersion(2)) { try RecordingReport(newer) }
    }

    @Test func theTimeOfATrackAddsUp() throws {
        var call = Gathering()
        call.begin(microphone, camera)
        call.speak(100..<2000)
        call.lose(microphone)
        call.speak(2060..<3000, decibels: -90)
        call.speak(3400..<4000)
        call.lose(microphone)
        call.speak(4500..<10_000)
        call.film(200..<3000)
        call.lose(camera)
        call.film(4500..<6000)
        call.film(8000..<10_000)
        let report = call.report()
        let sound = report.tracks[0]
        #expect(sound.expected == .seconds(10) && sound.waited == .milliseconds(100))
        #expect(sound.received == .milliseconds(8940) && sound.lost == .milliseconds(560))
        #expect(sound.notSent == .milliseconds(400))
        #expect(sound.sound?.concealed == .milliseconds(60) && sound.sound?.missing == .milliseconds(500))
        #expect(sound.sound?.silent == .milliseconds(940 + 400))
        #expect(sound.gaps == [.init(from: at(4_000_000), to: at(4_500_000), reason: .lost)])
        let pictures = report.tracks[1]
        #expect(pictures.waited == .milliseconds(200))
        #expect(pictures.gaps.map(\.reason) == [.lost, .notSent])
        #expect(pictures.pictures?.frozenCount == 1 && pictures.pictures?.frozen == .milliseconds(1540))
        #expect(pictures.notSent == .milliseconds(2020))
        #expect(pictures.received + pictures.lost + pictures.notSent + .milliseconds(200) == pictures.expected)
        #expect(pictures.rates.rows.count == 10 && pictures.rates.rows[1].frames == 25)
        #expect(pictures.rates.rows[3].covered == .zero && pictures.rates.rows[9].covered == .seconds(1))
    }

    @Test func withoutWordOfLossAHoleIsNotExplained() {
        var call = Gathering()
        call.builder = ReportBuilder(knowsLoss: false)
        call.begin(camera)
        call.film(0..<3000)
        call.film(6000..<10_000)
        #expect(call.report().tracks[0].gaps.map(\.reason) == [.unknown])
        #expect(call.report().verdict.codes == [.frozen])
    }

    @Test func whatTheJournalSaysExplainsGaps() {
        var call = Gathering()
        call.begin(microphone, camera)
        call.speak(0..<10_000)
        call.film(0..<2000)
        call.event(.trackMuted(camera.participant, publishedAs: camera.publishedAs, isMuted: true), at: 2000)
        call.event(.trackMuted(camera.participant, publishedAs: camera.publishedAs, isMuted: false), at: 4000)
        call.film(4000..<6000)
        call.event(.trackReceiving(camera.id, isReceiving: false), at: 6500)
        call.film(8000..<8100)
        call.event(.trackReceiving(camera.id, isReceiving: true), at: 8001)
        call.builder.follow(.gap(camera.id, from: at(8_200_000), to: at(9_900_000), reason: "lost"), at: at(9_900_000))
        call.film(9900..<10_000)
        let track = call.report().tracks[1]
        #expect(track.gaps.map(\.reason) == [.muted, .notReceived, .connection])
        #expect(track.muted == .seconds(2) && track.pictures?.frozenCount == 1)
    }

    /// A recorder that was killed and goes on: what it had found out is not lost, and what it had written since is counted.
    @Test func anEarlierReportIsGoneOnWith() throws {
        var call = Gathering()
        call.begin(microphone)
        call.speak(0..<4000, decibels: -127)
        let before = call.report(until: 4000)
        call.speak(4000..<6000, decibels: -127)
        var manifest = call.manifest
        var track = try #require(call.tracks[microphone.id])
        track.ended = at(6_000_000)
        track.firstFrame = .zero
        track.lastFrame = at(5_980_000)
        manifest.tracks = [track]
        manifest.state = .finished
        manifest.duration = .seconds(20)
        var builder = ReportBuilder(knowsLoss: true)
        builder.goOn(after: before)
        let report = builder.report(of: manifest, at: at(20_000_000))
        #expect(report.tracks[0].received == .milliseconds(5980) && report.tracks[0].expected == .seconds(6))
        #expect(report.tracks[0].frames == 300 && report.tracks[0].sound?.silent == .seconds(4))
        #expect(report.verdict.codes == [.silent])
    }

    @Test func whySomeLayerCame() {
        var call = Gathering()
        call.begin(camera)
        call.event(.layerForwarded(camera.id, spatial: 2, temporal: 1), at: 10)
        call.event(.layerRequested(camera.id, spatial: 0), at: 20)
        call.event(.layerForwarded(camera.id, spatial: 0, temporal: nil), at: 30)
        #expect(
            call.report().tracks[0].layers == [
                .init(at: at(10_000), spatial: 2, temporal: 1, requested: nil),
                .init(at: at(30_000), spatial: 0, temporal: nil, requested: 0),
            ])
    }

    @Test func offsetsAreOfTheWholeCall() {
        var call = Gathering()
        call.begin(microphone, camera)
        for second in 0..<100 {
            let moment = Int64(second) * 1000
            call.speak(moment..<moment + 1000)
            call.film(moment..<moment + 1000)
            var (sound, picture) = (ReceptionFigures(), ReceptionFigures())
            sound.clockError = .milliseconds(second == 50 ? -400 : 5)
            picture.clockError = .zero
            sound.usesSenderReports = true
            picture.usesSenderReports = second > 10
            call.builder.receive([microphone.id: sound, camera.id: picture], at: at((moment + 1000) * 1000))
            #expect(call.builder.offset == .milliseconds(second == 50 ? 400 : 5))
            call.builder.receive([camera.id: picture], at: at((moment + 1000) * 1000))
            #expect(call.builder.offset == nil)
        }
        #expect(
            call.report(until: 100_000).participants[0].offset
                == .init(
                    p95: .milliseconds(6), worst: .milliseconds(400), measured: .seconds(100), basis: .senderReports))
    }

    @Test func ratesAreBoundedHoweverLongItLasts() {
        var table = RateTable()
        for second in 7..<50_000 { table.count(bytes: 10, at: at(Int64(second) * 1_000_000)) }
        #expect(table.rows.count <= RateTable.mostRows && table.rows.count > RateTable.mostRows / 2)
        #expect(table.rows.reduce(0) { $0 + $1.frames } == 49_993)
        #expect(table.from == .zero && table.interval == .seconds(512))
    }

    /// Whatever a journal says, and whenever frames come: no number is negative, and no part larger than the whole.
    @Test(arguments: 0..<60)
    func nonsenseInIsSenseOut(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var call = Gathering()
        call.builder = ReportBuilder(knowsLoss: seed % 2 == 0)
        let reach: Int64 = [2000, 60_000, 40_000_000][seed % 3]
        func moment() -> Int64 { Int64.random(in: -reach / 10...reach, using: &generator) }
        if seed % 5 > 0 { call.begin(microphone, camera) }
        var clock: Int64 = 0
        for _ in 0..<400 {
            clock += Int64.random(in: -10...reach / 200, using: &generator)
            switch Int.random(in: 0..<14, using: &generator) {
            case 0: call.event(.trackStarted(generator.chance(0.5) ? microphone : camera), at: moment())
            case 1: call.event(.trackEnded(TrackID(Int.random(in: 1...3, using: &generator))), at: moment())
            case 2:
                call.event(
                    .trackMuted(
                        camera.participant, publishedAs: MediaSectionID("\(Int.random(in: 0...1, using: &generator))"),
                        isMuted: generator.chance(0.5)), at: moment())
            case 3: call.event(.trackReceiving(TrackID(2), isReceiving: generator.chance(0.5)), at: moment())
            case 4:
                call.builder.follow(
                    .gap(
                        Bool.random(using: &generator) ? TrackID(1) : nil, from: at(moment() * 1000),
                        to: at(moment() * 1000), reason: "lost"), at: .zero)
            case 5:
                call.event(
                    generator.chance(0.5)
                        ? .participantJoined(Gathering.ada) : .participantLeft(Gathering.ada.id, .quit), at: moment())
            case 6: call.lose(generator.chance(0.5) ? microphone : camera)
            case 7:
                call.event(
                    .trackPublished(camera.participant, .video, publishedAs: MediaSectionID("1"), codec: nil),
                    at: moment())
            case 8: call.event(.trackUnpublished(camera.participant, publishedAs: MediaSectionID("1")), at: moment())
            case 9:
                var figures = ReceptionFigures()
                figures.clockError = .microseconds(moment())
                call.builder.receive([TrackID(1): figures, TrackID(2): figures], at: at(clock * 1000))
            case 10, 11:
                call.speak(
                    clock..<clock + 100,
                    decibels: generator.chance(0.3) ? nil : -127 + 127 * Double.random(in: 0...1, using: &generator))
            default: call.film(clock..<clock + 200) { generator.chance(0.5) ? 16 : UInt8(truncatingIfNeeded: $0) }
            }
        }
        let report = call.report(until: Int64.random(in: 0...reach, using: &generator))
        for track in report.tracks {
            let spans = [
                track.expected, track.received, track.lost, track.notSent, track.muted, track.waited ?? .zero,
                track.sound?.concealed, track.sound?.missing, track.sound?.silent, track.sound?.audible,
                track.pictures?.frozen, track.pictures?.longestFrozen, track.pictures?.black, track.pictures?.still,
                track.pictures?.seen,
            ].compactMap(\.self)
            #expect(spans.allSatisfy { $0 >= .zero && $0 <= track.expected }, "\(track)")
            #expect(track.received + track.lost + track.notSent + (track.waited ?? .zero) <= track.expected, "\(track)")
            #expect(track.gaps.allSatisfy { $0.length > .zero } && track.gapCount >= track.gaps.count)
            #expect(
                track.rates.rows.allSatisfy {
                    $0.frames >= 0 && $0.covered >= .zero && $0.covered <= track.rates.interval
                })
            #expect(track.rates.rows.count <= RateTable.mostRows)
            #expect(track.from >= .zero && track.to >= track.from)
        }
        #expect(report.participants.allSatisfy { $0.present >= .zero })
        #expect(report.verdict.grade == .good || !report.verdict.reasons.isEmpty)
        // It is written and read as it is.
        #expect(try RecordingReport(JSONValue(parsing: report.json.pretty)) == report)
    }
}
