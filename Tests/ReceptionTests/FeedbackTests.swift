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
        // Some of the sender's own reports were lost, too, and five packets a second are since this report.
        #expect(0...20 ~= simulation.downlink.lost - Int(report.cumulativeLost))
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
        var asked = generator.requests(at: start + .milliseconds(9))
        #expect(asked.isEmpty)
        asked = generator.requests(at: start + .milliseconds(10))
        #expect(asked == [SequenceNumber(10), SequenceNumber(11)])
        let isAnswer = generator.packetArrived(10, as: .retransmission, at: start + .milliseconds(60))
        #expect(isAnswer)
        #expect(generator.roundTripTime == .milliseconds(50))
        // 11 goes on to be asked for, at growing intervals.
        var times: [MonotonicTime] = [start + .milliseconds(10)]
        var hopeless: [(Int64, at: Duration)] = []
        while let deadline = generator.nextDeadline, times.count < 20 {
            if let number = generator.newHopeless(at: deadline) { hopeless.append((number, deadline - start)) }
            if !generator.requests(at: deadline).isEmpty { times.append(deadline) }
        }
        #expect(times.count == 12)
        // A keyframe can be asked for in time.
        #expect(hopeless.count == 1 && hopeless[0].0 == 11 && hopeless[0].at <= .milliseconds(280))
        let intervals = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(intervals[1] == .milliseconds(62.5))
        #expect(zip(intervals, intervals.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(times[6] - start < .milliseconds(1500))
        generator.notice(missing: 20..<22, at: start)
        generator.giveUp(before: 21)
        asked = generator.requests(at: start + .seconds(5))
        #expect(asked == [SequenceNumber(21)])
    }

    @Test func whatWasOnlyOvertakenTeachesPatienceAndIsNoAnswer() {
        var generator = NACKGenerator()
        var now = MonotonicTime(nanoseconds: 0)
        for number in Int64(0)..<20 {
            generator.notice(missing: number..<number + 1, at: now)
            _ = generator.requests(at: now + .milliseconds(10))
            let isAnswer = generator.packetArrived(number, as: .original, at: now + .milliseconds(18))
            #expect(!isAnswer)
            now = now + .seconds(1)
        }
        #expect(generator.roundTripTime == nil)
        #expect(Duration.milliseconds(20)...Duration.milliseconds(25) ~= generator.reorderingTime)
        // Where retransmissions look like originals, the time tells one from the other.
        generator.notice(missing: 100..<102, at: now)
        let asked = generator.requests(at: now + .milliseconds(25))
        #expect(asked.count == 2)
        var isAnswer = generator.packetArrived(100, as: .either, at: now + .milliseconds(27))
        #expect(!isAnswer)
        isAnswer = generator.packetArrived(101, as: .either, at: now + .milliseconds(85))
        #expect(isAnswer)
        #expect(generator.roundTripTime == .milliseconds(60))
    }

    @Test func aSenderCanBeLetFindTheRoundTripLonger() throws {
        let hour: Int64 = 3600 * 1_000_000_000
        let wall = NTPTime(nanoseconds: hour)
        var receiver = MediaReceiver(
            senderSSRC: SSRC(5), cname: "bot",
            reportedDelay: ReportedDelay(.seconds(1), start: MonotonicTime(nanoseconds: 0), wall: wall))
        var now = MonotonicTime(nanoseconds: 0)
        func reports() -> [ReportBlock] {
            var blocks: [ReportBlock] = []
            while let output = receiver.nextOutput() {
                guard case .send(let datagram) = output,
                    case .receiverReport(let report)? = RTCPCompound(parsing: datagram).packets.first
                else { continue }
                blocks += report.reportBlocks
            }
            return blocks
        }
        receiver.configure([Simulation.section(of: videoPlan(), mid: Simulation.mid(0))], at: now)
        #expect(reports().isEmpty)
        // Said several times at once, since a packet may be lost, and the sender keeps nothing before.
        receiver.connected(at: now)
        var blocks: [ReportBlock] = reports()
        while let deadline = receiver.nextDeadline, deadline < MonotonicTime(nanoseconds: 500_000_000) {
            now = deadline
            receiver.wake(at: now)
            blocks += reports()
        }
        #expect(blocks.count == 3)
        #expect(blocks.map(\.ssrc) == [SSRC(1), SSRC(1), SSRC(1)])
        #expect(blocks.first?.lastSenderReport == UInt32(3599) << 16)
        #expect(blocks.first?.delaySinceLastSenderReport == 0)
        // Then by the sender's own clock.
        var sender = RTPSender(videoPlan(), seed: 1)
        sender.wake(at: MonotonicTime(nanoseconds: 700_000_000))
        var middle: UInt32?
        while let datagram = sender.nextOutput() {
            if PacketDemultiplexer.kind(of: datagram) == .rtp {
                receiver.handleRTP(datagram, at: now)
            } else {
                receiver.handleRTCP(datagram, at: now)
                if case .senderReport(let report)? = RTCPCompound(parsing: datagram).packets.first {
                    middle = report.ntpTime.middle
                }
            }
        }
        _ = reports()
        receiver.wake(at: now + .milliseconds(500))
        let block = try #require(reports().first)
        #expect(block.lastSenderReport == (try #require(middle)) &- 65536)
        #expect(block.delaySinceLastSenderReport == 32768)
    }
}
