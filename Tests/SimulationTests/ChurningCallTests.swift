import CallbotTesting
import MediaTypes
import Simulation
import Testing

@Suite struct ChurningCallTests {
    /// Some minutes of what `recipes/bench/simulation` runs for eight hours: of those who left, none is held but the last few.
    @Test func thoseWhoLeftAreNotHeld() throws {
        let temporary = try TemporaryFolder()
        var call = try ChurningCall(into: temporary.path + "/call")
        call.run(for: .seconds(100))
        var most = 0
        for _ in 0..<10 {
            call.run(for: .seconds(20))
            most = max(most, call.liveTracks)
        }
        // Two of each who is there, and of each who left within a minute.
        #expect(call.visitors >= 18 && most <= 2 * (4 + 4), "\(most) tracks of \(call.visitors) visitors")
        call.finish()
    }
}
