import CAllocator
import CallbotTesting
import Foundation
import MediaTypes
import Playback
import Simulation

// Runs the big simulations and prints their figures; `recipes/bench/simulation` builds it for speed and says what of it.
let words = Array(CommandLine.arguments.dropFirst())
func number(_ index: Int, _ usual: UInt64) -> UInt64 {
    words.indices.contains(index) ? UInt64(words[index]) ?? usual : usual
}

switch words.first {
case "calls": randomCalls(from: number(2, 0), count: number(1, 2000))
case "call": oneCall(number(1, 0))
case "long": try longCall(hours: Double(number(1, 2)))
case "churn": try churn(hours: Int(number(1, 8)))
case "end": try end(hours: Double(number(1, 2)))
default:
    print("SimulationBench calls [COUNT [FIRST]] | call SEED | long [HOURS] | churn [HOURS] | end [HOURS]")
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

/// What happens in a call, and how late its frames are dated, every three seconds.
func oneCall(_ seed: UInt64) {
    var call = SimulatedCall(.random(seed: seed))
    call.run()
    func words(_ spans: [Range<MonotonicTime>]) -> String {
        spans.map { "\($0.lowerBound.nanoseconds / 1_000_000)-\($0.upperBound.nanoseconds / 1_000_000)" }
            .joined(separator: " ")
    }
    print("\(call.plan.downlink), outages \(words(call.plan.outages))")
    for (track, account) in zip(call.plan.tracks, call.accounts) {
        print(
            "\(track.codec) from \(track.start.nanoseconds / 1_000_000) ms, \(track.skew) ppm, reports of the \(track.reportStyle), fault: \(track.reportFault)"
        )
        print(
            "  stalls \(words(track.stalls)), congestion \(words(track.congestion)), pauses \(words(track.pauses)), sleeps \(words(track.sleeps))"
        )
        var next = track.start
        var errors: [String] = []
        for dating in account.datings where dating.captured >= next {
            errors.append("\(dating.captured.nanoseconds / 1_000_000):\(Int(dating.error))")
            next = dating.captured + .seconds(3)
        }
        print("  \(errors.joined(separator: " "))")
    }
    for fault in call.faults() { print("FAULT: \(fault)") }
}

/// Long calls into tracks and a composite, with sender clocks that run apart by 200 ppm either way.
func longCall(hours: Double) throws {
    for (seed, skews) in [(UInt64(1), (100.0, -100.0)), (2, (-100, 100))] {
        let temporary = try TemporaryFolder()
        var plan = SimulatedCall.Plan()
        plan.seed = seed
        plan.duration = .seconds(hours * 3600)
        plan.downlink.loss = 0.05
        plan.downlink.delay = .milliseconds(40)
        plan.downlink.jitter = .milliseconds(30)
        plan.uplink = plan.downlink
        var call = try CapturedCall(plan, skews: skews, into: temporary.path + "/call")
        try call.record()
        for (name, found) in [("tracks", try call.offsetsInTracks()), ("composite", try call.offsetsInComposite())] {
            print(
                "\(hours) h, sound \(skews.0) ppm, picture \(skews.1) ppm, \(name): \(figures(found.values.map(\.offset)))"
            )
            for share in [0.01, 0.5, 0.99] {
                let near = found.near(share, of: call.duration).sorted()
                let median = near.isEmpty ? "none" : "\(Int((near[near.count / 2] * 10).rounded())) tenths of a ms"
                print("  at \(Int(share * 100)) %: median \(median) of \(near.count)")
            }
        }
        for fault in call.faults { print("FAULT: \(fault)") }
    }
}

/// A call in which somebody leaves and somebody comes every ten seconds. What the system has given the process (resident) is what
/// the program holds, what the allocator keeps free, and code; the most in an hour is a moment at which a report was written.
func churn(hours: Int) throws {
    let temporary = try TemporaryFolder()
    var call = try ChurningCall(into: temporary.path + "/call")
    var resident: [Int] = []
    for hour in 1...max(2, hours) {
        var most = 0
        for _ in 0..<360 {
            call.run(for: .seconds(10))
            most = max(most, residentKilobytes())
        }
        resident.append(residentKilobytes())
        print(
            "after \(hour) h: \(resident[hour - 1]) kB, at most \(most) kB; \(ca_held() / 1024) kB held,",
            "\(ca_free() / 1024) kB free; \(call.visitors) visitors, \(call.frames) frames")
    }
    call.finish()
    print("after its end: \(residentKilobytes()) kB, \(ca_held() / 1024) kB held, \(ca_free() / 1024) kB free")
    let growth = (resident[resident.count - 1] - resident[0]) / (resident.count - 1)
    print("growth: \(growth) kB an hour\(growth < 1024 ? "" : ", which is too much")")
}

func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
}

/// How long it takes at the end of a long call of four until the recording is whole, and can be looked at: what stands
/// between its end and watching it.
func end(hours: Double) throws {
    let temporary = try TemporaryFolder()
    var call = try LongCall(into: temporary.path + "/call")
    call.run(for: .seconds(hours * 3600))
    let clock = ContinuousClock()
    let whole = clock.measure { call.finish() }
    var people = 0
    let shown = try clock.measure { people = try RecordingView(folder: call.folder).people.count }
    print(
        "\(hours) h of \(people) people, \(call.bytes >> 20) MB:",
        "whole \(milliseconds(whole)) ms after the end, its view is read in \(milliseconds(shown)) ms")
    for failure in call.failures { print("FAULT: \(failure)") }
}

private func milliseconds(_ duration: Swift.Duration) -> Int { Int(duration / .milliseconds(1)) }

/// How far picture and sound are apart, in words.
func figures(_ offsets: [Double]) -> String {
    let shares = [("p50", 0.5), ("p95", 0.95), ("worst", 1)].map { name, share in
        let tenths = Int((percentile(share, of: offsets) * 10).rounded())
        return "\(name) \(tenths / 10).\(tenths % 10) ms"
    }
    return "picture against sound: " + shares.joined(separator: ", ")
}
