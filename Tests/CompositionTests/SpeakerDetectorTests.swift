import CallbotTesting
import MediaTypes
import Testing

@testable import Composition

@Suite struct SpeakerDetectorTests {
    private let ada = ParticipantID("ada")

    private func detector() -> SpeakerDetector {
        var detector = SpeakerDetector()
        detector.start(TrackID(1), of: ada)
        return detector
    }

    /// Frames of 20 ms of some loudness, from one moment to another.
    private func hear(_ detector: inout SpeakerDetector, _ level: Double, _ span: Range<Int64>, of track: Int = 1) {
        for time in stride(from: span.lowerBound, to: span.upperBound, by: 20) {
            detector.hear(level, of: TrackID(track), at: .ms(time), lasting: .milliseconds(20))
        }
    }

    private func changes(_ detector: inout SpeakerDetector) -> [SpeakerDetector.Change] {
        var changes: [SpeakerDetector.Change] = []
        while let change = detector.nextChange() { changes.append(change) }
        return changes
    }

    @Test func speechIsSeenWithinATenthOfASecondOrSoAndEndsAfterAPause() {
        var detector = detector()
        hear(&detector, -70, 0..<1000)
        hear(&detector, -25, 1000..<2000)
        hear(&detector, -70, 2000..<4000)
        let expected = [
            SpeakerDetector.Change(participant: ada, isSpeaking: true, at: .ms(1120)),
            SpeakerDetector.Change(participant: ada, isSpeaking: false, at: .ms(2800)),
        ]
        let seen = changes(&detector)
        #expect(seen == expected)
    }

    @Test func aKnockIsNoSpeechAndABreathNoEnd() {
        var detector = detector()
        hear(&detector, -10, 0..<80)
        hear(&detector, -70, 80..<1000)
        hear(&detector, -10, 1000..<1060)
        hear(&detector, -70, 1060..<2000)
        var seen = changes(&detector)
        #expect(seen.isEmpty)
        hear(&detector, -30, 2000..<2500)
        hear(&detector, -70, 2500..<3100)
        // Quieter than what begins a speech, and enough to go on with it.
        hear(&detector, -47, 3100..<4000)
        hear(&detector, -70, 4000..<4700)
        seen = changes(&detector)
        #expect(seen.map(\.isSpeaking) == [true])
        detector.advance(to: .ms(4790))
        seen = changes(&detector)
        #expect(seen.isEmpty)
        detector.advance(to: .ms(4801))
        seen = changes(&detector)
        #expect(seen == [SpeakerDetector.Change(participant: ada, isSpeaking: false, at: .ms(4801))])
    }

    /// With discontinuous transmission nothing comes during silence.
    @Test func whoSendsNothingIsSilent() {
        var detector = detector()
        hear(&detector, -25, 0..<400)
        hear(&detector, -25, 3000..<3400)
        let seen = changes(&detector)
        #expect(seen.map(\.at) == [.ms(120), .ms(1200), .ms(3120)])
        #expect(seen.map(\.isSpeaking) == [true, false, true])
    }

    @Test func onePersonWithTwoMicrophonesSpeaksOnce() {
        var detector = detector()
        detector.start(TrackID(2), of: ada)
        detector.start(TrackID(3), of: ParticipantID("bob"))
        hear(&detector, -25, 0..<500)
        hear(&detector, -25, 200..<800, of: 2)
        detector.end(TrackID(1), at: .ms(900))
        detector.hear(-10, of: TrackID(1), at: .ms(920), lasting: .seconds(1))
        detector.end(TrackID(2), at: .ms(950))
        detector.end(TrackID(3), at: .ms(950))
        let seen = changes(&detector)
        #expect(seen.map(\.isSpeaking) == [true, false])
        #expect(seen.last?.at == .ms(950))
    }
}
