import JSON
import MediaTypes
import RoomProtocol
import Testing

@testable import RecordingFormat

/// The rules, each by a call that breaks it and no other.
@Suite struct VerdictTests {
    private func judged(
        until milliseconds: Int64 = 10_000, ending: RecordingEnding? = nil,
        _ publications: [TrackPublication] = [microphone, camera],
        _ happen: (inout Gathering) -> Void
    ) -> Verdict {
        var call = Gathering()
        call.event(.participantJoined(Gathering.ada), at: 0)
        for publication in publications { call.event(.trackStarted(publication), at: 0) }
        happen(&call)
        return call.report(until: milliseconds, ending: ending).verdict
    }

    @Test func aCallThatIsWholeIsGood() {
        let verdict = judged {
            $0.speak(0..<10_000); $0.film(0..<10_000)
        }
        #expect(verdict == Verdict(grade: .good))
        #expect(verdict.sentence == "The recording is good.")
    }

    @Test func nobodyIsGoodAndSaidSo() {
        let verdict = Gathering().report().verdict
        #expect(verdict == Verdict(grade: .good, remarks: ["Nobody came."]))
        let listener = judged([]) { _ in }
        #expect(listener == Verdict(grade: .good, remarks: ["Ada published nothing."]))
    }

    @Test func silenceIsNotGood() {
        for (decibels, bytes) in [(-80.0, 80), (-127, 80), (nil, 1)] as [(Double?, Int)] {
            let verdict = judged {
                $0.speak(0..<10_000, decibels: decibels, bytes: bytes); $0.film(0..<10_000)
            }
            #expect(verdict.grade == .degraded && verdict.codes == [.silent])
            #expect(verdict.sentence == "The recording is degraded: Ada's microphone was silent throughout.")
            #expect(verdict.reasons.first?.track == microphone.id)
        }
        // One word in a long silence is enough.
        let word = judged { call in
            call.speak(0..<5000, decibels: -127)
            call.speak(5000..<5600)
            call.speak(5600..<10_000, decibels: -127)
            call.film(0..<10_000)
        }
        #expect(word.grade == .good)
    }

    @Test func silenceThatTheRoomWantedIsExplained() {
        let verdict = judged { call in
            call.event(.trackMuted(microphone.participant, publishedAs: microphone.publishedAs, isMuted: true), at: 0)
            call.speak(0..<1000, decibels: -127)
            call.film(0..<10_000)
        }
        #expect(verdict.codes == [.silent])
        #expect(verdict.reasons[0].text.hasSuffix("(the room had muted it)"))
    }

    @Test func blackIsNotGood() {
        let verdict = judged {
            $0.speak(0..<10_000); $0.film(0..<10_000) { _ in 16 }
        }
        #expect(verdict.grade == .degraded && verdict.codes == [.black])
        let half = judged {
            $0.speak(0..<10_000); $0.film(0..<10_000) { $0 < 5000 ? 16 : UInt8($0 / 100) }
        }
        #expect(half.grade == .good)
    }

    @Test func aPictureThatDoesNotChangeIsFrozen() {
        let still = judged {
            $0.speak(0..<10_000); $0.film(0..<10_000) { _ in 90 }
        }
        #expect(still.grade == .degraded && still.codes == [.frozen])
        let hung = judged(until: 60_000) { call in
            call.speak(0..<60_000)
            call.film(0..<60_000) { $0 < 20_000 ? UInt8($0 / 200) : 90 }
        }
        #expect(hung.codes == [.frozen])
        // A page that is read stands as long as it likes.
        var screen = camera
        screen.source = .screenShare
        let page = judged([microphone, screen]) {
            $0.speak(0..<10_000); $0.film(0..<10_000) { _ in 90 }
        }
        #expect(page.grade == .good)
    }

    @Test func aPictureThatIsLostIsFrozen() {
        let verdict = judged { call in
            call.speak(0..<10_000)
            call.film(0..<3000)
            call.lose(camera)
            call.film(5000..<10_000)
        }
        #expect(verdict.codes == [.frozen])
        #expect(verdict.reasons[0].text == "Ada's camera froze once, 2.0 s in all")
    }

    @Test func aSenderMayPauseButNotForMostOfTheTime() {
        let short = judged {
            $0.speak(0..<10_000); $0.film(0..<3000); $0.film(6000..<10_000)
        }
        #expect(short.grade == .good)
        let long = judged {
            $0.speak(0..<10_000); $0.film(0..<2000)
        }
        #expect(long.grade == .degraded && long.codes == [.paused])
        // When nothing comes of anybody, it was not they who paused.
        let broken = judged {
            $0.speak(0..<2000); $0.film(0..<2000)
        }
        #expect(broken.codes == [.lost, .frozen])
    }

    @Test func aTrackWithoutFramesIsNotGood() {
        let verdict = judged { $0.speak(0..<10_000) }
        #expect(verdict.grade == .degraded && verdict.codes == [.empty])
        let justStarted = judged(until: 1500) { $0.speak(0..<1500) }
        #expect(justStarted.grade == .good)
    }

    @Test func nothingOfAnybodyIsAFailure() {
        let verdict = judged { _ in }
        #expect(verdict.grade == .failed && verdict.codes.first == .noMedia)
        #expect(judged(until: 1000) { _ in }.grade == .good)
        let byEnd = judged(ending: RecordingEnding(reason: "noMedia", exitCode: 32)) { _ in }
        #expect(byEnd.grade == .failed)
        let foreign = judged([]) { call in
            call.event(
                .trackPublished(Gathering.ada.id, .video, publishedAs: MediaSectionID("1"), codec: .h264), at: 0)
        }
        #expect(foreign.grade == .failed && foreign.codes == [.noMedia, .unrecorded])
    }

