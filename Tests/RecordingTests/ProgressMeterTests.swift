import MediaTypes
import RoomClient
import RoomProtocol
import Testing
import Transport

@testable import Recording

@Suite struct ProgressMeterTests {
    private func statistics(received: Int) -> RoomStatistics {
        var statistics = RoomStatistics()
        var transport = TransportStatistics()
        transport.octetsReceived = received
        statistics.transports[.media] = transport
        return statistics
    }

    private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func ratesAreOfTheLastSeconds() {
        var meter = ProgressMeter()
        #expect(meter.isDue(at: at(1)))
        let first = meter.read(statistics(received: 5000), captured: 4000, elapsed: .zero, at: at(1))
        #expect(first.incomingBitRate == 0 && first.outgoingBitRate == 0 && first.loss == 0)
        #expect(!meter.isDue(at: at(1)) && meter.isDue(at: at(2)))
        let second = meter.read(statistics(received: 7000), captured: 5000, elapsed: .seconds(2), at: at(3))
        #expect(second.incomingBitRate == 8000 && second.outgoingBitRate == 4000 && second.elapsed == .seconds(2))
    }

    @Test func aConnectionThatBeginsAnewAndAClockThatStandsAreNoHarm() {
        var meter = ProgressMeter()
        _ = meter.read(statistics(received: 5000), captured: 0, elapsed: .zero, at: at(1))
        #expect(meter.read(statistics(received: 10), captured: 0, elapsed: .zero, at: at(1)).incomingBitRate == 0)
        #expect(meter.read(statistics(received: 0), captured: 0, elapsed: .zero, at: at(2)).incomingBitRate == 0)
    }
}
