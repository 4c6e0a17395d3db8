import CallbotTesting
import MediaTypes
import RTP
import Testing

@testable import Reception

/// What a bad network does to the frames, and what comes back to the sender.
@Suite struct LossTests {
    @Test func aGoodNetworkDeliversEveryFrameAtOnce() {
        var simulation = Simulation([videoPlan(), audioPlan { $0.audioLevelExtension = 1 }])
        simulation.run(for: .seconds(20))
        simulation.finish()
        for index in 0...1 {
            #expect(simulation.received(index).map(\.payload) == simulation.senders[index].sent.map(\.payload))
            #expect(simulation.received(index).allSatisfy { !$0.followsLoss })
            #expect(simulation.errors(index).allSatisfy { abs($0) < 0.1 })
        }
        #expect(simulation.received(0).first?.size == PixelSize(width: 640, height: 360))
        #expect(simulation.received(1).first?.duration == .milliseconds(20))
        #expect(simulation.received(1).first?.audioLevel == AudioLevel(isVoice: true, attenuation: 33))
        let delays = zip(simulation.deliveries[Simulation.mid(0)] ?? [], simulation.senders[0].sent).map {
            $0 - $1.time
        }
        // Before half a second of arrivals is known nothing is dated.
        #expect(delays.dropFirst(13).allSatisfy { $0 == .zero })
        #expect(delays.first == .milliseconds(500))
        #expect(simulation.events.isEmpty)
        #expect(simulation.senders[0].keyframeRequests == 0)
        #expect(simulation.statistics(0)?.lost == 0)
    }

    @Test(arguments: [true, false], [0, 1, 32767, 65530, 65535] as [UInt16])
    func retransmissionRestoresEveryFrameInOrder(usesRTX: Bool, start: UInt16) {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.05
        impairment.delay = .milliseconds(50)
        impairment.jitter = .milliseconds(10)
        var simulation = Simulation(
            [
                videoPlan {
                    if usesRTX { $0.rtxSSRC = SSRC(11) }
                    $0.firstSequenceNumber = start
                    $0.firstTimestamp = 0xffff_ff00
                },
                audioPlan { $0.firstSequenceNumber = start &+ 3 },
            ], impairment: impairment, seed: UInt64(start) + 3)
        simulation.run(for: .seconds(30))
        // Without loss at the end: nobody tells that the last packet is missing.
        simulation.downlink.impairment.loss = 0
        simulation.run(for: .seconds(1))
        simulation.finish()
        #expect(simulation.downlink.lost > 50)
        for index in 0...1 {
            let received = simulation.received(index).map(\.payload)
            // What was lost before the first packet that came is not known to the receiver.
            let sent = simulation.senders[index].sent.map(\.payload).drop { $0 != received.first }
            #expect(received == Array(sent))
            #expect(simulation.statistics(index)?.lost == 0)
            #expect((simulation.statistics(index)?.recovered ?? 0) > 20)
        }
        #expect(simulation.events.isEmpty)
        let roundTrip = simulation.statistics(0)?.roundTripTime ?? .zero
        #expect(Duration.milliseconds(95)...Duration.milliseconds(150) ~= roundTrip)
        // Few are asked for more often than they were lost.
        let asked = simulation.statistics(0)?.retransmissionRequests ?? 0
        #expect(asked < (simulation.statistics(0)?.recovered ?? 0) * 2)
    }

    @Test func reorderedAndDuplicatedPacketsCostNothing() {
        var impairment = LinkEmulator.Impairment()
        impairment.delay = .milliseconds(10)
        impairment.reordering = 0.1
        impairment.duplication = 0.1
        var simulation = Simulation([videoPlan(), audioPlan()], impairment: impairment)
        simulation.run(for: .seconds(20))
        simulation.finish()
        for index in 0...1 {
            #expect(simulation.received(index).map(\.payload) == simulation.senders[index].sent.map(\.payload))
            #expect((simulation.statistics(index)?.duplicates ?? 0) > 20)
        }
        #expect(simulation.events.isEmpty)
        // Audio packets are far apart, so only a few of the late ones look missing for long.
        #expect(simulation.senders[1].retransmissions == 0)
    }

    @Test func aPictureThatStaysBrokenIsMarkedUntilTheKeyframeThatIsAskedFor() throws {
        var simulation = Simulation([videoPlan()])
        simulation.run(for: .seconds(2))
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .milliseconds(100))
        simulation.downlink.impairment.loss = 0
        let outage = simulation.now
        // The sender has forgotten what it sent.
        simulation.senders[0].forget()
        simulation.run(for: .seconds(4))
        simulation.finish()

