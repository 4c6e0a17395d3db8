import Testing

@testable import Supervision

@Suite struct AdmissionTests {
    @Test func theCompositeGivesWayBeforeTheRecording() {
        let admission = Admission(processors: 2)
        #expect(admission.decide(loads: [], wantsComposite: true) == .admitted)
        #expect(admission.decide(loads: [0.6, 0.5], wantsComposite: true) == .admitted)
        #expect(
            admission.decide(loads: [0.5, 0.5, 0.5], wantsComposite: true)
                == .captureOnly(
                    reason:
                        "3 recordings take 75 % of the machine: only the tracks are recorded, and the composite is made later"
                ))
        #expect(admission.decide(loads: [0.5, 0.5, 0.5], wantsComposite: false) == .admitted)
        #expect(
            admission.decide(loads: [1.6] + Array(repeating: 0.01, count: 8), wantsComposite: true)
                == .refused(reason: "9 recordings take 84 % of the machine, and another one would be too much"))
    }

    /// Nothing has been measured of those that began a moment ago.
    @Test func aStormIsNotAllLetIn() {
        let admission = Admission(processors: 4)
        var loads: [Double?] = []
        while admission.decide(loads: loads, wantsComposite: true) == .admitted, loads.count < 1000 {
            loads.append(nil)
        }
        #expect(loads.count == 6)
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
            admission.decide(loads: [0, 0], wantsComposite: false)
                == .refused(reason: "2 recordings run already, and no more than 2 may"))
    }
}