    @Test func whatCannotBeSubscribedToIsTold() {
        let verdict = judged([microphone]) { call in
            call.speak(0..<10_000)
            call.event(
                .trackPublished(Gathering.ada.id, .video, publishedAs: MediaSectionID("1"), codec: .h264), at: 0)
        }
        #expect(verdict.grade == .degraded && verdict.codes == [.unrecorded])
        let recorded = judged([]) { call in
            call.event(
                .trackPublished(Gathering.ada.id, .audio, publishedAs: microphone.publishedAs, codec: .opus), at: 0)
            call.event(.trackStarted(microphone), at: 100)
            call.speak(200..<10_000)
        }
        #expect(recorded.grade == .good)
    }

    @Test func lostSoundIsNotGood() {
        func losing(_ milliseconds: Int64) -> Verdict {
            judged { call in
                call.film(0..<10_000)
                call.speak(0..<5000)
                call.lose(microphone)
                call.speak(5000 + milliseconds..<10_000)
            }
        }
        #expect(losing(60).grade == .good)
        #expect(losing(200).codes == [.lost])
        // What was not sent is silence.
        let dtx = judged {
            $0.film(0..<10_000); $0.speak(0..<5000); $0.speak(5400..<10_000)
        }
        #expect(dtx.grade == .good)
    }

    @Test func packetsThatNeverCameAreNotGood() {
        for (lost, grade) in [(5, Verdict.Grade.good), (50, .degraded)] {
            let verdict = judged { call in
                call.speak(0..<10_000)
                call.film(0..<10_000)
                var figures = ReceptionFigures()
                figures.packets = 1000
                figures.lost = lost
                call.builder.receive([camera.id: figures], at: at(1_000_000))
            }
            #expect(verdict.grade == grade && verdict.codes == (grade == .good ? [] : [.lost]))
        }
    }

    @Test func aLateBeginningIsTold() {
        let verdict = judged {
            $0.speak(0..<10_000); $0.film(6000..<10_000)
        }
        #expect(verdict.codes == [.late])
    }

    @Test func soundThatDoesNotFitThePictureIsTold() {
        for (error, codes) in [(40, []), (200, [.outOfSync])] as [(Int, [Verdict.Code])] {
            let verdict = judged { call in
                call.speak(0..<10_000)
                call.film(0..<10_000)
                var (sound, picture) = (ReceptionFigures(), ReceptionFigures())
                sound.clockError = .milliseconds(error)
                picture.clockError = .milliseconds(0)
                for second in 1...9 {
                    call.builder.receive([microphone.id: sound, camera.id: picture], at: at(Int64(second) * 1_000_000))
                }
            }
            #expect(verdict.codes == codes)
        }
    }

    @Test(arguments: [
        (0, Verdict.Grade.good), (10, .good), (130, .good), (75, .degraded), (12, .degraded), (30, .degraded),
    ])
    func whatEndedEarlyIsAtBestDegraded(code: Int, grade: Verdict.Grade) {
        let verdict = judged(ending: RecordingEnding(reason: "x", message: "It ended.", exitCode: code)) { call in
            call.speak(0..<10_000)
            call.film(0..<10_000)
        }
        #expect(verdict.grade == grade)
        if grade == .degraded { #expect(verdict.reasons.map(\.text) == ["the recording ended early (It ended)"]) }
    }

    @Test func whatWasNotEndedIsAtBestDegraded() {
        for (state, code) in [(RecordingManifest.State.recording, Verdict.Code.unfinished), (.interrupted, .cutShort)] {
            var report = RecordingReport(id: RecordingID("x"), state: state, duration: .seconds(10))
            report.verdict = Verdict(judging: report)
            #expect(report.verdict.grade == .degraded && report.verdict.codes == [code])
        }
    }

    @Test func faultsOfTheRecorderAreTold() {
        var call = Gathering()
        call.begin(microphone)
        call.speak(0..<10_000)
        var failing = call
        failing.builder.follow(.failed("cannot append: no space left", file: "tracks/01.webm"), at: at(1))
        #expect(failing.report().verdict.codes == [.fault])
        #expect(failing.report().events.map(\.text) == ["tracks/01.webm: cannot append: no space left"])
        var clock = call
        clock.builder.follow(.clockStepped(.seconds(2)), at: at(1))
        #expect(clock.report().verdict.grade == .good && clock.report().verdict.remarks.count == 1)
        for (state, codes) in [
            (CompositeReport.State.live, []), (.afterwards, []), (.missing, [.composite]),
        ] as [(CompositeReport.State, [Verdict.Code])] {
            var composite = call
            composite.builder.setComposite(CompositeReport(state: state))
            #expect(composite.report().verdict.codes == codes)
        }
        call.builder.setComposite(CompositeReport(state: .live, undecodableFrames: 3))
        call.builder.follow(.compositeSteppedDown(.halfRate, "12 pictures a second"), at: at(1))
        #expect(call.report().verdict.codes == [.undecodable, .composite])
    }

    @Test func aFileThatFailedIsTold() {
        var report = fullReport
        report.tracks = Array(report.tracks.prefix(1))
        report.tracks[0].frames = 3
        #expect(Verdict(judging: report).codes.contains(.writingFailed))
    }
}
