import CallbotTesting
import MediaTypes
import RTP
import Testing

@testable import Reception

/// Which track a packet belongs to, and what happens when sources and sections change.
@Suite struct SourceTests {
    @Test(arguments: [0, 2000, 32768, 65535] as [UInt16])
    func anotherSourceInTheSameSectionGoesOnWithTheTrack(start: UInt16) throws {
        var simulation = Simulation([videoPlan { $0.mid = (4, "0") }])
        simulation.run(for: .seconds(5))
        simulation.senders[0].changeSource(to: SSRC(77), sequenceNumber: start, timestamp: 0x8888_8888)
        simulation.run(for: .seconds(5))
        simulation.finish()
        #expect(simulation.received(0).map(\.payload) == simulation.senders[0].sent.map(\.payload))
        #expect(simulation.events == [.sourceChanged(SSRC(77))])
        #expect(simulation.errors(0).allSatisfy { abs($0) < 1 })
        // Feedback names the new source.
        #expect(simulation.senders[0].lastReport?.ssrc == SSRC(77))
        #expect(simulation.receiver.unroutablePackets == 0)
    }

    @Test func latePacketsOfAReplacedSourceDoNotBringItBack() throws {
        var simulation = Simulation([videoPlan { $0.mid = (4, "0") }])
        simulation.run(for: .seconds(1))
        var late = OutgoingRTPPacket(
            payloadType: PayloadType(96), sequenceNumber: SequenceNumber(9999), timestamp: 5, ssrc: SSRC(1),
            payload: [1])
        late.headerExtensions = [(4, Array("0".utf8))]
        simulation.senders[0].changeSource(to: SSRC(77), sequenceNumber: 5, timestamp: 5)
        simulation.run(for: .seconds(1))
        simulation.receiver.handleRTP(late.serialized(), at: simulation.now)
        simulation.run(for: .seconds(1))
        #expect(simulation.events == [.sourceChanged(SSRC(77))])
        #expect(simulation.receiver.unroutablePackets == 1)
    }

    @Test func sourcesThatWereNotAnnouncedAreFoundByMidOrByPayloadType() {
        let plans = [
            videoPlan { $0.mid = (4, "0") }, audioPlan { $0.ssrc = SSRC(2) },
            videoPlan {
                $0.ssrc = SSRC(3)
                $0.mid = (4, "2")
            },
        ]
        var simulation = Simulation(plans) { $0.ssrcs = [] }
        simulation.run(for: .seconds(2))
        // Of a payload type that two sections have, and with a mid that none has.
        var stray = OutgoingRTPPacket(
            payloadType: PayloadType(96), sequenceNumber: SequenceNumber(1), timestamp: 5, ssrc: SSRC(99), payload: [1])
        simulation.receiver.handleRTP(stray.serialized(), at: simulation.now)
        stray.headerExtensions = [(4, Array("7".utf8))]
        simulation.receiver.handleRTP(stray.serialized(), at: simulation.now)
        simulation.finish()
        for index in plans.indices {
            #expect(simulation.received(index).map(\.payload) == simulation.senders[index].sent.map(\.payload))
        }
        #expect(simulation.receiver.unroutablePackets == 2)
    }

    /// A server sends in a new section before it has the answer to its offer; what it sends first is the keyframe.
    @Test func whatComesBeforeItsSectionIsNegotiatedIsKeptForIt() throws {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        var receiver = MediaReceiver(senderSSRC: SSRC(9), cname: "bot")
        for number in 0..<3 {
            let packet = OutgoingRTPPacket(
                payloadType: PayloadType(111), sequenceNumber: SequenceNumber(UInt16(number)),
                timestamp: UInt32(number * 960), ssrc: SSRC(5), payload: [0xF8, UInt8(number)])
            receiver.handleRTP(packet.serialized(), at: start + .milliseconds(20 * number))
        }
        #expect(receiver.unroutablePackets == 3)
        var section = MediaReceiver.Section(
            mid: MediaSectionID("0"), kind: .audio,
            payloadTypes: [PayloadType(111): PayloadFormat(codec: .opus, clockRate: 48_000)])
        section.ssrcs = [SSRC(5)]
        receiver.configure([section], at: start + .milliseconds(80))
        receiver.wake(at: start + .seconds(1))
        var frames: [[UInt8]] = []
        while let output = receiver.nextOutput() {
            if case .frame(_, let frame) = output { frames.append(frame.payload) }
        }
        #expect(frames == [[0xF8, 0], [0xF8, 1], [0xF8, 2]])
        #expect(receiver.unroutablePackets == 0)
    }

