import CallbotTesting
import MediaTypes
import Simulation
import Testing

@Suite struct CapturedCallTests {
    /// Ten minutes of what `recipes/bench/simulation` runs for two hours.
    @Test func pictureAndSoundAreTogetherInTracksAndComposite() throws {
        let temporary = try TemporaryFolder()
        var plan = SimulatedCall.Plan()
        plan.seed = 7
        plan.duration = .seconds(600)
        plan.downlink.loss = 0.05
        plan.downlink.delay = .milliseconds(40)
        plan.downlink.jitter = .milliseconds(30)
        plan.uplink = plan.downlink
        var call = try CapturedCall(plan, skews: (100, -100), into: temporary.path + "/call")
        try call.record()
        for (name, offsets) in [("tracks", try call.offsetsInTracks()), ("composite", try call.offsetsInComposite())] {
            let values = offsets.values.map(\.offset)
            #expect(values.count > 90, "\(name)")
            #expect(percentile(0.95, of: values) <= 20, "\(name): \(percentile(0.95, of: values))")
            #expect(percentile(1, of: values) <= 60, "\(name): \(percentile(1, of: values))")
        }
        #expect(call.faults == [])
    }
}
