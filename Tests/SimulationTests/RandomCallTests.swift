import CallbotTesting
import Foundation
import MediaTypes
import Simulation
import Testing

/// Calls of all kinds, each of which follows from its seed. `CALLBOT_SIMULATIONS` says how many (24; the rest is for
/// `recipes/bench/simulation`), and `CALLBOT_SIMULATION_SEED` runs the one of that seed alone.
///
/// Of each participant's pictures and sounds, from a second on after the later one's first frame, ten after whatever the
/// sender did of a sudden or once the queue of the beginning is empty, twenty where it counts with a wrong rate: 95 of
/// 100 are dated within 20 ms of each other, or 30 ms where one has no true reports, counts wrongly, or loses every fifth
/// packet; all within 60 ms.
@Suite struct RandomCallTests {
    static var seeds: [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["CALLBOT_SIMULATION_SEED"].flatMap(UInt64.init) { return [seed] }
        return (0..<(environment["CALLBOT_SIMULATIONS"].flatMap(UInt64.init) ?? 24)).map { $0 }
    }

    @Test(arguments: 0..<4)
    func nothingIsLostAndAllIsInTime(quarter: Int) {
        for (index, seed) in Self.seeds.enumerated() where index % 4 == quarter {
            var call = SimulatedCall(.random(seed: seed))
            call.run()
            for fault in call.faults() { Issue.record("CALLBOT_SIMULATION_SEED=\(seed): \(fault)") }
        }
    }
}