        let received = simulation.received(0)
        let sent = simulation.senders[0].sent
        #expect(sent.count - received.count == 2 || sent.count - received.count == 3)
        #expect(simulation.senders[0].keyframeRequests == 1)
        let firstMarked = try #require(received.firstIndex { $0.followsLoss })
        let healed = try #require(received[firstMarked...].firstIndex { !$0.followsLoss })
        #expect(received[healed].isKeyframe)
        #expect(received[healed...].allSatisfy { !$0.followsLoss })
        // Asked for when the patience ended, answered by the next frame.
        let delivery = try #require(simulation.deliveries[Simulation.mid(0)]?[healed])
        #expect(delivery - outage < .milliseconds(2300))
        #expect(simulation.events.count == 1)
    }

    @Test func withoutRetransmissionAudioGapsArePassedOverInHalfASecond() throws {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.05
        var simulation = Simulation([audioPlan()], impairment: impairment) { $0.nack = false }
        simulation.run(for: .seconds(20))
        simulation.finish()
        let statistics = try #require(simulation.statistics(0))
        #expect(simulation.received(0).count + simulation.downlink.lost >= simulation.senders[0].sent.count)
        #expect(statistics.lost > 20)
        #expect(simulation.senders[0].retransmissions == 0)
        #expect(simulation.received(0).filter(\.followsLoss).count > 20)
        let waits = zip(simulation.deliveries[Simulation.mid(0)] ?? [], simulation.received(0)).map {
            $0 - $1.captureTime
        }
        #expect(waits.allSatisfy { $0 <= .milliseconds(521) })
    }

    @Test func paddingThatIsLostBreaksNothing() {
        var simulation = Simulation([videoPlan()]) { $0.nack = false }
        simulation.run(for: .milliseconds(2010))
        simulation.downlink.impairment.loss = 1
        simulation.senders[0].sendPadding(3, at: simulation.now)
        simulation.step()
        simulation.downlink.impairment.loss = 0
        simulation.run(for: .seconds(2))
        simulation.finish()
        #expect(simulation.received(0).count == simulation.senders[0].sent.count)
        #expect(simulation.received(0).allSatisfy { !$0.followsLoss })
        #expect(simulation.events == [.packetsLost(3)])
        #expect(simulation.senders[0].keyframeRequests == 0)
    }

    @Test func joiningInTheMiddleAsksForAKeyframeAtOnce() throws {
        var simulation = Simulation([videoPlan()])
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .seconds(1))
        simulation.downlink.impairment.loss = 0
        simulation.downlink.impairment.delay = .milliseconds(20)
        simulation.uplink.impairment.delay = .milliseconds(20)
        simulation.run(for: .seconds(2))
        simulation.finish()
        #expect(simulation.received(0).first?.isKeyframe == true)
        #expect(simulation.senders[0].keyframeRequests == 1)
        let keyframe = try #require(simulation.received(0).first)
        #expect(keyframe.captureTime - MonotonicTime(nanoseconds: 1_000_000_000) < .milliseconds(150))
        #expect((simulation.statistics(0)?.framesBeforeKeyframe ?? 0) >= 1)
    }

    @Test func keyframeRequestsThatGetLostAreRepeated() {
        var simulation = Simulation([videoPlan()])
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .seconds(1))
        simulation.downlink.impairment.loss = 0
        simulation.uplink.impairment.loss = 1
        simulation.run(for: .seconds(12))
        var requests = 0
        for compound in simulation.feedback {
            guard case .receiverReport(let report)? = compound.packets.first else {
                Issue.record("a compound begins with a report")
                continue
            }
            for case .pictureLossIndication(let indication) in compound.packets {
                requests += 1
                #expect(report.reportBlocks.first?.ssrc == indication.source)
            }
        }
        #expect(requests == 8)  // after 0, 0.5, 1.5, 2.5, 4.5, 6.5, 8.5 and 10.5 s
        #expect(simulation.received(0).isEmpty)
    }

    @Test func everyFrameKnowsHowItIsToBeTurned() {
        var simulation = Simulation([videoPlan { $0.videoOrientationExtension = 13 }])
        for rotation in [PictureRotation.none, .right, .upsideDown, .none, .left] {
            simulation.senders[0].rotation = rotation
            simulation.run(for: .milliseconds(400))
        }
        simulation.finish()
        let seen = simulation.received(0).map(\.rotation)
        let expected = [PictureRotation.none, .right, .upsideDown, .none, .left].flatMap {
            Array(repeating: $0, count: 10)
        }
        #expect(seen == expected)
    }

    @Test func aSenderThatHasFallenSilentIsNotAskedAgain() {
        var simulation = Simulation([videoPlan()])
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .seconds(1))
        simulation.downlink.impairment.loss = 0
        simulation.uplink.impairment.loss = 1
        simulation.run(for: .milliseconds(200))
        simulation.downlink.impairment.loss = 1
        simulation.run(for: .seconds(10))
        // Once more for what came after the first request.
        #expect(simulation.statistics(0)?.keyframeRequests == 2)
    }

    @Test func whatIsHealedInTimeAsksForNoKeyframe() {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.03
        impairment.delay = .milliseconds(40)
        impairment.jitter = .milliseconds(10)
        var simulation = Simulation([videoPlan { $0.rtxSSRC = SSRC(11) }], impairment: impairment)
        simulation.run(for: .seconds(60))
        simulation.downlink.impairment.loss = 0
        simulation.run(for: .seconds(1))
        simulation.finish()
        let recovered = simulation.statistics(0)?.recovered ?? 0
        #expect(recovered > 50)
        // Only on account of repetitions that were lost as well.
        #expect(simulation.senders[0].keyframeRequests <= recovered / 10)
        let roundTrip = simulation.statistics(0)?.roundTripTime ?? .zero
        #expect(Duration.milliseconds(75)...Duration.milliseconds(110) ~= roundTrip)
        // Few requests are for what was only overtaken.
        #expect(simulation.senders[0].retransmissions < recovered * 3 / 2)
    }
}
