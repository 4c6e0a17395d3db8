import CallbotTesting
import MediaTypes
import RTP
import Testing

@testable import Reception

/// What goes back to the senders.
@Suite struct FeedbackTests {
    @Test func everyCompoundReportsFirstOnTheSourceThatItIsAbout() throws {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.1
        impairment.delay = .milliseconds(30)
        var simulation = Simulation(
            [videoPlan(), audioPlan(), videoPlan { $0.ssrc = SSRC(3) }], impairment: impairment)
        simulation.run(for: .seconds(20))
        simulation.finish()
        var reports: [SSRC: Int] = [:]
        for compound in simulation.feedback.dropLast() {
            #expect(compound.error == nil)
            guard case .receiverReport(let report)? = compound.packets.first, let first = report.reportBlocks.first,
                case .sourceDescription(let names) = compound.packets[1]
            else {
                Issue.record("not a report and a name")
                return
            }
            #expect(names.chunks == [.init(ssrc: SSRC(0xb07), cname: "bot")])
            reports[first.ssrc, default: 0] += 1
            for packet in compound.packets.dropFirst(2) {
                switch packet {
                case .genericNACK(let nack): #expect(nack.source == first.ssrc && nack.sender == SSRC(0xb07))
                case .pictureLossIndication(let request): #expect(request.source == first.ssrc)
                default: Issue.record("unexpected \(packet)")
                }
            }
        }
        #expect(reports.keys.count == 3)
        guard let last = simulation.feedback.last, case .goodbye(let goodbye)? = last.packets.last else {
            Issue.record("no goodbye at the end")
            return
        }
        #expect(goodbye.sources == [SSRC(0xb07)])
    }

    @Test func reportsComeOnceASecondAndTellTheTruth() throws {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.1
        impairment.delay = .milliseconds(10)
        var simulation = Simulation([audioPlan { $0.firstSequenceNumber = 65_500 }], impairment: impairment) {
            $0.nack = false
        }
        simulation.run(for: .milliseconds(60_500))
        let compounds = simulation.feedback.count
        #expect(58...61 ~= compounds)
        let report = try #require(simulation.senders[0].lastReport)
        #expect(abs(Int(report.cumulativeLost) - simulation.downlink.lost) <= 10)
        #expect(report.highestSequenceNumber > 65_536 + 2000)
        #expect(report.lastSenderReport != 0)
        #expect(report.delaySinceLastSenderReport < 2 * 65_536)
        let statistics = try #require(simulation.statistics(0))
        #expect(0.01...0.3 ~= statistics.fractionLost)
        #expect(statistics.jitter == .zero)
    }

    @Test func jitterIsMeasuredAsTheStandardSays() {
        var statistics = SourceStatistics(clockRate: 8000)
        // Arrivals alternate by 5 ms around an even spacing: |D| is 5 ms each time, so J goes to 5 ms.
        for index in Int64(0)..<200 {
            let late: Int64 = index % 2 == 0 ? 0 : 5_000_000
            statistics.packetArrived(
                ExtendedSequenceNumber(index), timestamp: UInt32(index) * 160, isRetransmission: false,
                at: MonotonicTime(nanoseconds: index * 20_000_000 + late))
        }
        #expect(abs(statistics.jitter.seconds - 0.005) < 0.0002)
    }

    @Test func transportFeedbackTellsEveryArrival() throws {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.1
        impairment.delay = .milliseconds(20)
        impairment.jitter = .milliseconds(5)
        impairment.reordering = 0.02
        var simulation = Simulation(
            [videoPlan { $0.transportSequenceExtension = 3 }], impairment: impairment
        ) { $0.nack = false }
        simulation.run(for: .seconds(20))
        let feedback = simulation.feedback.flatMap(\.packets).compactMap { packet -> TransportFeedback? in
            guard case .transportFeedback(let feedback) = packet else { return nil }
            return feedback
        }
        #expect(150...250 ~= feedback.count)
        #expect(zip(feedback, feedback.dropFirst()).allSatisfy { $1.feedbackCount == $0.feedbackCount &+ 1 })
        let told = feedback.flatMap(\.arrivals).count { $0 != nil }
        let packets = try #require(simulation.statistics(0)).packets
        #expect((packets - 30)...packets ~= told)
        // The first and the last arrival are as far apart as the simulation is long.
        let first = try #require(feedback.first)
        let last = try #require(feedback.last)
        let span = Int64(last.referenceTime - first.referenceTime) * 64
        #expect(19_500...20_100 ~= span)
    }

    @Test func transportFeedbackSurvivesNumbersFromAnywhere() {
        var generator = SeededGenerator(seed: 5)
        var feedback = TransportFeedbackGenerator()
        var now = MonotonicTime(nanoseconds: 0)
        for _ in 0..<20_000 {
            now = now + .microseconds(Int.random(in: 0...20_000, using: &generator))
            feedback.packetArrived(SequenceNumber(UInt16(truncatingIfNeeded: generator.next())), at: now)
            for packet in feedback.feedback(sender: SSRC(1), source: SSRC(2), at: now) {
                #expect(packet.arrivals.count <= 400)
            }
        }
    }

    @Test func whatIsMissingIsAskedForInDueTime() {
        var generator = NACKGenerator()
        let start = MonotonicTime(nanoseconds: 0)
        generator.notice(missing: 10..<12, at: start)
        #expect(generator.nextDeadline == start + .milliseconds(10))
        var asked = generator.requests(at: start)
        #expect(asked.isEmpty)
        // Three numbers ahead of 10: now it is not just late.
        var wasRequested = generator.packetArrived(13, at: start + .milliseconds(2))
        #expect(!wasRequested)
        asked = generator.requests(at: start + .milliseconds(2))
        #expect(asked == [SequenceNumber(10)])
        asked = generator.requests(at: start + .milliseconds(10))
        #expect(asked == [SequenceNumber(11)])
        wasRequested = generator.packetArrived(10, at: start + .milliseconds(52))
        #expect(wasRequested)
        #expect(generator.roundTripTime == .milliseconds(50))
        // 11 goes on to be asked for, ten times in all.
        var times = 1
        while let deadline = generator.nextDeadline {
            times += generator.requests(at: deadline).count
            if times > 20 { break }
        }
        #expect(times == 10)
        generator.notice(missing: 20..<22, at: start)
        generator.giveUp(before: 21)
        asked = generator.requests(at: start + .seconds(5))
        #expect(asked == [SequenceNumber(21)])
    }
}