    @Test func aRenegotiationLeavesKeptSectionsAloneAndEndsRecycledOnes() throws {
        var simulation = Simulation([videoPlan(), audioPlan()])
        simulation.run(for: .milliseconds(3010))
        var recycled = simulation.senders[1].plan
        recycled.ssrc = SSRC(22)
        simulation.receiver.configure(
            [
                Simulation.section(of: simulation.senders[0].plan, mid: Simulation.mid(0)),
                Simulation.section(of: recycled, mid: Simulation.mid(1)),
            ], at: simulation.now)
        guard case .event(Simulation.mid(1), .ended)? = simulation.receiver.nextOutput() else {
            Issue.record("the old track has not ended")
            return
        }
        #expect(simulation.statistics(1)?.packets == 0)
        let before = simulation.received(1).count
        // The old source is heard no longer; the new one is.
        simulation.run(for: .seconds(1))
        #expect(simulation.received(1).count == before)
        simulation.senders[1].changeSource(to: SSRC(22), sequenceNumber: 1, timestamp: 7)
        simulation.run(for: .seconds(1))
        #expect(simulation.received(1).count > before + 40)
        #expect(simulation.received(0).count == simulation.senders[0].sent.count)
        #expect(simulation.events.isEmpty)
    }

    /// A server may use a section again as it is: other people's media by the same source, numbered on.
    @Test(arguments: [50, 1000])
    func anotherTrackByTheSameSourceBeginsAnew(silence: Int) throws {
        var simulation = Simulation([videoPlan()])
        simulation.run(for: .seconds(3))
        simulation.receiver.end(Simulation.mid(0))
        // A straggler is no new track.
        simulation.run(for: .milliseconds(80))
        #expect(simulation.events.isEmpty)
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .milliseconds(silence))
        simulation.downlink.impairment.loss = 0
        // Only who knows can tell it after a short silence.
        if silence < 200 { simulation.receiver.replaceTrack(Simulation.mid(0)) }
        let before = simulation.received(0).count
        let start = simulation.now
        simulation.run(for: .seconds(2))
        #expect(simulation.events == [.sourceChanged(SSRC(1))])
        let first = try #require(simulation.received(0).dropFirst(before).first)
        #expect(first.isKeyframe)
        #expect(first.captureTime - start < .milliseconds(150))
        #expect(simulation.senders[0].keyframeRequests == 1)
    }

    @Test(arguments: [4000, 20_000, 40_000, 60_000] as [UInt16])
    func sequenceNumbersThatJumpFarAreBelievedAtTheSecondPacket(jump: UInt16) {
        var simulation = Simulation([audioPlan { $0.firstSequenceNumber = 65_000 }])
        simulation.run(for: .seconds(3))
        simulation.senders[0].restart(sequenceNumber: 65_000 &+ 150 &+ jump)
        simulation.run(for: .seconds(3))
        simulation.finish()
        #expect(simulation.events == [.sequenceRestarted])
        #expect(simulation.received(0).count == simulation.senders[0].sent.count)
        #expect(simulation.errors(0).allSatisfy { abs($0) < 0.1 })
    }

    @Test func aGoodbyeEndsTheWaiting() {
        var simulation = Simulation([videoPlan()])
        simulation.run(for: .milliseconds(1010))
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .milliseconds(40))
        simulation.downlink.impairment.loss = 0
        // The sender can repeat nothing, so what follows the gap waits.
        simulation.senders[0].forget()
        simulation.run(for: .milliseconds(80))
        let held = simulation.senders[0].sent.count - simulation.received(0).count
        #expect(held > 1)
        simulation.senders[0].plan.end = simulation.now
        simulation.receiver.handleRTCP(
            RTCPCompound([.goodbye(Goodbye(sources: [SSRC(1)]))]).serialized(), at: simulation.now)
        simulation.step()
        #expect(simulation.senders[0].sent.count - simulation.received(0).count <= 1)
        #expect(simulation.events.last == .goodbye)
    }
}
