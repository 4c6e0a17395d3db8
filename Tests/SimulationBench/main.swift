import CallbotTesting
import Foundation
import Simulation

// Runs the big simulations and prints their figures; `recipes/bench/simulation` builds it for speed and says what of it.
let words = Array(CommandLine.arguments.dropFirst())
func number(_ index: Int, _ usual: UInt64) -> UInt64 {
    words.indices.contains(index) ? UInt64(words[index]) ?? usual : usual
}

switch words.first {
case "calls": randomCalls(from: number(2, 0), count: number(1, 2000))
default:
    print("SimulationBench calls [COUNT [FIRST]]")
    exit(64)
}

/// Many calls of all kinds.
func randomCalls(from first: UInt64, count: UInt64) {
    var failing = 0
    var offsets: [Double] = []
    for seed in first..<first + count {
        var call = SimulatedCall(.random(seed: seed))
        call.run()
        let faults = call.faults()
        for fault in faults { print("CALLBOT_SIMULATION_SEED=\(seed): \(fault)") }
        failing += faults.isEmpty ? 0 : 1
        for participant in Set(call.plan.participants) { offsets += call.offsets(of: participant) }
    }
    print("\(count) calls of two minutes, \(failing) with faults; \(figures(offsets))")
}

/// How far picture and sound are apart, in words.
func figures(_ offsets: [Double]) -> String {
    let shares = [("p50", 0.5), ("p95", 0.95), ("worst", 1)].map { name, share in
        let tenths = Int((percentile(share, of: offsets) * 10).rounded())
        return "\(name) \(tenths / 10).\(tenths % 10) ms"
    }
    return "picture against sound: " + shares.joined(separator: ", ")
}
