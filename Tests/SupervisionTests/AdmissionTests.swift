import Testing

@testable import Supervision

@Suite struct AdmissionTests {
    @Test func theCompositeGivesWayBeforeTheRecording() {
        let admission = Admission(processors: 2)
        #expect(admission.decide(running: 0, load: 0, wantsComposite: true) == .admitted)
        #expect(admission.decide(running: 2, load: 1.1, wantsComposite: true) == .admitted)
        #expect(
            admission.decide(running: 3, load: 1.5, wantsComposite: true)
                == .captureOnly(
                    reason:
                        "3 recordings take 75 % of the machine: only the tracks are recorded, and 'callbot render' makes the composite"
                ))
        #expect(admission.decide(running: 3, load: 1.5, wantsComposite: false) == .admitted)
        #expect(
            admission.decide(running: 9, load: 1.68, wantsComposite: true)
                == .refused(reason: "9 recordings take 84 % of the machine, and another one would be too much"))
    }

    @Test func whatIsMeasuredCounts() {
        var admission = Admission(processors: 4)
        #expect(admission.room(for: .live, load: 0) == 6)
        for _ in 0..<100 { admission.measured(.live, processors: 0.1) }
        #expect(abs(admission.need(of: .live) - 0.1) < 0.01)
        #expect(admission.room(for: .live, load: 0) >= 30)
        admission.measured(.live, processors: .nan)
        admission.measured(.live, processors: -1)
        #expect(abs(admission.need(of: .live) - 0.1) < 0.01)
    }

    @Test func aLimitIsALimit() {
        let admission = Admission(processors: 64, most: 2)
        #expect(
            admission.decide(running: 2, load: 0, wantsComposite: false)
                == .refused(reason: "2 recordings run already, and no more than 2 may"))
    }
}
